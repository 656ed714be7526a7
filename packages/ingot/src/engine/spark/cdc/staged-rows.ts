import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Field } from "../../../model/data-type.js";
import type { Observed } from "../connect/observed-metrics.js";
import { filesRelation, observe, type Relation, sqlRelation } from "../connect/relations.js";
import { ddlText } from "../spark-sql.js";
import type { SparkWork } from "../spark-work.js";
import type { SparkText } from "../text-context.js";

/** Rows that were evaluated once, and are read by a name as often as it takes. */
export interface StagedRows {
  readonly names: Readonly<Record<string, Relation>>;
  /** What was observed of rows on the way to them. */
  readonly observed: Observed;
  /** What was observed of them, by the names of the metrics. */
  readonly told: Observed[string];
  remove(): Promise<void>;
}

/**
 * Evaluates a query into a folder of its own.
 *
 * @param name of its rows in statements
 * @param fields its columns
 * @param metrics aggregates over the rows, each with a name: see `observe`
 */
export async function stageRows(
  { session, scratch, signal }: SparkWork,
  name: string,
  { text, names }: SparkText,
  fields: readonly Field[],
  metrics: readonly string[] = [],
): Promise<StagedRows> {
  const path = join(scratch, `events-${randomUUID()}`);
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    const rows = sqlRelation(text, names);
    const input = metrics.length === 0 ? rows : observe(rows, name, metrics);
    const observed = await session.write({ input, format: "parquet", into: { path }, mode: "overwrite" }, signal);
    const staged = filesRelation({ format: "parquet", schema: ddlText(fields), paths: [path] });
    return { names: { [name]: staged }, observed, told: observed[name] ?? {}, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
