import { nearest } from "../../model/nearest.js";
import { AGGREGATES } from "./aggregate.js";
import { APPROXIMATES } from "./aggregate-approximate.js";
import { LIST_AGGREGATES } from "./aggregate-list.js";
import { REGRESSIONS } from "./aggregate-regression.js";
import { STATISTICS } from "./aggregate-statistic.js";
import { ARRAYS } from "./array.js";
import { BITMAPS } from "./bitmap.js";
import { CASTS } from "./cast.js";
import { CONDITIONALS } from "./conditional.js";
import { DATETIMES } from "./datetime.js";
import { DATETIME_PARTS } from "./datetime-part.js";
import { DATETIME_TEXTS } from "./datetime-text.js";
import { ENCODINGS } from "./encoding.js";
import { FORMAT_STRINGS } from "./format-string.js";
import type { SparkFunction } from "./function.js";
import { GROUPINGS } from "./grouping.js";
import { HASHES } from "./hash.js";
import { INTERVALS } from "./interval.js";
import { JSONS } from "./json.js";
import { LAMBDAS } from "./lambda.js";
import { MADE_DATETIMES } from "./make-datetime.js";
import { MAPS } from "./map.js";
import { MATH } from "./math.js";
import { OTHERS } from "./misc.js";
import { NESTED } from "./nested.js";
import { NUMBER_TEXTS } from "./number-text.js";
import { NUMERICS } from "./numeric.js";
import { REGEXES } from "./regex.js";
import { ROUNDERS } from "./round.js";
import { SAP_FUNCTIONS } from "./sap.js";
import { SEQUENCES } from "./sequence.js";
import { SPARK_FUNCTIONS } from "./spark-names.js";
import { STRINGS } from "./string.js";
import { STRING_SEARCH } from "./string-search.js";
import { TIME_WINDOWS } from "./time-window.js";
import { TIME_ZONES } from "./time-zone.js";
import { WINDOW_FUNCTIONS } from "./window.js";

/** All functions that have a translation. What is not here is refused before a query runs. */
export const REGISTRY: ReadonlyMap<string, SparkFunction> = new Map(
  Object.entries({
    ...AGGREGATES,
    ...APPROXIMATES,
    ...LIST_AGGREGATES,
    ...REGRESSIONS,
    ...STATISTICS,
    ...ARRAYS,
    ...BITMAPS,
    ...CASTS,
    ...CONDITIONALS,
    ...DATETIMES,
    ...DATETIME_PARTS,
    ...DATETIME_TEXTS,
    ...ENCODINGS,
    ...FORMAT_STRINGS,
    ...HASHES,
    ...INTERVALS,
    ...JSONS,
    ...LAMBDAS,
    ...MADE_DATETIMES,
    ...MAPS,
    ...MATH,
    ...GROUPINGS,
    ...NESTED,
    ...NUMBER_TEXTS,
    ...NUMERICS,
    ...OTHERS,
    ...REGEXES,
    ...ROUNDERS,
    ...SAP_FUNCTIONS,
    ...SEQUENCES,
    ...STRINGS,
    ...STRING_SEARCH,
    ...TIME_WINDOWS,
    ...TIME_ZONES,
    ...WINDOW_FUNCTIONS,
  }),
);

/** Whether Spark has a function of this name. */
export function isSparkFunction(name: string): boolean {
  return SPARK_FUNCTIONS.has(name.toLowerCase());
}

/** The function that a misspelt name may have meant. */
export function nearestFunction(name: string): string | undefined {
  return nearest(name, [...REGISTRY.keys(), ...SPARK_FUNCTIONS]);
}

/** What kind of function a name is; undefined where it has no translation. */
export function functionKind(name: string): SparkFunction["kind"] | undefined {
  return REGISTRY.get(name.toLowerCase())?.kind;
}
