import {
  type BackfilledTable,
  chunkFolder,
  chunkIn,
  isBackfilled,
  loadOf,
  type StagedChunk,
  withLoad,
} from "../graph/backfill.js";
import type { Places } from "../graph/places.js";
import type { Definitions, Flow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName, nameKey } from "../model/name.js";
import type { TableState } from "../model/table.js";
import { sourcesOf } from "../plan/history.js";
import { readCheckpoint } from "./checkpoint.js";

interface LoadContext {
  readonly places: Places;
  readonly describe: (location: string) => Promise<TableState | undefined>;
}

/**
 * The definitions with the loads that earlier backfills have begun. What a load has read, or is to read, stands in the
 * manifests of its checkpoint and nowhere else; so any run ends a load that died, and a full refresh of the table takes
 * the staged chunks again.
 */
export async function withLoads(definitions: Definitions, context: LoadContext): Promise<Definitions> {
  let all = definitions;
  for (const dataset of definitions.datasets) {
    if (!isBackfilled(dataset) || hasLoad(dataset, definitions.flows)) continue;
    const chunks = await loadedChunks(dataset, definitions.flows, context);
    if (chunks.length > 0) all = withLoad(all, dataset, chunks, context.places);
  }
  return all;
}

/**
 * The chunks that the manifests of a table's load name.
 *
 * @throws IngotError CHECKPOINT_DAMAGED for one that is not there: a full refresh would lose it
 */
export async function loadedChunks(
  dataset: BackfilledTable,
  flows: readonly Flow[],
  { places, describe }: LoadContext,
): Promise<StagedChunk[]> {
  const checkpoint = await readCheckpoint(places.storage, loadOf(dataset, [], flows), places.root);
  const values = (checkpoint === undefined ? [] : sourcesOf(checkpoint)).flatMap((source) => {
    const location = /^stream table (.+)$/s.exec(source)?.[1];
    return (location === undefined ? undefined : chunkIn(location, dataset, places)) ?? [];
  });
  const chunks: StagedChunk[] = [];
  for (const value of values.sort()) {
    const location = chunkFolder(dataset, value, places);
    const state = await describe(location);
    if (state === undefined) throw chunkGone(dataset, value, location);
    chunks.push({ value, columns: state.schema.map(({ name }) => name) });
  }
  return chunks;
}

function hasLoad(dataset: BackfilledTable, flows: readonly Flow[]): boolean {
  const { name, target } = loadOf(dataset, [], flows);
  return flows.some((flow) => flow.name === name && nameKey(flow.target) === nameKey(target));
}

function chunkGone({ at, name }: BackfilledTable, value: string, location: string): IngotError {
  return new IngotError("CHECKPOINT_DAMAGED", `The chunk ${value} of ${formatName(name)} is gone: ${location}`, {
    at,
    object: location,
    hint: "Restore the folder; or take `backfill` out of the definition: the rows that are loaded stay.",
  });
}
