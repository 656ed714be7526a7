import type { DataType } from "../../model/data-type.js";
import { bindBits } from "../bind/bind-bits.js";
import { bindArithmetic, negate } from "../bind/bind-operators.js";
import { coerce } from "../bind/bind-place.js";
import { anyNullable, type Bound, joinNames } from "../bind/bound.js";
import {
  asDecimal,
  BIGINT,
  BOOLEAN,
  commonTypeOf,
  DOUBLE,
  decimalResult,
  INT,
  isDecimal,
  isFloating,
  isInteger,
  isNumeric,
  STRING,
} from "../bind/type-rules.js";
import { tryLongDecimal } from "../lower/lower-long-decimal.js";
import { castTo, duckdbType, raise } from "../lower/lower-text.js";
import type { ArithmeticOperator, BitOperator } from "../parse/ast.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  type SparkFunction,
  scalar,
  simple,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { callHost } from "./host/host-function.js";
import { CONV, FORMAT_DOUBLE, FORMAT_NUMBER } from "./host/number.js";

const numeric = (use: Use, index = 0): Bound => argOf(use, index, DOUBLE, isNumeric);
const random = scalar(0, 0, () => ({ sql: "random()", type: DOUBLE, nullable: false, volatile: true, name: "rand()" }));
const bitGet = scalar(2, 2, bitAt);

export const NUMERICS: Functions = {
  abs: scalar(1, 1, (use) => {
    const value = numeric(use);
    const isLong = isDecimal(value.type) && value.type.precision > 34;
    const positive = isLong
      ? `CASE WHEN ${value.sql} < 0 THEN ${negate(value)} ELSE ${value.sql} END`
      : `abs(${value.sql})`;
    const sql = castTo(positive, value.type);
    return { sql, type: value.type, nullable: value.nullable, throws: isInteger(value.type) };
  }),
  positive: scalar(1, 1, (use) => {
    const { sql, type, nullable } = numeric(use);
    return { sql, type, nullable, name: joinNames(use.args, ([x]) => `(+ ${x})`) };
  }),
  negative: scalar(1, 1, (use) => {
    const value = numeric(use);
    const { type, nullable } = value;
    return { sql: negate(value), type, nullable, throws: isInteger(type) || isDecimal(type) };
  }),
  mod: arithmetic("%"),
  pmod: scalar(2, 2, positiveRemainder),
  div: scalar(2, 2, (use) => {
    const result = bindArithmetic(use.place, "DIV", arg(use, 0), arg(use, 1), use.call.at);
    return { sql: result.sql, type: result.type, nullable: result.nullable, throws: result.throws, name: result.name };
  }),
  try_add: attempt("+"),
  try_subtract: attempt("-"),
  try_multiply: attempt("*"),
  try_divide: attempt("/"),
  try_mod: attempt("%"),
  isnan: scalar(1, 1, (use) => {
    const value = argOf(use, 0, DOUBLE, (t) => t.kind === "float");
    return { sql: `coalesce(isnan(${value.sql}), false)`, type: BOOLEAN, nullable: false };
  }),
  nanvl: scalar(2, 2, (use) => {
    const type = arg(use, 0).type.kind === "float" && arg(use, 1).type.kind === "float" ? arg(use, 0).type : DOUBLE;
    const [a, b] = [argOf(use, 0, type), argOf(use, 1, type)];
    return { sql: `CASE WHEN isnan(${a.sql}) THEN ${b.sql} ELSE ${a.sql} END`, type, nullable: anyNullable([a, b]) };
  }),
  nullifzero: scalar(1, 1, (use) => {
    const { sql, type } = numeric(use);
    return { sql: `nullif(${sql}, ${castTo("0", type)})`, type, nullable: true };
  }),
  zeroifnull: scalar(1, 1, (use) => {
    const value = arg(use, 0).type.kind === "void" ? argOf(use, 0, INT) : numeric(use);
    const type = commonTypeOf([value.type, INT]) ?? value.type;
    return { sql: `coalesce(${coerce(use.place, value, type).sql}, ${castTo("0", type)})`, type, nullable: false };
  }),
  factorial: simple([INT], BIGINT, (n) => castTo(`CASE WHEN ${n} BETWEEN 0 AND 20 THEN factorial(${n}) END`, BIGINT), {
    nullable: true,
  }),
  width_bucket: simple(
    [DOUBLE, DOUBLE, DOUBLE, BIGINT],
    BIGINT,
    (x, low, high, count) => `spark_width_bucket(${x}, ${low}, ${high}, ${count})`,
    { nullable: true },
  ),
  conv: simple([STRING, INT, INT], STRING, (s, from, to) => callHost(CONV, s, from, to), {
    nullable: true,
    throws: true,
  }),
  bit_count: scalar(1, 1, bitCount),
  bit_get: bitGet,
  getbit: bitGet,
  shiftleft: shift("<<"),
  shiftright: shift(">>"),
  shiftrightunsigned: shift(">>>"),
  rand: random,
  random,
  uuid: scalar(0, 0, () => ({ sql: castTo("uuid()", STRING), type: STRING, nullable: false, volatile: true })),
  format_number: scalar(2, 2, formatNumber),
};

function arithmetic(op: ArithmeticOperator): SparkFunction {
  return scalar(2, 2, (use) => {
    const result = bindArithmetic(use.place, op, arg(use, 0), arg(use, 1), use.call.at);
    return { sql: result.sql, type: result.type, nullable: result.nullable, throws: result.throws };
  });
}

/** NULL instead of what the operator raises; what its operands raise stays. */
function attempt(op: Exclude<ArithmeticOperator, "DIV">): SparkFunction {
  return scalar(2, 2, (use) => {
    const byZero = op === "/" || op === "%";
    const divisor = byZero ? nullIfZero(arg(use, 1)) : arg(use, 1);
    const result = bindArithmetic(use.place, op, arg(use, 0), divisor, use.call.at);
    const { type } = result;
    const throws = use.args.some((a) => a.throws);
    // A quotient fails for nothing but its divisor, and what its operands raise stays.
    if (byZero || !result.throws) return { sql: result.sql, type, nullable: true, throws };
    if (isInteger(type)) {
      const [a, b] = use.args.map((side) => `CAST(${coerce(use.place, side, type).sql} AS HUGEINT)`);
      return { sql: `TRY_CAST(${a} ${op} ${b} AS ${duckdbType(type)})`, type, nullable: true, throws };
    }
    if (!isDecimal(type)) return { sql: result.sql, type, nullable: true, throws };
    const [a, b] = use.args.map((side) => coerce(use.place, side, asDecimal(side.type) ?? type).sql);
    return { sql: tryLongDecimal(op, a ?? "", b ?? "", type), type, nullable: true, throws };
  });
}

/** A divisor of zero makes NULL: it is NULL itself before the division sees it. */
function nullIfZero(divisor: Bound): Bound {
  if (!isNumeric(divisor.type)) return divisor;
  return { ...divisor, nonZero: true, sql: `nullif(${divisor.sql}, ${castTo("0", divisor.type)})`, nullable: true };
}

/** The remainder with the sign of the divisor: r, or (r + b) % b below zero. */
function positiveRemainder(use: Use): Lowered {
  const remainder = bindArithmetic(use.place, "%", arg(use, 0), arg(use, 1), use.call.at);
  const { type } = remainder;
  const divisor = coerce(use.place, arg(use, 1), commonTypeOf([type, arg(use, 1).type]) ?? type);
  const r = remainder.sql;
  const again = `(CAST(${r} AS ${wideType(type, divisor.type)}) + ${divisor.sql}) % ${divisor.sql}`;
  const sql = `CASE WHEN ${r} < 0 THEN ${castTo(again, type)} ELSE ${r} END`;
  return { sql, type, nullable: remainder.nullable, throws: true };
}

/** DuckDB's type that holds the sum of a remainder and its divisor. */
function wideType(type: DataType, divisor: DataType): string {
  if (isFloating(type)) return duckdbType(type);
  if (!isDecimal(type) || !isDecimal(divisor)) return "HUGEINT";
  return duckdbType(decimalResult("+", type, divisor).type);
}

/** Bits that are set, of 64 for a negative number; of a truth 1 or 0. */
function bitCount(use: Use): Lowered {
  const value = argOf(use, 0, BIGINT, (t) => isInteger(t) || t.kind === "boolean");
  const sql = value.type.kind === "boolean" ? castTo(value.sql, INT) : `bit_count(${castTo(value.sql, BIGINT)})`;
  return { sql: castTo(sql, INT), type: INT, nullable: value.nullable };
}

const WIDTHS: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, int: 32, bigint: 64 };

function bitAt(use: Use): Lowered {
  const value = argOf(use, 0, BIGINT, isInteger);
  const place = argOf(use, 1, INT);
  const width = WIDTHS[value.type.kind] ?? 64;
  const error = raise("INVALID_PARAMETER_VALUE", `The bit of ${use.call.name} lies between 0 and ${width - 1}.`);
  const whole = `CAST(${value.sql} AS HUGEINT)`;
  const unsigned = `CASE WHEN ${value.sql} < 0 THEN ${whole} + CAST('18446744073709551616' AS HUGEINT) ELSE ${whole} END`;
  const bit = `((${unsigned}) >> CAST(${place.sql} AS HUGEINT)) & 1`;
  const type = { kind: "tinyint" } as const;
  const sql = `CASE WHEN ${value.sql} IS NULL THEN NULL WHEN ${place.sql} NOT BETWEEN 0 AND ${width - 1} THEN CAST(${error} AS TINYINT) ELSE ${castTo(bit, type)} END`;
  return { sql, type, nullable: anyNullable(use.args), throws: true };
}

function shift(op: BitOperator): SparkFunction {
  return scalar(2, 2, (use) => {
    const value = argOf(use, 0, INT, isInteger);
    const result = bindBits(use.place, op, value, argOf(use, 1, INT), use.call.at);
    return { sql: result.sql, type: result.type, nullable: result.nullable, throws: result.throws };
  });
}

/** To a number of places, or by a pattern of `java.text.DecimalFormat` such as `#,##0.00`. */
function formatNumber(use: Use): Lowered {
  const value = arg(use, 0).type.kind === "void" ? argOf(use, 0, DOUBLE) : arg(use, 0);
  if (!isNumeric(value.type)) throw mismatch(use, value, "a number");
  const places = arg(use, 1).type.kind === "void" ? argOf(use, 1, INT) : arg(use, 1);
  if (places.type.kind !== "int" && places.type.kind !== "string") throw mismatch(use, places, "INT or STRING");
  const layout = places.type.kind === "string" ? patternLayout(use) : ["1", "3", places.sql, places.sql];
  const isDouble = value.type.kind === "double" || value.type.kind === "float";
  const text = castTo(value.sql, isDouble ? DOUBLE : STRING);
  const sql = callHost(isDouble ? FORMAT_DOUBLE : FORMAT_NUMBER, text, ...layout);
  return { sql, type: STRING, nullable: true };
}

function patternLayout(use: Use): string[] {
  const match = /^([#,]*0*[0,]*)(?:\.(0*)(#*))?$/.exec(textOf(use, 1) ?? "");
  const whole = match?.[1] ?? "";
  if (match === null || whole === "" || /,$|^,|0[,0]*#/.test(whole))
    throw unsupportedForm(use, "This pattern of format_number", "Write one such as '#,##0.00'.", arg(use, 1).at);
  const group = whole.includes(",") ? whole.length - whole.lastIndexOf(",") - 1 : 0;
  const [least, fewest] = [whole.replace(/[^0]/g, "").length, match[2]?.length ?? 0];
  return [least, group, fewest, fewest + (match[3]?.length ?? 0)].map(String);
}
