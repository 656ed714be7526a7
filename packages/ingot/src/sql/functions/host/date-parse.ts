import { MONTHS, type PatternItem, readPattern } from "./date-pattern.js";
import { hostFunction } from "./host-function.js";
import { remember } from "./remember.js";

/**
 * Micros since 1970 of a text that fits the pattern, NULL where it does not: by the clock, or of the moment where the
 * pattern has an offset.
 */
export const PARSE_DATE = hostFunction("parse_date", ["string", "string"], "bigint", (text, pattern) => {
  const fields = new Map<string, number>();
  const end = parseItems(partsOf(pattern), text, 0, fields);
  return end === text.length ? resolve(fields) : undefined;
});

/** A field of digits: `width` is fixed where `least` is `most`; `reserved` digits belong to the fields that follow. */
interface NumberPart {
  readonly kind: "number";
  readonly field: string;
  readonly least: number;
  readonly most: number;
  readonly sign: "normal" | "exceeds" | "none";
  reserved: number;
}
type Part =
  | NumberPart
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "text"; readonly field: string; readonly values: readonly string[] }
  | { readonly kind: "fraction"; readonly most: number }
  | { readonly kind: "offset"; readonly letter: string; readonly count: number }
  | { readonly kind: "optional"; readonly parts: readonly Part[] };

const partsOf = remember((pattern) => compile(readPattern(pattern, "parse")));

function compile(items: readonly PatternItem[]): readonly Part[] {
  const parts: Part[] = [];
  // The number before fields of fixed width leaves them their digits (`DateTimeFormatterBuilder.appendValue`).
  let open: NumberPart | undefined;
  for (const item of items) {
    const part = compileItem(item);
    if (part.kind === "number" && open !== undefined && part.least === part.most && part.sign === "none")
      open.reserved += part.most;
    else open = part.kind === "number" ? part : undefined;
    parts.push(part);
  }
  return parts;
}

function compileItem(item: PatternItem): Part {
  if (item.kind === "literal") return item;
  if (item.kind === "optional") return { kind: "optional", parts: compile(item.items) };
  const { letter, count } = item;
  const number = (least: number, most: number, sign: NumberPart["sign"], field = letter): Part => ({
    kind: "number",
    field,
    least,
    most,
    sign,
    reserved: 0,
  });
  switch (letter) {
    case "y":
      if (count === 2) return number(2, 2, "none", "yy");
      return number(count, 19, count < 4 ? "normal" : "exceeds");
    case "M":
    case "L":
      if (count > 2)
        return { kind: "text", field: "M", values: MONTHS.map((name) => (count === 3 ? name.slice(0, 3) : name)) };
      return count === 1 ? number(1, 19, "normal", "M") : number(2, 2, "none", "M");
    case "D":
      return count === 1 ? number(1, 19, "normal") : number(count, 3, "none");
    case "S":
      return { kind: "fraction", most: count };
    case "a":
      return { kind: "text", field: "a", values: ["AM", "PM"] };
    case "X":
    case "x":
    case "Z":
      return { kind: "offset", letter, count };
    default:
      return count === 1 ? number(1, 19, "normal") : number(2, 2, "none");
  }
}

/** The position behind the parts, or -1. */
function parseItems(parts: readonly Part[], text: string, start: number, fields: Map<string, number>): number {
  let at = start;
  for (const part of parts) {
    if (part.kind === "optional") {
      const tried = new Map(fields);
      const end = parseItems(part.parts, text, at, tried);
      if (end === -1) continue;
      for (const [field, value] of tried) fields.set(field, value);
      at = end;
      continue;
    }
    at = parsePart(part, text, at, fields);
    if (at === -1) return -1;
  }
  return at;
}

function parsePart(
  part: Exclude<Part, { readonly kind: "optional" }>,
  text: string,
  at: number,
  fields: Map<string, number>,
): number {
  switch (part.kind) {
    case "literal": {
      const end = at + part.text.length;
      return text.slice(at, end).toLowerCase() === part.text.toLowerCase() ? end : -1;
    }
    case "text": {
      const rest = text.slice(at).toLowerCase();
      const index = part.values.findIndex((value) => rest.startsWith(value.toLowerCase()));
      if (index === -1) return -1;
      return set(fields, part.field, part.field === "M" ? index + 1 : index)
        ? at + (part.values[index]?.length ?? 0)
        : -1;
    }
    case "fraction": {
      const digits = new RegExp(`^[0-9]{1,${part.most}}`).exec(text.slice(at))?.[0];
      if (digits === undefined) return -1;
      return set(fields, "micro", Number(digits.padEnd(9, "0").slice(0, 6))) ? at + digits.length : -1;
    }
    case "offset":
      return parseOffset(part, text, at, fields);
    default:
      return parseNumber(part, text, at, fields);
  }
}

function parseNumber(part: NumberPart, text: string, start: number, fields: Map<string, number>): number {
  const sign = /^[+-]/.exec(text.slice(start))?.[0] ?? "";
  if (sign === "+" && part.sign !== "exceeds") return -1;
  if (sign === "-" && part.sign === "none") return -1;
  const at = start + sign.length;
  const run = /^[0-9]*/.exec(text.slice(at, at + part.most + part.reserved))?.[0].length ?? 0;
  const length = part.reserved > 0 ? Math.max(part.least, run - part.reserved) : run;
  const digits = text.slice(at, at + length);
  if (length < part.least || digits.length < part.least || !/^[0-9]+$/.test(digits)) return -1;
  if (part.sign === "exceeds" && (sign === "+" ? length <= part.least : sign === "" && length > part.least)) return -1;
  const value = Number(sign === "-" ? `-${digits}` : digits);
  return set(fields, part.field, value) ? at + length : -1;
}

/** Two parts that give one field must agree. */
function set(fields: Map<string, number>, field: string, value: number): boolean {
  if (fields.has(field) && fields.get(field) !== value) return false;
  fields.set(field, value);
  return true;
}

const OFFSET_FORMS: Readonly<Record<number, RegExp>> = {
  1: /^([+-])([0-9]{2})([0-9]{2})?/,
  2: /^([+-])([0-9]{2})([0-9]{2})/,
  3: /^([+-])([0-9]{2}):([0-9]{2})/,
  4: /^([+-])([0-9]{2})([0-9]{2})([0-9]{2})?/,
  5: /^([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?/,
};

function parseOffset(
  { letter, count }: { readonly letter: string; readonly count: number },
  text: string,
  at: number,
  fields: Map<string, number>,
): number {
  if (letter === "X" && /^z/i.test(text.slice(at))) return set(fields, "offset", 0) ? at + 1 : -1;
  const match = OFFSET_FORMS[letter === "Z" ? 2 : count]?.exec(text.slice(at));
  if (match === null || match === undefined) return -1;
  const [whole, sign, hours, minutes = "0", seconds = "0"] = match;
  const value = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (Number(minutes) > 59 || Number(seconds) > 59 || value > 64_800) return -1;
  return set(fields, "offset", sign === "-" ? -value : value) ? at + whole.length : -1;
}

/** `ResolverStyle.STRICT`; what is missing is 1970-01-01 00:00:00. */
function resolve(fields: ReadonlyMap<string, number>): bigint | undefined {
  const within = (field: string, low: number, high: number) => {
    const value = fields.get(field);
    return value === undefined || (value >= low && value <= high);
  };
  const inRange =
    within("M", 1, 12) &&
    within("d", 1, 31) &&
    within("D", 1, 366) &&
    within("H", 0, 23) &&
    within("k", 1, 24) &&
    within("K", 0, 11) &&
    within("h", 1, 12) &&
    within("m", 0, 59) &&
    within("s", 0, 59);
  const year = fields.get("y") ?? (fields.has("yy") ? 2000 + (fields.get("yy") ?? 0) : 1970);
  if (!inRange || Math.abs(year) > 290_000) return undefined;
  const days = dayOf(year, fields);
  if (days === undefined) return undefined;
  const half = fields.get("K") ?? (fields.get("h") ?? 0) % 12;
  const hour = fields.get("H") ?? (fields.has("k") ? (fields.get("k") ?? 0) % 24 : half + 12 * (fields.get("a") ?? 0));
  const seconds = days * 86_400 + hour * 3600 + (fields.get("m") ?? 0) * 60 + (fields.get("s") ?? 0);
  return BigInt(seconds - (fields.get("offset") ?? 0)) * 1_000_000n + BigInt(fields.get("micro") ?? 0);
}

function dayOf(year: number, fields: ReadonlyMap<string, number>): number | undefined {
  const date = new Date(0);
  const dayOfYear = fields.get("D");
  if (dayOfYear !== undefined) {
    date.setUTCFullYear(year, 0, dayOfYear);
    const agrees = (field: string, value: number) => (fields.get(field) ?? value) === value;
    const fits =
      date.getUTCFullYear() === year && agrees("M", date.getUTCMonth() + 1) && agrees("d", date.getUTCDate());
    return fits ? date.getTime() / 86_400_000 : undefined;
  }
  const month = fields.get("M") ?? 1;
  const day = fields.get("d") ?? 1;
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 86_400_000 : undefined;
}
