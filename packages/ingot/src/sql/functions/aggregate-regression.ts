import { BIGINT, DOUBLE } from "../bind/type-rules.js";
import { average } from "./aggregate.js";
import { ofPairs } from "./aggregate-statistic.js";
import { aggregate, arg, type Functions, type Lowered, type SparkFunction, type Use } from "./function.js";
import * as text from "./statistic-text.js";

/** Regression of the first argument, y, on the second, x, over the rows where neither is NULL. */
export const REGRESSIONS: Functions = {
  regr_count: aggregate([2, 2], (use) => ({
    sql: use.window(`count(CASE WHEN ${hasBoth(use)} THEN 1 END)`),
    type: BIGINT,
    nullable: false,
  })),
  regr_avgx: aggregate([2, 2], (use) => averageOfSide(use, 1)),
  regr_avgy: aggregate([2, 2], (use) => averageOfSide(use, 0)),
  regr_sxx: overPairs(text.squaresOf("y")),
  regr_syy: overPairs(text.squaresOf("x")),
  regr_sxy: overPairs(text.productsOfPairs),
  regr_slope: overPairs(text.slope, true),
  regr_intercept: overPairs(text.intercept, true),
  regr_r2: overPairs(text.determination),
};

function hasBoth(use: Use): string {
  return `${arg(use, 0).sql} IS NOT NULL AND ${arg(use, 1).sql} IS NOT NULL`;
}

function averageOfSide(use: Use, index: number): Lowered {
  const side = arg(use, index);
  return average({
    ...use,
    args: [{ ...side, sql: `CASE WHEN ${hasBoth(use)} THEN ${side.sql} END`, nullable: true }],
  });
}

/** `swapped`: the pairs are those of the second and the first argument. */
function overPairs(statistic: text.Statistic, swapped = false): SparkFunction {
  return aggregate([2, 2], (use) => ({
    sql: statistic(ofPairs(swapped ? { ...use, args: [arg(use, 1), arg(use, 0)] } : use)),
    type: DOUBLE,
    nullable: true,
  }));
}
