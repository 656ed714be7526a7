import { IngotError } from "../model/error.js";
import type { Spec } from "./spec.js";

/** Spark's key of how many flows of a pipeline run at once, and its default. */
const [KEY, DEFAULT] = ["spark.sql.pipelines.execution.maxConcurrentFlows", 16];

/**
 * How many tables a run fills at once, by the configuration of the project.
 *
 * @throws IngotError PIPELINE_SPEC_INVALID_VALUE
 */
export function maxConcurrentFlows({ configuration, file }: Pick<Spec, "configuration" | "file">): number {
  const text = configuration[KEY];
  if (text === undefined) return DEFAULT;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `${KEY} is no number of flows: ${text}`, {
    object: file,
    hint: "Write how many tables may be filled at once: 1, 2, ….",
  });
}
