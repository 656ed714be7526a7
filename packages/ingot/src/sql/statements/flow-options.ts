import { IngotError } from "../../model/error.js";
import { nearest } from "../../model/nearest.js";
import { quoteString } from "../quote.js";
import type { TokenReader } from "../token-reader.js";
import { readValue } from "./properties.js";

/** Options of a flow: the words that each takes, or a share of 0 to 1. */
type OptionTable = Readonly<Record<string, readonly string[] | "share">>;
type OptionValues<T extends OptionTable> = {
  readonly [K in keyof T]?: T[K] extends readonly (infer Word)[] ? Word : number;
};

/** Options of AUTO CDC that have no clause in Lakeflow's grammar. */
export const CDC_OPTIONS = {
  ties: ["upsert", "delete"],
  onInvalid: ["fail", "quarantine"],
  maxDeleteShare: "share",
  onArchiveDelete: ["delete", "keep"],
} as const satisfies OptionTable;

/** The same for AUTO CDC FROM SNAPSHOT. */
export const SNAPSHOT_OPTIONS = { minRowShare: "share" } as const satisfies OptionTable;

/**
 * `( on_invalid => 'quarantine', … )`, after WITH. A name is taken in the spelling of the TypeScript API too.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION
 */
export function readFlowOptions<T extends OptionTable>(reader: TokenReader, table: T): OptionValues<T> {
  const values: Record<string, string | number> = {};
  reader.expect("(");
  do {
    const from = reader.index;
    const written = reader.readIdentifier("an option");
    const name = Object.keys(table).find((n) => n.toLowerCase() === written.replaceAll("_", "").toLowerCase());
    if (name === undefined || name in values) {
      reader.index = from;
      throw name === undefined ? unknownOption(reader, written, table) : twice(reader, written);
    }
    reader.expect("=>");
    const at = reader.at();
    const value = readOption(readValue(reader), table[name] ?? []);
    if (value === undefined) throw badOption(written, table[name] ?? [], at);
    values[name] = value;
  } while (reader.take(","));
  if (!reader.take(")")) throw reader.failure([",", ")"]);
  return values as OptionValues<T>;
}

/** The options that a flow has, as `name => value`. */
export function formatFlowOptions<T extends OptionTable>(flow: OptionValues<T>, table: T): string[] {
  return Object.keys(table).flatMap((name) => {
    const value: unknown = flow[name];
    if (value === undefined) return [];
    return [`${sqlName(name)} => ${typeof value === "number" ? value : quoteString(String(value))}`];
  });
}

function sqlName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function readOption(text: string, takes: readonly string[] | "share"): string | number | undefined {
  if (takes !== "share") return takes.find((word) => word === text.toLowerCase());
  const share = text.trim() === "" ? Number.NaN : Number(text);
  return share >= 0 && share <= 1 ? share : undefined;
}

function unknownOption(reader: TokenReader, written: string, table: OptionTable): IngotError {
  const names = Object.keys(table).map(sqlName);
  const near = nearest(written, names);
  const hint = near === undefined ? `It has ${names.join(", ")}.` : `Did you mean ${near}?`;
  return reader.error("UNKNOWN_OPTION", `The flow has no option ${written}`, hint);
}

function twice(reader: TokenReader, written: string): IngotError {
  return reader.error("PARSE_SYNTAX_ERROR", `The option ${written} stands twice`, "Keep one of the two.");
}

function badOption(written: string, takes: readonly string[] | "share", at: IngotError["at"]): IngotError {
  return new IngotError("BAD_OPTION", `The option ${written} cannot have this value`, {
    ...(at === undefined ? {} : { at }),
    object: written,
    hint: takes === "share" ? "It is a share, from 0 to 1." : `It is ${takes.map(quoteString).join(" or ")}.`,
  });
}
