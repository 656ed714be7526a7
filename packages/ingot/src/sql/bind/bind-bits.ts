import { castTo } from "../lower/lower-text.js";
import type { BitOperator } from "../parse/ast.js";
import { coerce, describe, fail, type Place } from "./bind-place.js";
import { anyNullable, type Bound, derive, joinNames } from "./bound.js";
import { BIGINT, commonType, INT, isInteger } from "./type-rules.js";

/** Operators on the bits of whole numbers. Shifts take the distance within the width, as Java does. */
export function bindBits(place: Place, op: BitOperator, left: Bound, right: Bound, at: number): Bound {
  const a = wholeNumber(place, op, left, right);
  const b = wholeNumber(place, op, right, left);
  const isShift = op === "<<" || op === ">>" || op === ">>>";
  const type = isShift ? (a.type.kind === "bigint" ? BIGINT : INT) : (commonType(a.type, b.type) ?? BIGINT);
  const x = coerce(place, a, type);
  const y = coerce(place, b, isShift ? INT : type);
  return derive([x, y], {
    sql: isShift ? shiftText(op, x.sql, y.sql, type.kind === "bigint" ? 64 : 32) : bitText(op, x.sql, y.sql),
    type,
    nullable: anyNullable([x, y]),
    name: joinNames([left, right], ([l, r]) => `(${l} ${op} ${r})`),
    at,
    throws: x.throws || y.throws,
  });
}

export function bindBitNot(place: Place, operand: Bound, at: number): Bound {
  const a = wholeNumber(place, "~", operand, operand);
  return derive([a], {
    sql: `(~ ${a.sql})`,
    type: a.type,
    nullable: a.nullable,
    name: joinNames([operand], ([x]) => `~${x}`),
    at,
  });
}

function wholeNumber(place: Place, op: string, bound: Bound, other: Bound): Bound {
  if (isInteger(bound.type)) return bound;
  if (bound.type.kind === "void") return coerce(place, bound, isInteger(other.type) ? other.type : INT);
  if (bound.type.kind === "string" && isInteger(other.type)) return coerce(place, bound, BIGINT);
  throw fail(
    place,
    bound.at,
    "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE",
    `${op} takes whole numbers, this is ${describe(bound.type)}`,
    "Cast it to BIGINT.",
  );
}

function bitText(op: "&" | "|" | "^", a: string, b: string): string {
  return op === "^" ? `xor(${a}, ${b})` : `(${a} ${op} ${b})`;
}

/** DuckDB's own shifts refuse negative numbers and overflow: the bits are moved by whole-number arithmetic. */
function shiftText(op: "<<" | ">>" | ">>>", a: string, distance: string, width: 32 | 64): string {
  const type = width === 64 ? BIGINT : INT;
  const n = `(${distance} & ${width - 1})`;
  const range = `CAST('${2n ** BigInt(width)}' AS HUGEINT)`;
  const unsigned = `((CAST(${a} AS HUGEINT) + ${range}) % ${range})`;
  const power = `(CAST(1 AS HUGEINT) << CAST(${n} AS HUGEINT))`;
  // The floor of a division moves the sign along.
  if (op === ">>")
    return castTo(
      `(CAST(${a} AS HUGEINT) - ((CAST(${a} AS HUGEINT) % ${power}) + ${power}) % ${power}) // ${power}`,
      type,
    );
  const moved = op === "<<" ? `((${unsigned} % (${range} // ${power})) * ${power})` : `(${unsigned} // ${power})`;
  const half = `CAST('${2n ** BigInt(width - 1)}' AS HUGEINT)`;
  return castTo(`((${moved} + ${half}) % ${range} - ${half})`, type);
}
