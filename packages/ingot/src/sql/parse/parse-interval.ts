import type { IntervalField, IntervalType } from "../../model/data-type.js";
import { lex } from "../lexer.js";
import { isToken, TokenReader } from "../token-reader.js";
import type { Interval } from "./ast.js";
import { wordOf } from "./keywords.js";
import { offsetOf, type Parser, problem, unsupported } from "./parser.js";

const MONTH_FIELDS: readonly IntervalField[] = ["year", "month"];
const TIME_FIELDS: readonly IntervalField[] = ["day", "hour", "minute", "second"];

/** How many months or microseconds a unit has, and the field that it belongs to. */
const UNITS: Readonly<Record<string, readonly [IntervalField, bigint]>> = {
  YEAR: ["year", 12n],
  MONTH: ["month", 1n],
  WEEK: ["day", 7n * 86_400_000_000n],
  DAY: ["day", 86_400_000_000n],
  HOUR: ["hour", 3_600_000_000n],
  MINUTE: ["minute", 60_000_000n],
  SECOND: ["second", 1_000_000n],
  MILLISECOND: ["second", 1000n],
  MICROSECOND: ["second", 1n],
};

function unitOf(word: string): readonly [IntervalField, bigint] | undefined {
  const name = word.replace(/S$/, "");
  return Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
}

/** Whether an interval follows the word INTERVAL. */
export function seesInterval({ reader }: Parser): boolean {
  const next = reader.peek(1);
  if (next?.kind === "number" || next?.kind === "string") return true;
  // `interval + 1` is a column and a number.
  const isSigned = isToken(next, "-") || isToken(next, "+");
  const isValue = ["number", "string"].includes(reader.peek(2)?.kind ?? "");
  return isSigned && isValue && unitOf(wordOf(reader.peek(3))) !== undefined;
}

/** `INTERVAL value unit …`, `INTERVAL 'value' unit TO unit`, `INTERVAL 'value unit …'` */
export function parseInterval(parser: Parser): Interval {
  const { reader } = parser;
  const at = offsetOf(parser);
  const start = reader.index;
  reader.expect("INTERVAL");
  const text = reader.peek()?.kind === "string" ? reader.peek() : undefined;
  if (text !== undefined && isToken(reader.peek(2), "TO")) return parseRange(parser, at, start);
  if (text === undefined || unitOf(wordOf(reader.peek(1))) !== undefined) return parseParts(parser, parser, at, start);
  const tokens = lex(reader.readString()).filter((token) => !isToken(token, "INTERVAL"));
  return parseParts({ ...parser, reader: new TokenReader(reader.sql, tokens) }, parser, at, start);
}

/** Pairs of a number and a unit, as many as there are. */
function parseParts(parts: Parser, parser: Parser, at: number, start: number): Interval {
  const { reader } = parts;
  const wrong = () =>
    problem(
      parser,
      "PARSE_SYNTAX_ERROR",
      "This is no interval",
      "Write INTERVAL 3 DAYS or INTERVAL '1 2:30' DAY TO MINUTE.",
      start,
    );
  let value = 0n;
  const fields: IntervalField[] = [];
  while (fields.length === 0 || seesPart(parts)) {
    const sign = reader.take("-") ? -1n : 1n;
    if (sign === 1n) reader.take("+");
    const token = reader.peek();
    const unit = unitOf(wordOf(reader.peek(1)));
    if (token === undefined || unit === undefined) throw wrong();
    const number = token.kind === "string" ? reader.readString().trim() : token.text;
    if (token.kind !== "string") reader.index += 1;
    reader.index += 1;
    const [field, size] = unit;
    const parsed = /^([+-]?)(\d{1,18})(?:\.(\d{1,9}))?$/.exec(number);
    const fraction = parsed?.[3];
    if (parsed === null || (fraction !== undefined && size !== 1_000_000n)) throw wrong();
    const micros = fraction === undefined ? 0n : BigInt(fraction.padEnd(9, "0").slice(0, 6));
    value += sign * (parsed[1] === "-" ? -1n : 1n) * (BigInt(parsed[2] ?? "0") * size + micros);
    fields.push(field);
  }
  const type = spanOf(fields);
  if (parts !== parser && !reader.done) throw wrong();
  if (type === undefined)
    throw unsupported(parser, "An interval of months and of days", "Add one after the other.", start);
  return { kind: "interval", at, type, value };
}

/** Whether one more number with its unit follows. */
function seesPart({ reader }: Parser): boolean {
  const ahead = reader.sees("-") || reader.sees("+") ? 1 : 0;
  const isValue = ["number", "string"].includes(reader.peek(ahead)?.kind ?? "");
  return isValue && unitOf(wordOf(reader.peek(ahead + 1))) !== undefined;
}

function spanOf(fields: readonly IntervalField[]): IntervalType | undefined {
  for (const family of [MONTH_FIELDS, TIME_FIELDS]) {
    const places = fields.map((field) => family.indexOf(field));
    const from = family[Math.min(...places)];
    const to = family[Math.max(...places)];
    if (from !== undefined && to !== undefined) return { kind: "interval", from, to };
  }
  return undefined;
}

/** Between these fields, what the text holds: `1-2`, `1 02:03:04.5`. */
const SIGNS: Readonly<Record<string, string>> = {
  "year month": "-",
  "day hour": " +",
  "hour minute": ":",
  "minute second": ":",
};

/** `'1 02:03' DAY TO MINUTE` */
function parseRange(parser: Parser, at: number, start: number): Interval {
  const { reader } = parser;
  const text = reader.readString().trim();
  const from = unitOf(wordOf(reader.peek()))?.[0];
  const to = unitOf(wordOf(reader.peek(2)))?.[0];
  reader.index += 3;
  const family = from !== undefined && MONTH_FIELDS.includes(from) ? MONTH_FIELDS : TIME_FIELDS;
  const fields =
    from === undefined || to === undefined ? [] : family.slice(family.indexOf(from), family.indexOf(to) + 1);
  const pattern = fields
    .map((field, i) => {
      const sign = i === 0 ? "" : (SIGNS[`${fields[i - 1]} ${field}`] ?? "");
      return `${sign}(\\d{1,9}${field === "second" ? "(?:\\.\\d{1,9})?" : ""})`;
    })
    .join("");
  const found = fields.length < 2 ? null : new RegExp(`^([+-]?)${pattern}$`).exec(text);
  if (found === null || from === undefined || to === undefined)
    throw problem(
      parser,
      "PARSE_SYNTAX_ERROR",
      `'${text}' is no interval of these fields`,
      "Write '1-2' YEAR TO MONTH or '1 02:03:04' DAY TO SECOND.",
      start,
    );
  let value = 0n;
  for (const [i, field] of fields.entries()) {
    const [whole = "0", fraction = ""] = (found[i + 2] ?? "0").split(".");
    const limit = i === 0 ? undefined : { month: 11n, hour: 23n, minute: 59n, second: 59n }[field as "month"];
    if (limit !== undefined && BigInt(whole) > limit)
      throw problem(
        parser,
        "PARSE_SYNTAX_ERROR",
        `${whole} is no ${field} of an interval`,
        `It is at most ${limit}.`,
        start,
      );
    const size = UNITS[field.toUpperCase()]?.[1] ?? 0n;
    value += BigInt(whole) * size + BigInt(fraction.padEnd(9, "0").slice(0, 6));
  }
  return { kind: "interval", at, type: { kind: "interval", from, to }, value: found[1] === "-" ? -value : value };
}
