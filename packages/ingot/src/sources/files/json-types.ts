import { type DataType, type DecimalType, sameType } from "../../model/data-type.js";
import type { JsonField } from "./json-records.js";
import { widenType } from "./widen-type.js";

const STRING: DataType = { kind: "string" };
const MAX_BIGINT = 2n ** 63n - 1n;
const MAX_DIGITS = 38;

/**
 * The type that gives a value of JSON back exactly: BIGINT or DECIMAL for a number, BOOLEAN, and STRING for a string, an
 * object, an array, and a number that is written with an exponent or as -0. VOID for null, which says nothing.
 */
export function jsonType({ kind, text }: JsonField): DataType {
  if (kind === "boolean" || kind === "null") return { kind: kind === "null" ? "void" : kind };
  const number = kind === "number" ? /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) : null;
  if (number === null) return STRING;
  const [, sign = "", whole = "", fraction = ""] = number;
  if (sign === "-" && /^0*$/.test(whole + fraction)) return STRING;
  if (fraction === "" && BigInt(whole) <= MAX_BIGINT) return { kind: "bigint" };
  return decimal(whole.length, fraction.length) ?? STRING;
}

/** The type that holds the values of both: STRING where they are of different kinds. */
export function joinJsonTypes(a: DataType, b: DataType): DataType {
  if (sameType(a, b) || b.kind === "void") return a;
  if (a.kind === "void") return b;
  return widenType(asDecimal(a), asDecimal(b)) ?? STRING;
}

function asDecimal(type: DataType): DataType {
  return type.kind === "bigint" ? { kind: "decimal", precision: 19, scale: 0 } : type;
}

function decimal(whole: number, scale: number): DecimalType | undefined {
  return whole + scale > MAX_DIGITS ? undefined : { kind: "decimal", precision: whole + scale, scale };
}
