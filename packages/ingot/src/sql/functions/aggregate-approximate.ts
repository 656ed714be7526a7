import type { ArrayType } from "../../model/data-type.js";
import { coerce, describe } from "../bind/bind-place.js";
import type { Bound } from "../bind/bound.js";
import { DOUBLE, isDatetime, isDecimal, isNumeric } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import { presentValues } from "./aggregate-statistic.js";
import {
  aggregate,
  arg,
  argOf,
  constantOf,
  type Functions,
  type Lowered,
  mismatch,
  nameWithDefault,
  type Use,
  unsupportedForm,
} from "./function.js";
import { approximatePercentileOf } from "./statistic-text.js";

const ACCURACY = 10_000;
const percentile = aggregate([2, 3], approximatePercentile);

/** Aggregates that Spark leaves open within an error: here they are exact. */
export const APPROXIMATES: Functions = { percentile_approx: percentile, approx_percentile: percentile };

/** A value of the input at a share of its rows, or values at several shares. Spark's is exact too up to accuracy / 2 rows. */
function approximatePercentile(use: Use): Lowered {
  const value = argOf(use, 0, DOUBLE, (t) => isNumeric(t) || isDatetime(t));
  const accuracy = use.args.length > 2 ? constantOf(use, 2) : ACCURACY;
  if (accuracy === undefined || accuracy < 1)
    throw unsupportedForm(
      use,
      `This accuracy of ${use.call.name}`,
      "Write a whole number of 1 or more.",
      arg(use, 2).at,
    );
  const share = arg(use, 1);
  const known = share.literal?.type === "number" ? Number(share.literal.value) : 0;
  if (known < 0 || known > 1) throw mismatch(use, share, "a share from 0 to 1");
  const list = `list_sort(${presentValues(use, value.sql)})`;
  const name = use.args.length > 2 ? {} : { name: nameWithDefault(use, String(ACCURACY)) };
  const at = (q: string) => byDouble(use, value, approximatePercentileOf(list, q, accuracy));
  if (share.type.kind === "array") {
    const shares: ArrayType = { kind: "array", element: DOUBLE, containsNull: false };
    const type: ArrayType = { kind: "array", element: value.type, containsNull: false };
    const all = `list_transform(${coerce(use.place, share, shares).sql}, lambda q: ${at("q")})`;
    return { sql: castTo(`CASE WHEN len(${list}) > 0 THEN ${all} END`, type), type, nullable: true, ...name };
  }
  if (!isNumeric(share.type))
    throw unsupportedForm(
      use,
      `${use.call.name} at ${describe(share.type)}`,
      "A share is a number from 0 to 1.",
      share.at,
    );
  return { sql: at(coerce(use.place, share, DOUBLE).sql), type: value.type, nullable: true, ...name };
}

/** Spark keeps the values as doubles: long ones lose digits. */
function byDouble(use: Use, value: Bound, sql: string): string {
  const { type } = value;
  if (type.kind === "bigint") return `spark_double_to_bigint(${castTo(sql, DOUBLE)})`;
  if (isDecimal(type) && type.precision > 15)
    return coerce(use.place, coerce(use.place, { ...value, sql }, DOUBLE), type).sql;
  return castTo(sql, type);
}
