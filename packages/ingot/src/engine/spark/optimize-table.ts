import type { Store } from "@ingot/delta";
import type { Optimized } from "../engine.js";
import { lastNote, snapshotOf } from "../tables/table-state.js";
import { commitFigures } from "./commit-figures.js";
import type { SparkSession } from "./connect/session.js";
import { tableText } from "./spark-sql.js";
import { COMMIT_NOTE, withSettings } from "./with-settings.js";

/** Delta's OPTIMIZE, as the table's clustering wants it. */
export async function optimizeTable(
  session: SparkSession,
  store: Store,
  location: string,
  signal: AbortSignal,
): Promise<Optimized> {
  const before = await snapshotOf(store, location);
  const settings = { [COMMIT_NOTE]: lastNote(before).userMetadata };
  await withSettings(session, settings, signal, () => session.sql(`OPTIMIZE ${tableText(location)}`, signal));
  const after = await snapshotOf(store, location);
  if (after === undefined) throw new Error(`unreachable: ${location} was optimized`);
  const figure = after.version === before?.version ? () => 0 : commitFigures(after);
  return {
    version: after.version,
    filesAdded: figure("numAddedFiles"),
    filesRemoved: figure("numRemovedFiles"),
    bytesAdded: figure("numAddedBytes"),
    bytesRemoved: figure("numRemovedBytes"),
  };
}
