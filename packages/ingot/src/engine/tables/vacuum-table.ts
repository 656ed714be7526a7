import { type Store, vacuum } from "@ingot/delta";
import type { Vacuumed, VacuumOptions } from "../engine.js";
import { lastNote, snapshotOf } from "./table-state.js";

const HOUR = 3_600_000;

/** Deletes files that no version within the retention has, by the Delta library alone. */
export async function vacuumTable(
  store: Store,
  location: string,
  { retainHours, dryRun }: VacuumOptions,
  engineInfo: string,
): Promise<Vacuumed> {
  const notes = { engineInfo, ...lastNote(await snapshotOf(store, location)) };
  const retention = retainHours === undefined ? {} : { retention: retainHours * HOUR };
  const { deleted, bytes } = await vacuum(store, location, { dryRun, ...notes, ...retention });
  return { files: deleted.length, bytes };
}
