import type { Snapshot, Store } from "@ingot/delta";
import type { TargetTable, WritePart } from "../engine.js";
import { isDone, snapshotOf } from "../tables/table-state.js";
import { commitFigures } from "./commit-figures.js";
import { sqlRelation } from "./connect/relations.js";
import type { SparkSession } from "./connect/session.js";
import { canStay, defineTable } from "./define-table.js";
import { notOnSpark } from "./not-supported.js";
import type { SparkText } from "./text-context.js";

/** Rows for a table, and how they get there. */
export interface RowsToWrite extends SparkText {
  readonly target: TargetTable;
  readonly mode: "append" | "overwrite";
  /** Of an overwrite: a condition of the rows that go; absent: all. */
  readonly replaces?: string;
  readonly note: string;
  readonly transaction: WritePart["transaction"];
}

export interface WrittenRows {
  readonly version: bigint;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Writes rows in one commit with the batch that they come from. The table is made, or made what it is declared to be, by
 * a commit before it; where the rows that are there do not fit, by one behind it.
 *
 * @param snapshot the table as it is; undefined where it is not there
 * @throws IngotError SPARK_NOT_SUPPORTED, and Spark's; DeltaError
 */
export async function writeRows(
  session: SparkSession,
  store: Store,
  snapshot: Snapshot | undefined,
  write: RowsToWrite,
  signal: AbortSignal,
): Promise<WrittenRows> {
  const { target, mode, transaction } = write;
  const stays = mode === "append" || write.replaces !== undefined || canStay(target, snapshot);
  if (stays) await defineTable(store, target, snapshot, write.note);
  else if ((target.partitionBy ?? []).length > 0)
    throw notOnSpark("Another definition of a partitioned view", "Start it again with --full-refresh.", target.name);
  await session.write(
    {
      input: sqlRelation(write.text, write.names),
      format: "delta",
      into: { path: target.location },
      mode,
      options: {
        txnAppId: transaction.appId,
        txnVersion: String(transaction.version),
        userMetadata: write.note,
        // An overwrite without a condition takes the clustering of the table away.
        ...(mode === "overwrite" && stays ? { replaceWhere: write.replaces ?? "true" } : {}),
        ...(stays ? {} : { overwriteSchema: "true" }),
      },
    },
    signal,
  );
  const after = await snapshotOf(store, target.location);
  if (after === undefined || !isDone({ transaction }, after))
    throw new Error(`${target.location}: Spark's commit is not in the log`);
  if (!stays) await defineTable(store, target, after, write.note);
  return { version: after.version, ...outputOf(after) };
}

/** What the newest commit wrote, as it says itself. */
function outputOf(snapshot: Snapshot): Pick<WrittenRows, "rows" | "bytes"> {
  const figure = commitFigures(snapshot);
  return { rows: figure("numOutputRows"), bytes: figure("numOutputBytes") };
}
