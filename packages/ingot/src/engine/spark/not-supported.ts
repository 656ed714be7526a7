import { IngotError } from "../../model/error.js";

/** What the Spark engine does not do, by name: nothing was written. */
export function notOnSpark(what: string, hint: string, object?: string): IngotError {
  return new IngotError("SPARK_NOT_SUPPORTED", `${what} is not supported on Spark yet`, {
    hint: `Nothing was written. ${hint}`,
    ...(object === undefined ? {} : { object }),
  });
}
