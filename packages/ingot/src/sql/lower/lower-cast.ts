import { type DataType, type DecimalType, formatType, type IntervalType, sameType } from "../../model/data-type.js";
import {
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
import { fromNested } from "./lower-nested-cast.js";
import { castTo, duckdbType, quoteText, raise } from "./lower-text.js";
import type { LoweredCast } from "./lowered-cast.js";

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
    if (isDecimal(to)) return checked;
    if (to.kind === "boolean") return { sql: `(${sql} <> 0)`, throws: false };
    // Seconds since 1970.
    if (to.kind === "timestamp") return { sql: secondsText(sql), throws: from.kind === "bigint" };
    return isFloating(to) || to.kind === "string" ? plain : undefined;
  }
  if (isDecimal(from)) {
    if (isDecimal(to)) return checked;
    if (to.kind === "boolean") return { sql: `(${sql} <> 0)`, throws: false };
    if (to.kind === "string") return { sql: decimalText(sql, from), throws: false };
    // DuckDB divides two doubles; beyond 15 digits only reading the digits is exact.
    if (isFloating(to))
      return from.precision <= 15 && to.kind === "double"
        ? plain
        : { sql: castTo(castTo(sql, { kind: "string" }), to), throws: false };
    if (isInteger(to)) return { sql: checked.sql.replace(sql, `trunc(${sql})`), throws: checked.throws };
    return undefined;
  }
  if (from.kind === "binary") return to.kind === "string" ? { sql: binaryText(sql), throws: true } : undefined;
  if (isFloating(from)) {
    if (to.kind === "string")
      return { sql: callHost(from.kind === "float" ? FLOAT_TEXT : DOUBLE_TEXT, sql), throws: false };
    if (to.kind === "boolean") return { sql: `(${sql} <> 0)`, throws: false };
    if (isInteger(to)) return { sql: checked.sql.replace(sql, `trunc(${sql})`), throws: checked.throws };
    if (isDecimal(to)) return floatingToDecimal(sql, from, to, lenient);
    return to.kind === "double" ? plain : { sql: nearestFloat(sql), throws: false };
  }
  return fromDatetime(sql, from, to, lenient);
}

function secondsText(sql: string): string {
  const error = castTo(raise("NOT_SUPPORTED", "A moment beyond the year 200000"), { kind: "bigint" });
  const seconds = castTo(sql, { kind: "bigint" });
  return `make_timestamptz(CASE WHEN abs(${seconds}) > 6000000000000 THEN ${error} ELSE ${seconds} END * 1000000)`;
}

/** By the digits that Java writes, half up; NULL for what is no number. */
function floatingToDecimal(sql: string, from: DataType, to: DecimalType, lenient: boolean): LoweredCast {
  const text = callHost(from.kind === "float" ? FLOAT_TEXT : DOUBLE_TEXT, sql);
  const value = `TRY_CAST(${text} AS ${duckdbType(to)})`;
  if (lenient) return { sql: value, throws: false };
  const error = castTo(
    raise("NUMERIC_VALUE_OUT_OF_RANGE", `A value cannot be represented as ${formatType(to).toUpperCase()}.`),
    to,
  );
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

/** A text keeps bytes that are no UTF-8 in Spark; DuckDB has no such texts. */
function binaryText(sql: string): string {
  const wrong = raise("NOT_SUPPORTED", "These bytes are no text in UTF-8");
  return `CASE WHEN ${sql} IS NULL THEN NULL ELSE coalesce(TRY(decode(${sql})), ${castTo(wrong, { kind: "string" })}) END`;
}

function widens(from: DataType, to: DataType): boolean {
  const order = ["tinyint", "smallint", "int", "bigint"];
  return order.indexOf(from.kind) < order.indexOf(to.kind);
}

/** DuckDB writes `.50` where no digit stands before the point. */
function decimalText(sql: string, type: DataType): string {
  const wider = isDecimal(type) && type.precision === type.scale && type.precision < 38;
  const value = wider ? castTo(sql, { ...type, precision: type.precision + 1 }) : sql;
  return castTo(value, { kind: "string" });
}

function fromDatetime(sql: string, from: DataType, to: DataType, lenient: boolean): LoweredCast | undefined {
  const isMoment = from.kind === "timestamp" || from.kind === "timestamp_ntz";
  if (from.kind !== "date" && !isMoment) return undefined;
  if (to.kind === "date" || to.kind === "timestamp" || to.kind === "timestamp_ntz")
    return { sql: castTo(sql, to), throws: false };
  if (to.kind === "string") return { sql: from.kind === "date" ? castTo(sql, to) : timestampText(sql), throws: false };
  if (from.kind !== "timestamp" || !isNumeric(to)) return undefined;
  // Seconds since 1970: whole ones downwards, else with their fraction.
  const seconds = `CAST(floor(epoch_us(${sql}) / 1000000) AS BIGINT)`;
  if (to.kind === "bigint") return { sql: seconds, throws: false };
  if (isInteger(to)) return lowerCast(seconds, { kind: "bigint" }, to, lenient);
  const exact = `(CAST(epoch_us(${sql}) AS DOUBLE) / 1000000)`;
  return to.kind === "double" ? { sql: exact, throws: false } : lowerCast(exact, { kind: "double" }, to, lenient);
}

/** `2024-01-31 13:45:06.789`: micros without trailing zeros, no point where none are left. */
function timestampText(sql: string): string {
  return `regexp_replace(strftime(${sql}, '%Y-%m-%d %H:%M:%S.%f'), '\\.?0+$', '')`;
}

function fromString(sql: string, to: DataType, lenient: boolean): LoweredCast | undefined {
  const value = stringValue(sql, to);
  if (value === undefined) return undefined;
  // Spark reads more forms of moments and numbers than are read here: an error says so, a NULL would be wrong.
  if (lenient) return { sql: value, throws: isFloating(to) || isDatetime(to) };
  const check = isDecimal(to) ? "spark_decimal_result" : "spark_cast_result";
  return { sql: `${check}(${value}, ${sql}, ${quoteText(formatType(to).toUpperCase())})`, throws: true };
}

/** NULL where the string holds no value of the type. */
function stringValue(sql: string, to: DataType): string | undefined {
  const attempt = (text: string) => `TRY_CAST(${text} AS ${duckdbType(to)})`;
  if (isInteger(to)) return attempt(`spark_integer_text(${sql})`);
  if (isDecimal(to)) return attempt(`spark_decimal_text(${sql})`);
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
