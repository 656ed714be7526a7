import { IngotError } from "../../../model/error.js";
import { nearest } from "../../../model/nearest.js";
import { AFTERMATH } from "./aftermath.js";
import { LOST_TOKEN, REDELIVERED } from "./damage-files.js";
import { FILE_FAULTS } from "./file-kinds.js";
import { FAULTS, type FaultKind, type FaultRates } from "./kinds.js";
import { STANDING } from "./standing.js";

/** Kinds that a pipeline with the right declarations goes on with, and what they have by default. */
const DEFAULTS: FaultRates = new Map([...ratesOf(false), ["redelivered", REDELIVERED.rate]]);
/** Beside them those that stop one that does not declare what they need. */
const ALL: FaultRates = new Map([
  ...DEFAULTS,
  ...ratesOf(true),
  ["lost_token", LOST_TOKEN.rate],
  ["unknown_product", STANDING.unknown_product.rate],
  ...Object.keys({ ...FILE_FAULTS, ...AFTERMATH }).map((name): [string, number] => [name, 1]),
]);

function ratesOf(named: boolean): [string, number][] {
  return Object.entries<FaultKind>(FAULTS).flatMap(([name, { rate, isNamed = false }]): [string, number][] =>
    isNamed === named ? [[name, rate]] : [],
  );
}

/**
 * Rates of a text: `none`, `default`, `all`, and kinds with a share, of which the last counts:
 * `default,late=0.1,orphan=0`.
 *
 * @throws IngotError USAGE
 */
export function faultRates(text: string): FaultRates {
  const rates = new Map<string, number>();
  for (const part of text.split(",").map((one) => one.trim())) {
    if (part === "none") rates.clear();
    else if (part === "default" || part === "all")
      for (const [name, rate] of part === "all" ? ALL : DEFAULTS) rates.set(name, rate);
    else rates.set(...rateOf(part));
  }
  return rates;
}

function rateOf(part: string): [string, number] {
  const [name = "", share] = part.split("=");
  const rate = ALL.get(name);
  if (rate === undefined) {
    const near = nearest(name, [...ALL.keys()]);
    const hint =
      near === undefined ? `Kinds: none, default, all, ${[...ALL.keys()].join(", ")}.` : `Did you mean ${near}?`;
    throw new IngotError("USAGE", `No kind of fault is \`${name}\``, { object: name, hint });
  }
  if (share === undefined) return [name, rate];
  if (!/^(0|1|0?\.\d+)$/.test(share))
    throw new IngotError("USAGE", `\`${share}\` is no share`, {
      object: part,
      hint: `Write a number from 0 to 1: ${name}=0.05.`,
    });
  return [name, Number(share)];
}
