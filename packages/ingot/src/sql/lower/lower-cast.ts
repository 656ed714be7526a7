import { type DataType, type DecimalType, formatType, type IntervalType, sameType } from "../../model/data-type.js";
import {
  asDecimal,
  commonInterval,
  isAtomic,
  isDatetime,
  isDecimal,
  isFloating,
  isInteger,
  isNumeric,
} from "../bind/type-rules.js";
import { callHost } from "../functions/host/host-function.js";
import { DOUBLE_TEXT, FLOAT_TEXT } from "../functions/host/java-double.js";
import { PLAIN_DECIMAL, plainDecimal } from "../functions/host/number.js";
import { fromNested } from "./lower-nested-cast.js";
import { castTo, duckdbType, quoteText, raise, raiseOutOfRange } from "./lower-text.js";
import type { LoweredCast } from "./lowered-cast.js";
import { roundDecimal } from "./round-decimal.js";

/**
 * DuckDB's text for Spark's cast from one type to another, or undefined where no exact one is known. ANSI mode: a value
 * that does not fit is an error, or NULL when `lenient` (TRY_CAST).
 */
export function lowerCast(sql: string, from: DataType, to: DataType, lenient: boolean): LoweredCast | undefined {
  if (sameType(from, to)) return { sql, throws: false };
  if (from.kind === "interval") return castInterval(sql, from, to);
  if (from.kind === "void") return { sql: castTo("NULL", to), throws: false };
  if (!isAtomic(from)) return fromNested(sql, from, to, lenient, lowerCast);
  if (!isAtomic(to)) return undefined;
  const plain = { sql: castTo(sql, to), throws: false };
  const checked = { sql: lenient ? `TRY_CAST(${sql} AS ${duckdbType(to)})` : plain.sql, throws: !lenient };
  if (from.kind === "string") return fromString(sql, to, lenient);
  if (from.kind === "boolean") {
    if (to.kind === "string" || isInteger(to)) return plain;
    return isNumeric(to) ? { ...checked, sql: checked.sql.replace(sql, `CAST(${sql} AS TINYINT)`) } : undefined;
  }
  if (isInteger(from)) {
    if (isInteger(to)) return widens(from, to) ? plain : checked;
    if (isDecimal(to)) return holds(to, from) ? plain : checked;
    if (to.kind === "boolean") return { sql: `(${sql} <> 0)`, throws: false };
    // Seconds since 1970.
    if (to.kind === "timestamp") return { sql: secondsText(sql), throws: from.kind === "bigint" };
    return isFloating(to) || to.kind === "string" ? plain : undefined;
  }
  if (isDecimal(from)) {
    if (isDecimal(to)) return holds(to, from) ? plain : { ...checked, sql: roundDecimal(sql, from, to, lenient) };
    if (to.kind === "boolean") return { sql: `(${sql} <> 0)`, throws: false };
    if (to.kind === "string") return { sql: decimalText(sql, from), throws: false };
    // DuckDB divides two doubles; beyond 15 digits only reading the digits is exact.
    if (isFloating(to))
      return from.precision <= 15 && to.kind === "double"
        ? plain
        : { sql: castTo(castTo(sql, { kind: "string" }), to), throws: false };
    if (isInteger(to)) return { sql: checked.sql.replace(sql, `trunc(${sql})`), throws: checked.throws };
    return to.kind === "timestamp" && from.scale <= MOMENT_SCALE && from.precision - from.scale <= MOMENT_DIGITS
      ? { sql: `make_timestamptz(${microsOf(sql, from)})`, throws: true }
      : undefined;
  }
  if (from.kind === "binary") return to.kind === "string" ? { sql: `decode(${sql})`, throws: true } : undefined;
  if (isFloating(from)) {
    if (to.kind === "string")
      return { sql: callHost(from.kind === "float" ? FLOAT_TEXT : DOUBLE_TEXT, sql), throws: false };
    if (to.kind === "boolean") return { sql: `(${sql} <> 0)`, throws: false };
    if (isInteger(to)) return { sql: checked.sql.replace(sql, `trunc(${sql})`), throws: checked.throws };
    if (isDecimal(to)) return floatingToDecimal(sql, to, lenient);
    if (to.kind === "timestamp") return floatingToMoment(sql, lenient);
    if (!isFloating(to)) return undefined;
    return to.kind === "double" ? plain : { sql: nearestFloat(sql), throws: false };
  }
  return fromDatetime(sql, from, to, lenient);
}

/** Whether a decimal has a place for each digit of a number's type. */
function holds(to: DecimalType, from: DataType): boolean {
  const own = asDecimal(from);
  return own !== undefined && own.precision - own.scale <= to.precision - to.scale && own.scale <= to.scale;
}

/** A decimal of so many places still holds every moment once it is multiplied. */
const MOMENT_SCALE = 18;
/** Seconds of so many digits are a moment; Spark takes the last 64 bits of longer ones. */
const MOMENT_DIGITS = 12;

/** Whole microseconds of a decimal that counts seconds. */
export function microsOf(sql: string, type: DecimalType): string {
  return castTo(`trunc(CAST(${sql} AS DECIMAL(38,${type.scale})) * 1000000)`, { kind: "bigint" });
}

function secondsText(sql: string): string {
  const error = castTo(raise("NOT_SUPPORTED", "A moment beyond the year 200000"), { kind: "bigint" });
  const seconds = castTo(sql, { kind: "bigint" });
  return `make_timestamptz(CASE WHEN abs(${seconds}) > 6000000000000 THEN ${error} ELSE ${seconds} END * 1000000)`;
}

/** Seconds since 1970; what is no number is no moment. */
function floatingToMoment(sql: string, lenient: boolean): LoweredCast {
  const type = { kind: "timestamp" } as const;
  const error = castTo(raise("CAST_INVALID_INPUT", "NaN and infinities are no TIMESTAMP."), type);
  const value = `make_timestamptz(CAST(trunc(CAST(${sql} AS DOUBLE) * 1000000) AS BIGINT))`;
  const whens = `WHEN isfinite(${sql}) THEN ${value} WHEN ${sql} IS NOT NULL THEN ${lenient ? castTo("NULL", type) : error}`;
  return { sql: `CASE ${whens} END`, throws: true };
}

/** By the digits that Java writes of the DOUBLE, half up; NULL for what is no number. */
function floatingToDecimal(sql: string, to: DecimalType, lenient: boolean): LoweredCast {
  // DuckDB's own cast of a text with an exponent lets too great a number pass.
  const text = callHost(PLAIN_DECIMAL, callHost(DOUBLE_TEXT, castTo(sql, { kind: "double" })));
  const value = `TRY_CAST(${text} AS ${duckdbType(to)})`;
  if (lenient) return { sql: `CASE WHEN isfinite(${sql}) THEN ${value} END`, throws: false };
  const error = castTo(raiseOutOfRange(to), to);
  return { sql: `CASE WHEN isfinite(${sql}) THEN coalesce(${value}, ${error}) END`, throws: true };
}

/** A DOUBLE beyond the floats is infinite. */
function nearestFloat(sql: string): string {
  const beyond = `abs(${sql}) >= CAST('3.4028235677973366E38' AS DOUBLE)`;
  const infinite = `CASE WHEN ${sql} > 0 THEN CAST('inf' AS FLOAT) ELSE CAST('-inf' AS FLOAT) END`;
  return `CASE WHEN ${beyond} AND NOT isnan(${sql}) THEN ${infinite} ELSE CAST(${sql} AS FLOAT) END`;
}

/** To one with more fields: the value stays. */
function castInterval(sql: string, from: IntervalType, to: DataType): LoweredCast | undefined {
  if (to.kind !== "interval") return undefined;
  const common = commonInterval(from, to);
  return common !== undefined && sameType(common, to) ? { sql, throws: false } : undefined;
}

function widens(from: DataType, to: DataType): boolean {
  const order = ["tinyint", "smallint", "int", "bigint"];
  return order.indexOf(from.kind) < order.indexOf(to.kind);
}

/** DuckDB writes `.50` where no digit stands before the point. */
function decimalText(sql: string, type: DecimalType): string {
  const wider = type.precision === type.scale && type.precision < 38;
  const value = castTo(wider ? castTo(sql, { ...type, precision: type.precision + 1 }) : sql, { kind: "string" });
  return type.scale === 38 ? `regexp_replace(${value}, '^(-?)\\.', '\\10.')` : value;
}

const MOMENT_SECONDS: DecimalType = { kind: "decimal", precision: 26, scale: 6 };

function fromDatetime(sql: string, from: DataType, to: DataType, lenient: boolean): LoweredCast | undefined {
  const isMoment = from.kind === "timestamp" || from.kind === "timestamp_ntz";
  if (from.kind !== "date" && !isMoment) return undefined;
  // A reading of the clock may come twice.
  if (to.kind === "timestamp" && from.kind === "timestamp_ntz")
    return { sql: `spark_moment_of(${sql})`, throws: false };
  if (to.kind === "date" || to.kind === "timestamp" || to.kind === "timestamp_ntz")
    return { sql: castTo(sql, to), throws: false };
  if (to.kind === "string") return { sql: from.kind === "date" ? castTo(sql, to) : timestampText(sql), throws: false };
  if (from.kind !== "timestamp" || !isNumeric(to)) return undefined;
  // Seconds since 1970: whole ones downwards, else with their fraction.
  const seconds = `spark_floor_div(epoch_us(${sql}), 1000000)`;
  if (to.kind === "bigint") return { sql: seconds, throws: false };
  if (isInteger(to)) return lowerCast(seconds, { kind: "bigint" }, to, lenient);
  if (isDecimal(to)) {
    const micros = `CAST(epoch_us(${sql}) AS DECIMAL(20,0)) * CAST('0.000001' AS DECIMAL(7,6))`;
    return lowerCast(castTo(micros, MOMENT_SECONDS), MOMENT_SECONDS, to, lenient);
  }
  const exact = `(CAST(epoch_us(${sql}) AS DOUBLE) / 1000000)`;
  return to.kind === "double" ? { sql: exact, throws: false } : lowerCast(exact, { kind: "double" }, to, lenient);
}

/** `2024-01-31 13:45:06.789`: micros without trailing zeros, no point where none are left. */
function timestampText(sql: string): string {
  return `regexp_replace(strftime(${sql}, '%Y-%m-%d %H:%M:%S.%f'), '\\.?0+$', '')`;
}

function fromString(sql: string, to: DataType, lenient: boolean): LoweredCast | undefined {
  const constant = isDecimal(to) ? decimalConstant(sql, to) : undefined;
  if (constant !== undefined) return { sql: castTo(constant, to), throws: false };
  const value = stringValue(sql, to);
  if (value === undefined) return undefined;
  // Spark reads more forms of moments and numbers than are read here: an error says so, a NULL would be wrong.
  if (lenient) return { sql: value, throws: isFloating(to) || isDatetime(to) };
  const check = isDecimal(to) ? "spark_decimal_result" : "spark_cast_result";
  return { sql: `${check}(${value}, ${sql}, ${quoteText(formatType(to).toUpperCase())})`, throws: true };
}

/**
 * The literal text of a decimal in a form that DuckDB casts; undefined for other texts. What DuckDB would read once for
 * all rows it reads for each of them within a lambda.
 */
function decimalConstant(sql: string, { precision, scale }: DecimalType): string | undefined {
  const [, text] = /^'([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)'$/.exec(sql) ?? [];
  const plain = text === undefined ? undefined : plainDecimal(text);
  const [, whole = "", fraction = ""] = /^[+-]?0*([0-9]*)\.?([0-9]*)$/.exec(plain ?? "") ?? [];
  return plain !== undefined && whole.length <= precision - scale && fraction.length <= scale
    ? quoteText(plain)
    : undefined;
}

/** NULL where the text is no number of the type. DuckDB parses wide decimals fifty times slower, and few values are. */
function parsedDecimal(text: string, to: DecimalType): string {
  const wide = `TRY_CAST(${text} AS ${duckdbType(to)})`;
  if (to.precision <= NARROW || to.scale >= NARROW) return wide;
  return `coalesce(${castTo(`TRY_CAST(${text} AS ${duckdbType({ ...to, precision: NARROW })})`, to)}, ${wide})`;
}

/** Digits of a decimal that DuckDB keeps in 64 bits. */
const NARROW = 18;

/** NULL where the string holds no value of the type. */
function stringValue(sql: string, to: DataType): string | undefined {
  const attempt = (text: string) => `TRY_CAST(${text} AS ${duckdbType(to)})`;
  if (isInteger(to)) return attempt(`spark_integer_text(${sql})`);
  if (isDecimal(to)) return parsedDecimal(`spark_decimal_text(${sql})`, to);
  if (isNumeric(to)) return attempt(`spark_double_text(${sql})`);
  switch (to.kind) {
    case "binary":
      return `encode(${sql})`;
    case "boolean":
      return `spark_boolean(${sql})`;
    case "date":
      return `spark_date(${sql})`;
    case "timestamp":
      return `spark_timestamp(spark_timestamp_text(${sql}))`;
    case "timestamp_ntz":
      // A zone has no part in a reading of the clock.
      return attempt(`regexp_replace(spark_timestamp_text(${sql}), '(:[0-9.]+)(Z|[+-][0-9:]+)$', '\\1')`);
    default:
      return undefined;
  }
}
