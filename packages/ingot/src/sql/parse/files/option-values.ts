import { IngotError } from "../../../model/error.js";
import { nearest } from "../../../model/nearest.js";
import type { FileOption, FileOptions } from "./file-options.js";

// What an option may be. All throw BAD_OPTION with the place of the value, or of an option that may not be.

export function flag(options: FileOptions, name: string, otherwise: boolean): boolean {
  const option = options.get(name);
  if (option === undefined) return otherwise;
  const value = option.value.toLowerCase();
  if (value === "true" || value === "false") return value === "true";
  throw bad(option, "is true or false", "Write true or false.");
}

/** One of some words, in any case. */
export function word<W extends string>(options: FileOptions, name: string, words: readonly W[]): W | undefined {
  const option = options.get(name);
  if (option === undefined) return undefined;
  const found = words.find((w) => w.toLowerCase() === option.value.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(option.value, words);
  throw bad(
    option,
    `is one of ${words.join(", ")}`,
    near === undefined ? `Write ${words[0]}.` : `Did you mean ${near}?`,
  );
}

/** A whole number from 1. */
export function count(options: FileOptions, name: string): number | undefined {
  const option = options.get(name);
  if (option === undefined) return undefined;
  const value = Number(option.value);
  if (/^\d+$/.test(option.value) && value > 0 && Number.isSafeInteger(value)) return value;
  throw bad(option, "is a whole number from 1", "Write a number such as 100, or leave it out.");
}

const UNITS = ["", "k", "m", "g", "t"];

/** A number of bytes: `1000`, `10g`, `500 MB`. A unit is 1024 times the one before. */
export function bytes(options: FileOptions, name: string): number | undefined {
  const option = options.get(name);
  if (option === undefined) return undefined;
  const [, digits, unit = ""] = /^\s*(\d+)\s*([kmgt]?)b?\s*$/i.exec(option.value) ?? [];
  const value = Number(digits) * 1024 ** UNITS.indexOf(unit.toLowerCase());
  if (digits !== undefined && value > 0 && Number.isSafeInteger(value)) return value;
  throw bad(option, "is a number of bytes from 1", "Write it such as 500m or 10g.");
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)\s*(Z|UTC|[+-]\d{2}:\d{2})?)?$/;

/** A moment in milliseconds since 1970; without a zone it is UTC. */
export function moment(options: FileOptions, name: string): number | undefined {
  const option = options.get(name);
  if (option === undefined) return undefined;
  const [, day, time = "00:00", zone = "Z"] = MOMENT.exec(option.value.trim()) ?? [];
  const value = Date.parse(`${day}T${time}${zone === "UTC" ? "Z" : zone}`);
  // Date takes 30 February for a day of March.
  const isDay = day !== undefined && new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  if (isDay && !Number.isNaN(value)) return value;
  throw bad(
    option,
    "is a moment",
    "Write it such as 2026-10-01T08:30:00, in UTC, or with an offset: 2026-10-01T08:30:00+02:00.",
  );
}

/** One character; Spark also takes `\t` as two. */
export function character(options: FileOptions, name: string, otherwise: string): string {
  const option = options.get(name);
  if (option === undefined) return otherwise;
  const value = option.value === "\\t" ? "\t" : option.value === "\\\\" ? "\\" : option.value;
  if ([...value].length === 1) return value;
  throw bad(option, "is one character", "Write one character, or leave the option out.");
}

/** An empty quote or escape turns it off. */
export function characterOrNone(options: FileOptions, name: string, otherwise: string): string {
  return options.get(name)?.value === "" ? "" : character(options, name, otherwise);
}

/** The names of a list with commas. */
export function nameList(options: FileOptions, name: string): readonly string[] | undefined {
  const list = options
    .get(name)
    ?.value.split(",")
    .map((item) => item.trim());
  return list?.filter((item) => item !== "");
}

/** Options that have no effect here, for this reason. */
export function refuse(options: FileOptions, names: readonly string[], why: string, hint: string): void {
  const option = names.map((name) => options.get(name)).find((given) => given !== undefined);
  if (option !== undefined)
    throw new IngotError("BAD_OPTION", `${option.name} has no effect ${why}`, { at: option.at, hint });
}

function bad(option: FileOption, what: string, hint: string): IngotError {
  return new IngotError("BAD_OPTION", `${option.name} ${what}, not '${option.value}'`, { at: option.valueAt, hint });
}
