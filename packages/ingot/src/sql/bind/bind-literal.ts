import { type DataType, sameType } from "../../model/data-type.js";
import { javaText } from "../functions/host/java-double.js";
import { castTo, quoteText } from "../lower/lower-text.js";
import type { Literal } from "../parse/ast.js";
import { type Bound, derive } from "./bound.js";
import { atomic, BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, TIMESTAMP } from "./type-rules.js";

/** A string that stands for a constant without being written as one. */
export function bindText(value: string, at: number): Bound {
  return derive([], { sql: quoteText(value), type: STRING, nullable: false, name: value, at });
}

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
  return { ...derive([], { ...value, nullable, at: literal.at }), literal, constant: true };
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
    case "binary": {
      if (!/^[0-9a-f]*$/i.test(value)) return undefined;
      const digits = value.length % 2 === 1 ? `0${value}` : value;
      return { sql: `from_hex('${digits}')`, type: atomic("binary"), name: `X'${digits.toUpperCase()}'` };
    }
    case "date": {
      const day = dayOf(value);
      return day === undefined ? undefined : { sql: castTo(quoteText(day), DATE), type: DATE, name: `DATE '${day}'` };
    }
    default: {
      const moment = momentOf(value);
      if (moment === undefined) return undefined;
      const kind = type === "timestamp" ? TIMESTAMP : atomic("timestamp_ntz");
      const { text, zone } = moment;
      // A zone has no part in a reading of the clock; in the name of a moment Spark shows the session's.
      const isZoned = zone !== "" && type === "timestamp";
      const name = isZoned ? undefined : `${type.toUpperCase()} '${text}'`;
      const reading = castTo(quoteText(isZoned ? text + zone : text), isZoned ? kind : atomic("timestamp_ntz"));
      const isLocal = type === "timestamp" && !isZoned;
      return { sql: isLocal ? `spark_moment_of(${reading})` : reading, type: kind, name };
    }
  }
}

const PLAIN_MOMENT = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/;

/** Strings that are literals of a type, too. */
const PLAIN: Partial<Record<DataType["kind"], readonly [Literal["type"], RegExp]>> = {
  int: ["number", /^-?\d{1,9}$/],
  bigint: ["number", /^-?\d{1,18}$/],
  date: ["date", /^\d{4}-\d\d-\d\d$/],
  timestamp: ["timestamp", PLAIN_MOMENT],
  timestamp_ntz: ["timestamp_ntz", PLAIN_MOMENT],
};

/**
 * DuckDB's text of the cast of a string literal so plain that the cast cannot fail: DuckDB computes it once, before the
 * query runs. Undefined for all else.
 */
export function castPlainText({ literal, type }: Bound, to: DataType): string | undefined {
  const [kind, pattern] = PLAIN[to.kind] ?? [];
  if (kind === undefined || type.kind !== "string" || literal?.type !== "string") return undefined;
  const value = pattern?.test(literal.value) === true ? readValue({ ...literal, type: kind }) : undefined;
  return value && (sameType(value.type, to) ? value.sql : castTo(value.sql, to));
}

/** `2024-1-5`, `2024-1`, `2024` as `2024-01-05`, `2024-01-01`, `2024-01-01`. */
function dayOf(value: string): string | undefined {
  const [, year = "", month = "1", day = "1"] = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(value.trim()) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (year === "" || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

const TIME = /^(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?)?$/;
const MOMENT = /^(\d{4}(?:-\d{1,2}(?:-\d{1,2})?)?)(?:[ T]([\d:.]+)\s*(Z|UTC|[+-]\d\d:\d\d)?)?$/;

/** A moment as `2024-01-31 10:20:30.5`, and its zone in DuckDB's writing. Zones by name are not read. */
function momentOf(value: string): { readonly text: string; readonly zone: string } | undefined {
  const found = MOMENT.exec(value.trim());
  const day = dayOf(found?.[1] ?? "");
  if (found === null || day === undefined) return undefined;
  const [, hour, minute = "0", second = "0", fraction = ""] = TIME.exec(found[2] ?? "0") ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const micros = fraction.slice(0, 6).replace(/0+$/, "");
  const clock = [hour, minute, second].map((part) => part.padStart(2, "0")).join(":");
  const zone = found[3] === undefined || /^[+-]/.test(found[3]) ? (found[3] ?? "") : "Z";
  return { text: `${day} ${clock}${micros === "" ? "" : `.${micros}`}`, zone };
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
    if (!Number.isFinite(suffix === "F" ? Math.fround(Number(digits + exponent)) : Number(digits + exponent)))
      return undefined;
    const value = suffix === "F" ? Math.fround(Number(digits + exponent)) : Number(digits + exponent);
    return { sql: castTo(quoteText(digits + exponent), type), type, name: javaText(value, suffix === "F" ? 24 : 53) };
  }
  if (exponent !== "") return decimalOf(shifted(digits, Number(exponent.slice(1))));
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
  return { sql: castTo(quoteText(value), type), type, name: decimalName(value, scale) };
}

/** `BigDecimal.toString`: small numbers with an exponent. */
function decimalName(value: string, scale: number): string {
  const sign = value.startsWith("-") ? "-" : "";
  const digits = value.replace(/[-.]/g, "").replace(/^0+(?=.)/, "");
  const exponent = digits.length - 1 - scale;
  if (scale === 0 || exponent >= -6) return value;
  return `${sign}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ""}E${exponent}`;
}

/** `1.5` by 3 places is `1500`. */
function shifted(digits: string, places: number): string {
  const sign = digits.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = digits.replace("-", "").split(".");
  const point = whole.length + places;
  const all = (whole + fraction).padEnd(point, "0").padStart(fraction.length - places, "0");
  const start = all.length - (whole + fraction).length;
  const at = places >= 0 ? point : Math.max(0, point) + (point < 0 ? 0 : start);
  return `${sign}${all.slice(0, at) || "0"}${at < all.length ? `.${all.slice(at)}` : ""}`;
}

/** Digits of a whole-number literal, which Spark counts instead of its type's when it meets a decimal. */
export function literalDigits(bound: Bound): number | undefined {
  if (bound.literal?.type !== "number") return undefined;
  return bound.literal.value.replace(/^-?0*/, "").replace(/[LSY]$/, "").length || 1;
}
