import { nearest } from "../../model/nearest.js";
import { AGGREGATES } from "./aggregate.js";
import { CASTS } from "./cast.js";
import { CONDITIONALS } from "./conditional.js";
import { DATETIMES } from "./datetime.js";
import type { SparkFunction } from "./function.js";
import { NESTED } from "./nested.js";
import { NUMERICS } from "./numeric.js";
import { SPARK_FUNCTIONS } from "./spark-names.js";
import { STRINGS } from "./string.js";
import { WINDOW_FUNCTIONS } from "./window.js";

/** All functions that have a translation. What is not here is refused before a query runs. */
export const REGISTRY: ReadonlyMap<string, SparkFunction> = new Map(
  Object.entries({
    ...AGGREGATES,
    ...CASTS,
    ...CONDITIONALS,
    ...DATETIMES,
    ...NESTED,
    ...NUMERICS,
    ...STRINGS,
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
