import type { DataType } from "../../model/data-type.js";
import { castTo, quoteText } from "../lower/lower-text.js";
import type { Literal } from "../parse/ast.js";
import type { Bound } from "./bound.js";
import { atomic, BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, TIMESTAMP } from "./type-rules.js";

interface Value {
  readonly sql: string;
  readonly type: DataType;
  readonly name: string | undefined;
}

/** A literal with Spark's type, or undefined when it is no value of its type. */
export function bindLiteral(literal: Literal): Bound | undefined {
  const value = readValue(literal);
  if (value === undefined) return undefined;
  const nullable = literal.type === "null";
  const rest = { throws: false, volatile: false, loose: [], aggregate: false, window: false };
  return { ...value, nullable, at: literal.at, ...rest, literal };
}

function readValue({ type, value }: Literal): Value | undefined {
  switch (type) {
    case "null":
      return { sql: "NULL", type: atomic("void"), name: "NULL" };
    case "boolean":
      return { sql: value, type: BOOLEAN, name: value };
    case "string":
      return { sql: quoteText(value), type: STRING, name: value };
    case "number":
      return numberOf(value);
    case "binary":
      if (!/^([0-9a-f]{2})*$/i.test(value)) return undefined;
      return { sql: `from_hex('${value}')`, type: atomic("binary"), name: `X'${value.toUpperCase()}'` };
    case "date":
      if (!isDate(value)) return undefined;
      return { sql: castTo(quoteText(value), DATE), type: DATE, name: `DATE '${value}'` };
    default: {
      // Other forms of Spark (a time zone, a missing part) have no exact reading here yet.
      if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?$/.test(value) || !isDate(value.slice(0, 10))) return undefined;
      const name = value.includes(".") ? undefined : `${type.toUpperCase()} '${value}'`;
      const kind = type === "timestamp" ? TIMESTAMP : atomic("timestamp_ntz");
      return { sql: castTo(quoteText(value), kind), type: kind, name };
    }
  }
}

function isDate(value: string): boolean {
  const [, year = "", month = "", day = ""] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return year !== "" && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

const LIMITS: Readonly<Record<string, readonly [DataType, bigint]>> = {
  Y: [atomic("tinyint"), 127n],
  S: [atomic("smallint"), 32767n],
  L: [BIGINT, 9223372036854775807n],
};
const INT_MAX = 2147483647n;
const BIGINT_MAX = 9223372036854775807n;

/** `AstBuilder.visit…Literal`: whole numbers are INT, BIGINT or decimal by their size, those with a point decimal. */
function numberOf(text: string): Value | undefined {
  const [, digits = "", exponent = "", suffix = ""] = /^(-?[\d.]+)(E[+-]?\d+)?(BD|[YSLDF]?)$/.exec(text) ?? [];
  if (digits === "") return undefined;
  if (suffix === "D" || suffix === "F" || (exponent !== "" && suffix === "")) {
    const type = suffix === "F" ? atomic("float") : DOUBLE;
    return { sql: castTo(quoteText(digits + exponent), type), type, name: doubleName(digits + exponent) };
  }
  if (exponent !== "") return undefined;
  if (suffix === "BD" || digits.includes(".")) return decimalOf(digits);
  const value = BigInt(digits);
  const fits = (max: bigint) => value <= max && value >= -max - 1n;
  const whole = (type: DataType): Value => ({ sql: castTo(String(value), type), type, name: String(value) });
  const limit = LIMITS[suffix];
  if (limit !== undefined) return fits(limit[1]) ? whole(limit[0]) : undefined;
  if (fits(INT_MAX)) return whole(INT);
  return fits(BIGINT_MAX) ? whole(BIGINT) : decimalOf(digits);
}

function decimalOf(text: string): Value | undefined {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const scale = fraction.length;
  const precision = Math.max((whole + fraction).replace(/^0+/, "").length, scale, 1);
  if (precision > 38) return undefined;
  const value = `${text.startsWith("-") ? "-" : ""}${whole.replace(/^0+(?=.)/, "") || "0"}${fraction === "" ? "" : `.${fraction}`}`;
  const type: DataType = { kind: "decimal", precision, scale };
  return { sql: castTo(quoteText(value), type), type, name: value };
}

/** Java's text of a double, where it is plain. */
function doubleName(text: string): string | undefined {
  const value = Number(text);
  if (!Number.isInteger(value) || Math.abs(value) >= 1e7) return undefined;
  return `${Object.is(value, -0) ? "-0" : value}.0`;
}

/** Digits of a whole-number literal, which Spark counts instead of its type's when it meets a decimal. */
export function literalDigits(bound: Bound): number | undefined {
  if (bound.literal?.type !== "number") return undefined;
  return bound.literal.value.replace(/^-?0*/, "").replace(/[LSY]$/, "").length || 1;
}
