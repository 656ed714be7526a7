import type { Snapshot, Store } from "@ingot/delta";
import type { Optimized } from "../engine.js";
import { lastNote, snapshotOf } from "../tables/table-state.js";
import type { SparkSession } from "./connect/session.js";
import { tableText } from "./spark-sql.js";

const NOTE = "spark.databricks.delta.commitInfo.userMetadata";

/** Delta's OPTIMIZE, as the table's clustering wants it. */
export async function optimizeTable(
  session: SparkSession,
  store: Store,
  location: string,
  signal: AbortSignal,
): Promise<Optimized> {
  const before = await snapshotOf(store, location);
  await session.configure({ [NOTE]: lastNote(before).userMetadata }, signal);
  try {
    await session.sql(`OPTIMIZE ${tableText(location)}`, signal);
  } finally {
    await session.configure({ [NOTE]: undefined }, signal);
  }
  const after = await snapshotOf(store, location);
  if (after === undefined) throw new Error(`unreachable: ${location} was optimized`);
  const figure = after.version === before?.version ? () => 0 : metricsOf(after);
  return {
    version: after.version,
    filesAdded: figure("numAddedFiles"),
    filesRemoved: figure("numRemovedFiles"),
    bytesAdded: figure("numAddedBytes"),
    bytesRemoved: figure("numRemovedBytes"),
  };
}

/** What the newest commit says of itself. */
function metricsOf({ commitInfo }: Snapshot): (name: string) => number {
  const metrics = commitInfo?.["operationMetrics"] as Readonly<Record<string, unknown>> | undefined;
  return (name) => Number(metrics?.[name] ?? 0);
}
