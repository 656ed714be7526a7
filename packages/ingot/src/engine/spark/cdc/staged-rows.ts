import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Field } from "../../../model/data-type.js";
import { filesRelation, type Relation, sqlRelation } from "../connect/relations.js";
import { ddlText } from "../spark-sql.js";
import type { SparkWork } from "../spark-work.js";
import type { SparkText } from "../text-context.js";

/** Rows that were evaluated once, and are read by a name as often as it takes. */
export interface StagedRows {
  readonly names: Readonly<Record<string, Relation>>;
  remove(): Promise<void>;
}

/**
 * Evaluates a query into a folder of its own.
 *
 * @param name of its rows in statements
 * @param fields its columns
 */
export async function stageRows(
  { session, scratch, signal }: SparkWork,
  name: string,
  { text, names }: SparkText,
  fields: readonly Field[],
): Promise<StagedRows> {
  const path = join(scratch, `events-${randomUUID()}`);
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    const input = sqlRelation(text, names);
    await session.write({ input, format: "parquet", into: { path }, mode: "overwrite" }, signal);
    return { names: { [name]: filesRelation({ format: "parquet", schema: ddlText(fields), paths: [path] }) }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
