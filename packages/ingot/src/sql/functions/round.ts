import type { DataType, DecimalType } from "../../model/data-type.js";
import { describe } from "../bind/bind-place.js";
import { callName } from "../bind/bound.js";
import { asDecimal, BIGINT, DOUBLE, isDecimal, isFloating, isInteger, isNumeric } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import { roundDecimal } from "../lower/round-decimal.js";
import {
  arg,
  argOf,
  constantOf,
  type Functions,
  type Lowered,
  nameWithDefault,
  type SparkFunction,
  scalar,
  type Use,
  unsupportedForm,
} from "./function.js";
import { callHost, type HostFunction } from "./host/host-function.js";
import {
  BROUND_DECIMAL,
  BROUND_DOUBLE,
  CEIL_DECIMAL,
  FLOOR_DECIMAL,
  ROUND_DECIMAL,
  ROUND_DOUBLE,
} from "./host/number.js";

interface Rounder {
  readonly decimal: HostFunction;
  readonly double: HostFunction;
}
const HALF_UP: Rounder = { decimal: ROUND_DECIMAL, double: ROUND_DOUBLE };
const HALF_EVEN: Rounder = { decimal: BROUND_DECIMAL, double: BROUND_DOUBLE };

const whole = (name: "ceil" | "floor"): SparkFunction => scalar(1, 2, (use) => toWhole(use, name));

export const ROUNDERS: Functions = {
  round: scalar(1, 2, (use) => round(use, HALF_UP)),
  bround: scalar(1, 2, (use) => round(use, HALF_EVEN)),
  ceil: whole("ceil"),
  ceiling: whole("ceil"),
  floor: whole("floor"),
};

/** A number: a string counts as DOUBLE. */
function numberOf(use: Use) {
  return argOf(use, 0, DOUBLE, isNumeric);
}

/** Undefined where it is NULL. */
function placesOf(use: Use): number | undefined {
  if (use.args[1]?.type.kind === "void") return undefined;
  const places = use.args.length > 1 ? constantOf(use, 1) : 0;
  if (places === undefined)
    throw unsupportedForm(use, `${use.call.name} to a computed place`, "Write the number of places.", arg(use, 1).at);
  return places;
}

/** To a place of decimals, or before the point when negative. `RoundBase.dataType` */
function round(use: Use, rounder: Rounder): Lowered {
  const value = numberOf(use);
  const places = placesOf(use);
  const { name: called } = use.call;
  const name = use.args.length > 1 ? callName(called.toLowerCase(), use.args) : nameWithDefault(use, "0");
  const { type, nullable } = value;
  if (places === undefined) {
    const given = isDecimal(type) ? roundedType(type, 0) : type;
    return { sql: castTo("NULL", given), type: given, nullable: true, name };
  }
  if (isFloating(type)) {
    const sql = callHost(rounder.double, castTo(value.sql, DOUBLE), String(places));
    return { sql: type.kind === "float" ? castTo(sql, type) : sql, type, nullable, name };
  }
  if (isInteger(type)) {
    if (places >= 0) return { sql: value.sql, type, nullable, name };
    // By way of HUGEINT, which says an overflow in the words of arithmetic.
    const text = callHost(rounder.decimal, castTo(value.sql, { kind: "string" }), String(places));
    const sql = castTo(`CAST(${text} AS HUGEINT)`, type);
    return { sql, type, nullable, throws: true, name };
  }
  const result = roundedType(type as DecimalType, places);
  if (rounder === HALF_UP && places >= 0)
    return { sql: roundDecimal(value.sql, type as DecimalType, result), type: result, nullable, throws: true, name };
  const sql = castTo(callHost(rounder.decimal, castTo(value.sql, { kind: "string" }), String(places)), result);
  return { sql, type: result, nullable, throws: true, name };
}

function roundedType({ precision, scale }: DecimalType, places: number): DecimalType {
  const integral = precision - scale + 1;
  if (places < 0) return { kind: "decimal", precision: Math.min(38, Math.max(integral, -places + 1)), scale: 0 };
  const kept = Math.min(scale, places);
  return { kind: "decimal", precision: Math.min(38, integral + kept), scale: kept };
}

/** BIGINT, or DECIMAL without a fraction for a decimal; with a number of places always DECIMAL (`RoundCeil`, `RoundFloor`). */
function toWhole(use: Use, name: "ceil" | "floor"): Lowered {
  const value = numberOf(use);
  const called = use.call.name.toLowerCase();
  const own = callName(called === "ceiling" || use.args.length > 1 ? called : called.toUpperCase(), use.args);
  if (use.args.length > 1) return { ...toPlaces(use, name), name: own };
  const { nullable } = value;
  if (isDecimal(value.type)) {
    if (value.type.scale === 0) return { sql: value.sql, type: value.type, nullable, name: own };
    const type: DataType = { kind: "decimal", precision: value.type.precision - value.type.scale + 1, scale: 0 };
    const wider = castTo(value.sql, { ...value.type, precision: Math.min(38, value.type.precision + 1) });
    return { sql: castTo(`${name}(${wider})`, type), type, nullable, throws: true, name: own };
  }
  const sql = isInteger(value.type)
    ? castTo(value.sql, BIGINT)
    : `spark_double_to_bigint(${name}(${castTo(value.sql, DOUBLE)}))`;
  return { sql, type: BIGINT, nullable, name: own };
}

function toPlaces(use: Use, name: "ceil" | "floor"): Lowered {
  const value = numberOf(use);
  const decimal = asDecimal(value.type);
  const places = placesOf(use);
  if (decimal === undefined || places === undefined)
    throw unsupportedForm(use, `${use.call.name} of ${describe(value.type)} to a place`, "Cast to DECIMAL.", value.at);
  const type = roundedType(decimal, places);
  const fn = name === "ceil" ? CEIL_DECIMAL : FLOOR_DECIMAL;
  const text = callHost(fn, castTo(value.sql, { kind: "string" }), String(Math.min(places, decimal.scale)));
  return { sql: castTo(text, type), type, nullable: value.nullable, throws: true };
}
