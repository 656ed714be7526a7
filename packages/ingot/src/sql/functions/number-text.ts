import type { DataType, DecimalType } from "../../model/data-type.js";
import { coerce, describe, fail } from "../bind/bind-place.js";
import { anyNullable, type Bound, callName } from "../bind/bound.js";
import { asDecimal, isDatetime, STRING } from "../bind/type-rules.js";
import { castTo, quoteText } from "../lower/lower-text.js";
import { formatMoment, patternOf } from "./date-pattern-use.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  type SparkFunction,
  scalar,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { callHost } from "./host/host-function.js";
import { type NumberPattern, NumberPatternFault, readNumberPattern } from "./host/number-pattern.js";
import { TO_CHAR, TO_NUMBER } from "./host/number-text.js";

const character: SparkFunction = scalar(2, 2, toCharacter);

/** Numbers from texts and as texts, by patterns such as `99,999.00`. */
export const NUMBER_TEXTS: Functions = {
  to_number: scalar(2, 2, (use) => toNumber(use, false)),
  try_to_number: scalar(2, 2, (use) => toNumber(use, true)),
  to_char: character,
  to_varchar: character,
};

function toNumber(use: Use, lenient: boolean): Lowered {
  const [text, { precision, scale }] = [argOf(use, 0, STRING), numberPattern(use)];
  const type: DecimalType = { kind: "decimal", precision, scale };
  const sql = castTo(callHost(TO_NUMBER, text.sql, quoteText(textOf(use, 1) ?? ""), String(lenient)), type);
  return { sql, type, nullable: true, throws: !lenient || text.throws };
}

/** A constant pattern, checked. @throws IngotError INVALID_FORMAT */
function numberPattern(use: Use): NumberPattern {
  const pattern = textOf(use, 1);
  const { at } = arg(use, 1);
  if (pattern === undefined)
    throw unsupportedForm(use, `${use.call.name} by a computed pattern`, "Write the pattern as a constant.", at);
  try {
    return readNumberPattern(pattern);
  } catch (error) {
    if (!(error instanceof NumberPatternFault)) throw error;
    const hint = "Write one such as '99,999.00', 'S9.9', '$9' or '9PR'.";
    throw fail(use.place, at, "INVALID_FORMAT", `The pattern ${pattern}: ${error.message}`, hint, use.call.name);
  }
}

/** Of a number by its pattern, of a date or moment by `date_format`'s, of bytes as base64, hex or UTF-8. */
function toCharacter(use: Use): Lowered {
  const value = arg(use, 0);
  const nullable = anyNullable(use.args);
  if (isDatetime(value.type)) {
    const sql = formatMoment(use, value, ...patternOf(use, 1, "format"));
    return { sql, type: STRING, nullable, name: callName("date_format", use.args) };
  }
  if (value.type.kind === "binary") return bytesAsText(use, value);
  const type = decimalOf(value.type);
  if (type === undefined)
    throw unsupportedForm(use, `${use.call.name} of ${describe(value.type)}`, "Cast it to DECIMAL.", value.at);
  numberPattern(use);
  const decimal = coerce(use.place, coerce(use.place, value, type), STRING);
  const sql = callHost(TO_CHAR, decimal.sql, quoteText(textOf(use, 1) ?? ""));
  return { sql, type: STRING, nullable: true, throws: decimal.throws, name: callName("to_char", use.args) };
}

/** `DecimalType.forType` */
function decimalOf(type: DataType): DecimalType | undefined {
  if (type.kind === "double") return { kind: "decimal", precision: 30, scale: 15 };
  if (type.kind === "float") return { kind: "decimal", precision: 14, scale: 7 };
  if (type.kind === "string" || type.kind === "void") return { kind: "decimal", precision: 38, scale: 18 };
  return asDecimal(type);
}

function bytesAsText(use: Use, value: Bound): Lowered {
  const format = textOf(use, 1)?.toLowerCase();
  const lowered = { type: STRING, nullable: value.nullable };
  // Spark shows what to_char becomes, and to_varchar as it is.
  const named = (name: string, args: readonly Bound[] = use.args.slice(0, 1)) =>
    callName(use.call.name.toLowerCase() === "to_char" ? name : "to_varchar", args);
  if (format === "base64") return { ...lowered, sql: `to_base64(${value.sql})`, name: named("base64") };
  if (format === "hex") return { ...lowered, sql: `hex(${value.sql})`, name: named("hex") };
  if (format === "utf-8")
    return { ...lowered, sql: `decode(${value.sql})`, throws: true, name: named("decode", use.args) };
  throw unsupportedForm(
    use,
    `${use.call.name} of BINARY in this format`,
    "Use 'base64', 'hex' or 'utf-8'.",
    arg(use, 1).at,
  );
}
