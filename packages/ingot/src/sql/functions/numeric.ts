import type { DataType } from "../../model/data-type.js";
import { bindArithmetic } from "../bind/bind-operators.js";
import { describe } from "../bind/bind-place.js";
import { anyNullable, type Bound, callName } from "../bind/bound.js";
import { BIGINT, DOUBLE, isDecimal, isInteger, isNumeric } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import {
  arg,
  constantOf,
  type Functions,
  type Lowered,
  mismatch,
  nameWithDefault,
  scalar,
  type Use,
  unsupportedForm,
} from "./function.js";

export const NUMERICS: Functions = {
  abs: scalar(1, 1, (use) => {
    const value = arg(use, 0);
    if (!isNumeric(value.type)) throw mismatch(use, value, "a number");
    return {
      sql: castTo(`abs(${value.sql})`, value.type),
      type: value.type,
      nullable: value.nullable,
      throws: isInteger(value.type),
    };
  }),
  mod: scalar(2, 2, (use) => {
    const result = bindArithmetic(use.place, "%", arg(use, 0), arg(use, 1), use.call.at);
    return { sql: result.sql, type: result.type, nullable: result.nullable, throws: true };
  }),
  try_divide: scalar(2, 2, (use) => {
    const quotient = bindArithmetic(use.place, "/", arg(use, 0), nullIfZero(arg(use, 1)), use.call.at);
    return { sql: quotient.sql, type: quotient.type, nullable: true, throws: isDecimal(quotient.type) };
  }),
  round: scalar(1, 2, round),
  ceil: scalar(1, 1, (use) => whole(use, "ceil")),
  ceiling: scalar(1, 1, (use) => whole(use, "ceil")),
  floor: scalar(1, 1, (use) => whole(use, "floor")),
  isnan: scalar(1, 1, (use) => {
    const value = arg(use, 0);
    if (value.type.kind !== "double" && value.type.kind !== "float") throw mismatch(use, value, "DOUBLE");
    return { sql: `coalesce(isnan(${value.sql}), false)`, type: { kind: "boolean" }, nullable: false };
  }),
};

/** A divisor of zero makes NULL: it is NULL itself before the division sees it. */
function nullIfZero(divisor: Bound): Bound {
  if (!isNumeric(divisor.type)) return divisor;
  return { ...divisor, sql: `nullif(${divisor.sql}, ${castTo("0", divisor.type)})`, nullable: true };
}

/** Half up, as many digits as Spark's result has. A double has no exact half. */
function round(use: Use): Lowered {
  const value = arg(use, 0);
  const digits = use.args.length > 1 ? constantOf(use, 1) : 0;
  if (digits === undefined || digits < 0)
    throw unsupportedForm(use, "round to a computed or negative place", "Write a constant of 0 or more.");
  const name = use.args.length > 1 ? callName("round", use.args) : nameWithDefault(use, "0");
  if (isInteger(value.type)) return { sql: value.sql, type: value.type, nullable: value.nullable, name };
  if (!isDecimal(value.type))
    throw unsupportedForm(use, `round of ${describe(value.type)}`, "Cast to DECIMAL.", value.at);
  const { precision, scale } = value.type;
  const kept = Math.min(scale, digits);
  const type: DataType = { kind: "decimal", precision: Math.min(38, precision - scale + 1 + kept), scale: kept };
  return { sql: castTo(value.sql, type), type, nullable: value.nullable, throws: true, name };
}

/** DECIMAL without a fraction for a decimal (`Floor.dataType`), BIGINT for other numbers. */
function whole(use: Use, name: "ceil" | "floor"): Lowered {
  const value = arg(use, 0);
  const nullable = anyNullable(use.args);
  const called = use.call.name.toLowerCase();
  const own = callName(called === "ceiling" ? called : called.toUpperCase(), use.args);
  if (isDecimal(value.type)) {
    if (value.type.scale === 0) return { sql: value.sql, type: value.type, nullable, name: own };
    const type: DataType = { kind: "decimal", precision: value.type.precision - value.type.scale + 1, scale: 0 };
    return {
      sql: castTo(
        `${name}(${castTo(value.sql, { ...value.type, precision: Math.min(38, value.type.precision + 1) })})`,
        type,
      ),
      type,
      nullable,
      throws: true,
      name: own,
    };
  }
  if (!isNumeric(value.type)) throw mismatch(use, value, "a number");
  const sql = isInteger(value.type) ? value.sql : `${name}(${castTo(value.sql, DOUBLE)})`;
  return { sql: castTo(sql, BIGINT), type: BIGINT, nullable, throws: true, name: own };
}
