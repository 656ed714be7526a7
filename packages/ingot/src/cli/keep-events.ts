import { eventTableName } from "../graph/places.js";
import { writeEventTable } from "../listen/event-table.js";
import { formatName, nameKey } from "../model/name.js";
import { knownPipelineId } from "../run/pipeline-state.js";
import type { Io } from "./io.js";
import type { OpenProject } from "./open-project.js";

/**
 * Brings the table `event_log` up to date when a run is over. A failure is told and costs the run nothing: the events
 * stay in their files, and the next run tries again.
 */
export async function keepEvents({ engine, places, spec, definitions }: OpenProject, io: Io): Promise<void> {
  const name = eventTableName(places);
  const warn = (why: string) => io.stderr.write(`WARN: the events of the run are not in ${formatName(name)}: ${why}\n`);
  if (definitions.datasets.some((dataset) => nameKey(dataset.name) === nameKey(name))) {
    warn("the project declares a dataset of that name");
    return;
  }
  try {
    const owner = await knownPipelineId(places.storage, spec.id);
    if (owner !== undefined) await writeEventTable(engine, places, owner);
  } catch (error) {
    warn(error instanceof Error ? error.message : String(error));
  }
}
