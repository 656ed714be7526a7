import type { TargetTable, WritePart } from "../../engine.js";
import type { SparkSession } from "../connect/session.js";
import { tableText } from "../spark-sql.js";
import type { SparkText } from "../text-context.js";

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

/** Settings by which Delta commits a statement with a `txn` and a note. */
const TRANSACTION = {
  appId: "spark.databricks.delta.write.txnAppId",
  version: "spark.databricks.delta.write.txnVersion",
  note: "spark.databricks.delta.commitInfo.userMetadata",
};

/** Merges rows into a table in one commit with its batch; Delta leaves out one that the table has. */
export async function mergeRows(
  session: SparkSession,
  { target, source, on, clauses, note, transaction }: Merge,
  signal: AbortSignal,
): Promise<MergedRows> {
  await session.configure(
    {
      [TRANSACTION.appId]: transaction.appId,
      [TRANSACTION.version]: String(transaction.version),
      [TRANSACTION.note]: note,
    },
    signal,
  );
  try {
    const text = `MERGE INTO ${tableText(target.location)} AS t USING (${source.text}) AS s ON ${on} ${clauses.join(" ")}`;
    const { columns, rows } = await session.sql(text, signal, source.names);
    const count = (name: string) => Number(rows[0]?.[columns.findIndex((column) => column.name === name)] ?? 0);
    return {
      inserted: count("num_inserted_rows"),
      updated: count("num_updated_rows"),
      deleted: count("num_deleted_rows"),
    };
  } finally {
    const unset = Object.fromEntries(Object.values(TRANSACTION).map((key) => [key, undefined]));
    // A run that was aborted still puts its session back as it was.
    await session.configure(unset, new AbortController().signal);
  }
}
