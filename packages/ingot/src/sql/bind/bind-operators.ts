import { type DataType, sameType } from "../../model/data-type.js";
import { divideWhole, lowerArithmetic } from "../lower/lower-arithmetic.js";
import { longDecimal, negateDecimal } from "../lower/lower-long-decimal.js";
import { type Operand, once } from "../lower/lower-once.js";
import { orderKey } from "../lower/lower-order.js";
import { castTo } from "../lower/lower-text.js";
import { narrowProduct } from "../lower/narrow-product.js";
import type {
  ArithmeticOperator,
  Binary,
  BinaryOperator,
  BitOperator,
  ComparisonOperator,
  Unary,
} from "../parse/ast.js";
import { bindBitNot, bindBits } from "./bind-bits.js";
import { bindIntervalArithmetic } from "./bind-interval.js";
import { literalDigits } from "./bind-literal.js";
import { coerce, describe, expectBoolean, fail, noCommonType, type Place, unsupported } from "./bind-place.js";
import { bindNotIn } from "./bind-subquery.js";
import { anyNullable, type Bound, derive, joinNames, mayBeConstantNull } from "./bound.js";
import {
  asDecimal,
  atomic,
  BIGINT,
  BOOLEAN,
  commonType,
  DATE,
  DOUBLE,
  decimalResult,
  isAtomic,
  isComparable,
  isDecimal,
  isFloating,
  isInteger,
  isNumeric,
  STRING,
} from "./type-rules.js";

export function bindBinary(place: Place, { op, left, right, at }: Binary): Bound {
  const bind = (side: typeof left, filter: Place["filter"]) => place.binder.bind({ ...place, filter }, side);
  if (op === "AND" || op === "OR") {
    const filter = place.filter !== false && op === "OR" ? "part" : place.filter;
    return bindLogic(place, op, bind(left, filter), bind(right, filter), at);
  }
  const a = bind(left, false);
  const b = bind(right, false);
  if (op === "||") return bindConcat(place, "||", [a, b], at);
  if (isComparison(op)) return bindComparison(place, op, a, b, at);
  return isBits(op) ? bindBits(place, op, a, b, at) : bindArithmetic(place, op, a, b, at);
}

function isComparison(op: BinaryOperator): op is ComparisonOperator {
  return ["=", "<>", "<", "<=", ">", ">=", "<=>"].includes(op);
}

function isBits(op: BinaryOperator): op is BitOperator {
  return ["&", "|", "^", "<<", ">>", ">>>"].includes(op);
}

const infix = (a: Bound, op: string, b: Bound) => joinNames([a, b], ([x, y]) => `(${x} ${op} ${y})`);

/** Spark stops at a left side that decides. */
export function bindLogic(place: Place, op: "AND" | "OR", left: Bound, right: Bound, at: number): Bound {
  const a = expectBoolean(place, left);
  const b = expectBoolean(place, right);
  const isGuarded = b.throws && !(op === "AND" && place.filter === "condition");
  return derive([a, b], {
    sql: isGuarded ? guardRight(place, op, a, b) : `(${a.sql} ${op} ${b.sql})`,
    type: BOOLEAN,
    nullable: anyNullable([a, b]),
    name: infix(a, op, b),
    at,
  });
}

/** Computes the right side only where the left one does not decide. */
function guardRight(place: Place, op: "AND" | "OR", a: Bound, b: Bound): string {
  if (place.filter !== false || !a.nullable)
    return op === "AND"
      ? `CASE WHEN ${a.sql} THEN ${b.sql} ELSE false END`
      : `CASE WHEN ${a.sql} THEN true ELSE ${b.sql} END`;
  const guarded = ({ sql }: Operand) =>
    op === "AND"
      ? `CASE WHEN NOT ${sql} THEN false ELSE (${sql} AND ${b.sql}) END`
      : `CASE WHEN ${sql} THEN true ELSE (${sql} OR ${b.sql}) END`;
  return fitsLambda(b) ? once([a], guarded) : guarded(a);
}

/** A lambda of DuckDB holds no aggregate, no window function and no subquery. */
export function fitsLambda({ aggregate, window, sql }: Bound): boolean {
  return !aggregate && !window && !/\bSELECT\b/.test(sql);
}

export function bindNot(place: Place, operand: Bound, at: number): Bound {
  const a = expectBoolean(place, operand);
  const name = joinNames([a], ([x]) => `(NOT ${x})`);
  return derive([a], { sql: `(NOT ${a.sql})`, type: BOOLEAN, nullable: a.nullable, name, at });
}

export function bindUnary(place: Place, { op, operand, at }: Unary): Bound {
  if (op === "NOT" && operand.kind === "unary" && operand.op === "NOT") {
    // Spark takes both away before it decides what becomes of the NULL of an IN.
    const bound = expectBoolean(place, place.binder.bind(place, operand.operand));
    return { ...bound, at, name: joinNames([bound], ([x]) => `(NOT (NOT ${x}))`) };
  }
  const value = place.binder.bind({ ...place, filter: false }, operand);
  const isText = value.type.kind === "string" || value.type.kind === "void";
  const a = isText && (op === "-" || op === "+") ? coerce(place, value, DOUBLE) : value;
  if (op === "NOT") return operand.kind === "in-query" ? bindNotIn(place, operand, at) : bindNot(place, a, at);
  if (op === "~") return bindBitNot(place, a, at);
  if (!isNumeric(a.type) && a.type.kind !== "interval")
    throw fail(
      place,
      at,
      "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
      `${op} takes a number, this is ${describe(a.type)}`,
      "Cast it to a number.",
    );
  const name = joinNames([a], ([x]) => `(${op} ${x})`);
  return derive([a], {
    sql: op === "-" ? negate(a) : a.sql,
    type: a.type,
    nullable: a.nullable,
    name,
    at,
    throws: op === "-" && isInteger(a.type),
  });
}

export function negate(value: Bound): string {
  return isDecimal(value.type) ? negateDecimal(value, value.type) : `(- ${value.sql})`;
}

/** `a = b` and its like; the sides take their common type. */
export function bindComparison(place: Place, op: ComparisonOperator, left: Bound, right: Bound, at: number): Bound {
  const type = commonType(left.type, right.type);
  // Arrays and structs are compared where they are of one type already.
  const isNested = type !== undefined && !isAtomic(type);
  if (type === undefined || (isNested && !isOneType(left.type, right.type)))
    throw noCommonType(place, at, op, [left.type, right.type]);
  if (isNested && !isComparable(type))
    throw unsupported(place, at, `Comparing ${describe(type)}`, "Maps have no order.");
  const [a, b] = [coerce(place, left, type), coerce(place, right, type)].map((side) =>
    isNested ? { ...side, sql: orderKey(side.sql, type) } : side,
  ) as [Bound, Bound];
  const symbol = op === "<=>" ? "IS NOT DISTINCT FROM" : op;
  return derive([a, b], {
    sql: type.kind === "void" ? voidComparison(op) : `(${a.sql} ${symbol} ${b.sql})`,
    type: BOOLEAN,
    nullable: op !== "<=>" && anyNullable([a, b]),
    name: op === "<>" ? joinNames([a, b], ([x, y]) => `(NOT (${x} = ${y}))`) : comparisonName(op, left, right),
    at,
  });
}

/** Beside a whole number Spark makes a decimal constant the next whole number (`DecimalPrecision`), which shows in the name. */
function comparisonName(op: ComparisonOperator, left: Bound, right: Bound): string | undefined {
  const shown = (side: Bound, other: Bound, upwards: boolean): Bound => {
    if (side.literal?.type !== "number" || !isDecimal(side.type) || !isInteger(other.type)) return side;
    const down = op === "=" || op === "<=>" ? undefined : floorText(side.literal.value, upwards);
    return down === undefined ? side : { ...side, name: down };
  };
  return infix(shown(left, right, op === ">" || op === "<="), op, shown(right, left, op === "<" || op === ">="));
}

/** The next whole number below or above a decimal's text. */
function floorText(text: string, upwards: boolean): string | undefined {
  const [, sign, whole = "", fraction = ""] = /^(-?)([0-9]*)\.?([0-9]*)$/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const away = /[1-9]/.test(fraction) && (sign === "-") !== upwards ? 1n : 0n;
  const value = BigInt(whole || "0") + away;
  return `${value > 0n ? sign : ""}${value}`;
}

function isOneType(a: DataType, b: DataType): boolean {
  return a.kind === "void" || b.kind === "void" || sameType(a, b);
}

function voidComparison(op: ComparisonOperator): string {
  return op === "<=>" ? "true" : castTo("NULL", BOOLEAN);
}

/** `||` and `concat`: NULL where one part is; parts that are no strings are read as strings. */
export function bindConcat(place: Place, op: string, parts: readonly Bound[], at: number): Bound {
  for (const part of parts)
    if (!isAtomic(part.type)) throw unsupported(place, part.at, `${op} of ${describe(part.type)}`, "Join strings.");
  const type = parts.length > 0 && parts.every((part) => part.type.kind === "binary") ? atomic("binary") : STRING;
  const texts = parts.map((part) => coerce(place, part, type));
  const joined = `(${texts.map((text) => text.sql).join(" || ")})`;
  return derive(texts, {
    sql: texts.some(mayBeConstantNull) ? castTo(joined, type) : joined,
    type,
    nullable: anyNullable(texts),
    name: joinNames(texts, (names) => `concat(${names.join(", ")})`),
    at,
  });
}

export function bindArithmetic(place: Place, op: ArithmeticOperator, left: Bound, right: Bound, at: number): Bound {
  const shifted = bindIntervalArithmetic(place, op, left, right, at);
  if (shifted !== undefined) return shifted;
  const days = bindDays(place, op, left, right, at);
  if (days !== undefined) return days;
  const [a, b] = numericSides(place, op, left, right, at);
  const own = (sql: string, type: DataType, throws: boolean, nullable = anyNullable([a, b])) =>
    derive([a, b], { sql, type, nullable, name: infix(left, op.toLowerCase(), right), at, throws });
  if (op === "DIV") {
    if (isFloating(a.type) || isFloating(b.type))
      throw fail(
        place,
        at,
        "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE",
        "DIV takes whole numbers and decimals",
        "Divide with / and cast the result to BIGINT.",
      );
    const [u, v] = [asDecimal(a.type), asDecimal(b.type)];
    if ((isDecimal(a.type) || isDecimal(b.type)) && u !== undefined && v !== undefined)
      return own(divideWhole(coerce(place, a, u), coerce(place, b, v), u, v), BIGINT, true);
    const x = coerce(place, a, BIGINT);
    const y = coerce(place, b, BIGINT);
    return own(lowerArithmetic(op, x, y), BIGINT, true);
  }
  if (isFloating(a.type) || isFloating(b.type) || (op === "/" && isInteger(a.type) && isInteger(b.type))) {
    const type = a.type.kind === "float" && b.type.kind === "float" && op !== "/" ? a.type : DOUBLE;
    return own(lowerArithmetic(op, coerce(place, a, type), coerce(place, b, type)), type, op === "/");
  }
  if (isInteger(a.type) && isInteger(b.type)) {
    const type = commonType(a.type, b.type) ?? BIGINT;
    const throws = op === "%" || !isSmallLiteral(a) || !isSmallLiteral(b);
    return own(lowerArithmetic(op, coerce(place, a, type), coerce(place, b, type)), type, throws);
  }
  return bindDecimals(place, op, a, b, own, at);
}

/** Sums, differences and products of two of these are INTs. */
function isSmallLiteral({ literal, type }: Bound): boolean {
  return literal?.type === "number" && type.kind === "int" && literal.value.length <= 4;
}

function bindDecimals(
  place: Place,
  op: Exclude<ArithmeticOperator, "DIV">,
  left: Bound,
  right: Bound,
  own: (sql: string, type: DataType, throws: boolean) => Bound,
  at: number,
): Bound {
  const a = toDecimal(place, left);
  const b = toDecimal(place, right);
  if (!isDecimal(a.type) || !isDecimal(b.type)) throw noCommonType(place, at, op, [left.type, right.type]);
  const { type, exactScale } = decimalResult(op, a.type, b.type);
  // Digits that the result has no place for are rounded off, which takes more than DuckDB's 38.
  if (op !== "/" && op !== "%" && type.scale !== exactScale) return own(longDecimal(op, a, b, type), type, true);
  // A sum, difference or product of fewer digits than 38 always has a place for its value.
  const throws = op === "/" || op === "%" || type.precision === MAX_DIGITS;
  const bound = own(lowerArithmetic(op, a, b, type), type, throws);
  const narrow = op === "*" ? narrowProduct(a, b) : undefined;
  return narrow === undefined ? bound : { ...bound, narrow: { of: bound.sql, sql: narrow } };
}

const MAX_DIGITS = 38;

/** A whole number as a decimal: a literal with its own digits, a column with its type's. */
function toDecimal(place: Place, bound: Bound): Bound {
  const digits = isInteger(bound.type) ? literalDigits(bound) : undefined;
  const type =
    digits === undefined ? asDecimal(bound.type) : ({ kind: "decimal", precision: digits, scale: 0 } as const);
  return type === undefined || sameType(type, bound.type) ? bound : coerce(place, bound, type);
}

/** A string beside a number is read as one: BIGINT beside a whole number, DOUBLE otherwise. */
function numericSides(place: Place, op: string, left: Bound, right: Bound, at: number): readonly [Bound, Bound] {
  const numeric = (side: Bound, other: Bound): Bound => {
    if (isNumeric(side.type)) return side;
    if (side.type.kind === "void") return coerce(place, side, isNumeric(other.type) ? other.type : DOUBLE);
    if (side.type.kind === "string" && op !== "/") return coerce(place, side, isInteger(other.type) ? BIGINT : DOUBLE);
    if (side.type.kind === "string") return coerce(place, side, DOUBLE);
    throw noCommonType(place, at, op, [left.type, right.type]);
  };
  const kinds = [left.type.kind, right.type.kind];
  if (kinds.includes("string") && kinds.includes("void"))
    throw unsupported(place, at, `${op} of STRING and NULL`, "Cast the string to a number.");
  if (kinds.every((kind) => kind === "string"))
    throw fail(
      place,
      at,
      "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE",
      `${op} takes numbers, both sides are STRING`,
      "Cast them to a number.",
    );
  return [numeric(left, right), numeric(right, left)];
}

/** `date + days`, `date - days`. */
function bindDays(place: Place, op: ArithmeticOperator, left: Bound, right: Bound, at: number): Bound | undefined {
  if (left.type.kind !== "date" && right.type.kind !== "date") return undefined;
  if (op === "+" && right.type.kind === "date" && left.type.kind !== "date")
    return bindDays(place, op, right, left, at);
  const days = right.type.kind;
  if ((op !== "+" && op !== "-") || left.type.kind !== "date" || !["int", "smallint", "tinyint"].includes(days))
    throw unsupported(
      place,
      at,
      `${describe(left.type)} ${op} ${describe(right.type)}`,
      "Use date_add, date_sub or datediff.",
    );
  const b = coerce(place, right, atomic("int"));
  const name = op === "+" ? "date_add" : "date_sub";
  return derive([left, b], {
    sql: `(${left.sql} ${op} ${b.sql})`,
    type: DATE,
    nullable: anyNullable([left, b]),
    name: joinNames([left, right], ([x, y]) => `${name}(${x}, ${y})`),
    at,
    throws: true,
  });
}
