import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../model/event.js";

/** Folder of the events of all runs, one file a run. */
export function eventFolder(storage: string): string {
  return join(storage, "_events");
}

/**
 * Keeps a run's events as `<storage>/_events/<time>-<run>.ndjson`, one event a line, each on its way to disk when it
 * happens, so that a run that dies leaves its story. Who may read the storage may read it.
 */
export function eventLog(storage: string, runId: string, began: Date): (event: RunEvent) => void {
  const folder = eventFolder(storage);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${began.toISOString().replace(/[:.]/g, "-")}-${runId}.ndjson`);
  return (event) => appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** When the run of an event file began, in milliseconds since 1970; undefined for another file. */
export function startOf(file: string): number | undefined {
  const [, day, hours, minutes, seconds, millis] =
    /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)-.*\.ndjson$/.exec(file) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}${hours}:${minutes}:${seconds}.${millis}`);
}
