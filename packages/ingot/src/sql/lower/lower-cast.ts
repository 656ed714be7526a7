import { type DataType, formatType, sameType } from "../../model/data-type.js";
import { isDecimal, isFloating, isInteger, isNumeric } from "../bind/type-rules.js";
import { castTo, duckdbType, quoteText } from "./lower-text.js";

export interface LoweredCast {
  readonly sql: string;
  /** Whether a value can make it fail: a TRY_CAST only where it meets a text that Spark reads and Ingot does not. */
  readonly throws: boolean;
}

/**
 * DuckDB's text for Spark's cast from one type to another, or undefined where no exact one is known. ANSI mode: a value
 * that does not fit is an error, or NULL when `lenient` (TRY_CAST).
 */
export function lowerCast(sql: string, from: DataType, to: DataType, lenient: boolean): LoweredCast | undefined {
  if (sameType(from, to)) return { sql, throws: false };
  if (from.kind === "void") return { sql: castTo("NULL", to), throws: false };
  const plain = { sql: castTo(sql, to), throws: false };
  const checked = { sql: lenient ? `TRY_CAST(${sql} AS ${duckdbType(to)})` : plain.sql, throws: !lenient };
  if (from.kind === "string") return fromString(sql, to, lenient);
  if (from.kind === "boolean") return to.kind === "string" || isInteger(to) ? plain : undefined;
  if (isInteger(from)) {
    if (isInteger(to)) return widens(from, to) ? plain : checked;
    if (isDecimal(to)) return checked;
    if (to.kind === "boolean") return { sql: `(${sql} <> 0)`, throws: false };
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
  if (isFloating(from)) {
    if (isInteger(to)) return { sql: checked.sql.replace(sql, `trunc(${sql})`), throws: checked.throws };
    return from.kind === "float" && to.kind === "double" ? plain : undefined;
  }
  return fromDatetime(sql, from, to, plain);
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

function fromDatetime(sql: string, from: DataType, to: DataType, plain: LoweredCast): LoweredCast | undefined {
  const isMoment = from.kind === "timestamp" || from.kind === "timestamp_ntz";
  if (from.kind !== "date" && !isMoment) return undefined;
  if (to.kind === "date" || to.kind === "timestamp" || to.kind === "timestamp_ntz") return plain;
  if (to.kind === "string") return from.kind === "date" ? plain : { sql: timestampText(sql), throws: false };
  if (to.kind === "bigint" && from.kind === "timestamp")
    return { sql: `CAST(floor(epoch_us(${sql}) / 1000000) AS BIGINT)`, throws: false };
  return undefined;
}

/** `2024-01-31 13:45:06.789`: micros without trailing zeros, no point where none are left. */
function timestampText(sql: string): string {
  return `regexp_replace(strftime(${sql}, '%Y-%m-%d %H:%M:%S.%f'), '\\.?0+$', '')`;
}

function fromString(sql: string, to: DataType, lenient: boolean): LoweredCast | undefined {
  const value = stringValue(sql, to);
  // Spark reads more forms of moments than are read here: an error says so, a NULL would be wrong.
  if (value === undefined || (lenient && to.kind === "timestamp")) return undefined;
  if (lenient) return { sql: value, throws: isFloating(to) || to.kind === "date" };
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
    case "boolean":
      return `spark_boolean(${sql})`;
    case "date":
      return `spark_date(${sql})`;
    case "timestamp":
      return attempt(`spark_timestamp_text(${sql})`);
    default:
      return undefined;
  }
}
