import type { Snapshot } from "@ingot/delta";
import type { TargetTable } from "../../engine.js";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import type { Observed } from "../connect/observed-metrics.js";
import { defineTable } from "../define-table.js";
import { tableText } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import { COMMIT_NOTE, withSettings } from "../with-settings.js";
import type { ApplyWork } from "./apply-work.js";
import { inRange } from "./key-range.js";

/** What a MERGE does with rows `s` that are given and rows `t` of a table. */
export interface Merge {
  readonly source: SparkText;
  /** The key of `s` is that of `t`. */
  readonly on: string;
  /** What is known of the keys of the rows: see `inRange`. */
  readonly range?: Observed[string];
  readonly clauses: readonly string[];
}

export interface MergedRows {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

const NOTHING: MergedRows = { inserted: 0, updated: 0, deleted: 0 };

/**
 * Merges rows into a table in one commit with the batch of a step of one part, behind one that makes the table what it is
 * declared to be. One that has the batch stays as it is.
 *
 * @returns the version of the table, and the rows as the merge wrote them
 */
export async function mergeTable(
  { session, store, step, signal }: ApplyWork,
  snapshot: Snapshot,
  target: TargetTable,
  { source, on, range, clauses }: Merge,
): Promise<{ readonly version: bigint; readonly rows: MergedRows }> {
  const [part] = step.parts;
  if (part === undefined) throw new Error("unreachable: a step has a part");
  if (isDone(part, snapshot)) return { version: snapshot.version, rows: NOTHING };
  await defineTable(store, target, snapshot, step.note);
  const settings = {
    "spark.databricks.delta.write.txnAppId": part.transaction.appId,
    "spark.databricks.delta.write.txnVersion": String(part.transaction.version),
    [COMMIT_NOTE]: step.note,
    // The rows are in files that stay as they are, but for those that a truncate takes away: they are found in the table.
    ...(step.rules.truncates ? {} : { "spark.databricks.delta.merge.materializeSource": "none" }),
  };
  const rows = await withSettings(session, settings, signal, async () => {
    const where = range === undefined ? on : `${on}${inRange(step.rules, range, snapshot, "t")}`;
    const text = `MERGE INTO ${tableText(target.location)} AS t USING (${source.text}) AS s ON ${where} ${clauses.join(" ")}`;
    const { columns, rows } = await session.sql(text, signal, source.names);
    const count = (name: string) => Number(rows[0]?.[columns.findIndex((column) => column.name === name)] ?? 0);
    return {
      inserted: count("num_inserted_rows"),
      updated: count("num_updated_rows"),
      deleted: count("num_deleted_rows"),
    };
  });
  const after = await snapshotOf(store, target.location);
  if (after === undefined || !isDone(part, after))
    throw new Error(`${target.location}: Spark's commit is not in the log`);
  return { version: after.version, rows };
}
