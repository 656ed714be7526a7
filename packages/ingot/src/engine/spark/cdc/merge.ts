import type { TargetTable, WritePart } from "../../engine.js";
import type { SparkSession } from "../connect/session.js";
import { tableText } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";
import { COMMIT_NOTE, withSettings } from "../with-settings.js";

/** A MERGE, and the batch that it commits. */
export interface Merge {
  readonly target: Pick<TargetTable, "location">;
  /** Its rows are `s`, those of the table `t`. */
  readonly source: SparkText;
  readonly on: string;
  readonly clauses: readonly string[];
  readonly note: string;
  readonly transaction: WritePart["transaction"];
}

export interface MergedRows {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/** Merges rows into a table in one commit with its batch; Delta leaves out one that the table has. */
export function mergeRows(
  session: SparkSession,
  { target, source, on, clauses, note, transaction }: Merge,
  signal: AbortSignal,
): Promise<MergedRows> {
  const settings = {
    "spark.databricks.delta.write.txnAppId": transaction.appId,
    "spark.databricks.delta.write.txnVersion": String(transaction.version),
    [COMMIT_NOTE]: note,
  };
  return withSettings(session, settings, signal, async () => {
    const text = `MERGE INTO ${tableText(target.location)} AS t USING (${source.text}) AS s ON ${on} ${clauses.join(" ")}`;
    const { columns, rows } = await session.sql(text, signal, source.names);
    const count = (name: string) => Number(rows[0]?.[columns.findIndex((column) => column.name === name)] ?? 0);
    return {
      inserted: count("num_inserted_rows"),
      updated: count("num_updated_rows"),
      deleted: count("num_deleted_rows"),
    };
  });
}
