import type { ArrayType } from "../../model/data-type.js";
import { coerce, describe } from "../bind/bind-place.js";
import { bindSortKey } from "../bind/bind-window.js";
import type { Bound } from "../bind/bound.js";
import { DOUBLE, isNumeric } from "../bind/type-rules.js";
import {
  aggregate,
  arg,
  argOf,
  type Functions,
  type Lowered,
  mismatch,
  nameWithDefault,
  type Use,
  unsupportedForm,
} from "./function.js";
import {
  correlation,
  covariance,
  deviation,
  discretePercentileOf,
  kurtosis,
  percentileOf,
  type Statistic,
  skewness,
  variance,
} from "./statistic-text.js";

const moment = (statistic: Statistic) => aggregate([1, 1], (use) => ofValues(use, statistic));
const pair = (statistic: Statistic) =>
  aggregate([2, 2], (use) => ({ sql: statistic(ofPairs(use)), type: DOUBLE, nullable: true }));
const sample = moment(variance(false));
const sampleDeviation = moment(deviation(false));

/**
 * Statistics of numbers as DOUBLE. The last bits of such a result hang on the order of the steps: these are Spark's
 * (`CentralMomentAgg`, `Covariance`, `Corr`), over the rows in one pass.
 */
export const STATISTICS: Functions = {
  variance: sample,
  var_samp: sample,
  var_pop: moment(variance(true)),
  stddev: sampleDeviation,
  std: sampleDeviation,
  stddev_samp: sampleDeviation,
  stddev_pop: moment(deviation(true)),
  skewness: moment(skewness),
  kurtosis: moment(kurtosis),
  covar_pop: pair(covariance(true)),
  covar_samp: pair(covariance(false)),
  corr: pair(correlation),
  percentile: aggregate([2, 2], (use) => percentile(use, arg(use, 0), arg(use, 1))),
  median: aggregate([1, 1], (use) => {
    const half: Bound = { ...arg(use, 0), sql: "0.5", type: DOUBLE };
    return percentile(use, arg(use, 0), half);
  }),
  percentile_cont: aggregate([1, 1], (use) => withinGroup(use, percentileOf), { within: true }),
  percentile_disc: aggregate([1, 1], (use) => withinGroup(use, discretePercentileOf), { within: true }),
};

/** The values that are not NULL, as a list. */
export function presentValues(use: Use, sql: string): string {
  return `list_filter(${use.window(`list(${sql})`)}, lambda e: e IS NOT NULL)`;
}

function numberOf(use: Use, index: number): Bound {
  return coerce(use.place, argOf(use, index, DOUBLE, isNumeric), DOUBLE);
}

function ofValues(use: Use, statistic: Statistic): Lowered {
  return { sql: statistic(presentValues(use, numberOf(use, 0).sql)), type: DOUBLE, nullable: true };
}

/** The pairs of the first argument, `x`, and the second, `y`, without NULL. */
export function ofPairs(use: Use): string {
  const [x, y] = [numberOf(use, 0).sql, numberOf(use, 1).sql];
  const row = `CASE WHEN ${x} IS NOT NULL AND ${y} IS NOT NULL THEN {'x': ${x}, 'y': ${y}} END`;
  return presentValues(use, row);
}

/** Between two values in proportion. */
function percentile(use: Use, value: Bound, share: Bound): Lowered {
  if (!isNumeric(value.type) && value.type.kind !== "string" && value.type.kind !== "void")
    throw mismatch(use, value, "a number");
  const list = `list_sort(${presentValues(use, coerce(use.place, value, DOUBLE).sql)})`;
  const name = use.args.length > 1 ? { name: nameWithDefault(use, "1") } : {};
  return { ...shares(use, list, share, percentileOf), ...name };
}

function shares(use: Use, list: string, share: Bound, percentileText: typeof percentileOf): Lowered {
  if (share.type.kind === "array") {
    const type: ArrayType = { kind: "array", element: DOUBLE, containsNull: false };
    const all = coerce(use.place, share, type).sql;
    return {
      sql: `CASE WHEN len(${list}) > 0 THEN list_transform(${all}, lambda q: ${percentileText(list, "q")}) END`,
      type,
      nullable: true,
    };
  }
  return { sql: percentileText(list, coerce(use.place, share, DOUBLE).sql), type: DOUBLE, nullable: true };
}

function withinGroup(use: Use, percentileText: typeof percentileOf): Lowered {
  const [key, second] = use.call.within ?? [];
  if (key === undefined || second !== undefined)
    throw unsupportedForm(use, `${use.call.name} without an order of one key`, "Write WITHIN GROUP (ORDER BY x).");
  const { bound } = bindSortKey({ ...use.place, aggregates: false }, key);
  if (!isNumeric(bound.type))
    throw unsupportedForm(use, `${use.call.name} of ${describe(bound.type)}`, "Order by a number.", bound.at);
  const list = `list_sort(${presentValues(use, coerce(use.place, bound, DOUBLE).sql)}, '${key.descending ? "DESC" : "ASC"}')`;
  const share = arg(use, 0);
  const order = key.descending ? " DESC" : "";
  const name =
    share.name === undefined || bound.name === undefined
      ? undefined
      : `${use.call.name.toLowerCase()}(${share.name}) WITHIN GROUP (ORDER BY ${bound.name}${order})`;
  return { ...shares(use, list, share, percentileText), name };
}
