import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../model/event.js";

/**
 * Keeps a run's events as `<storage>/_events/<time>-<run>.ndjson`, one event a line, each on its way to disk when it
 * happens, so that a run that dies leaves its story. Who may read the storage may read it.
 */
export function eventLog(storage: string, runId: string, began: Date): (event: RunEvent) => void {
  const folder = join(storage, "_events");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${began.toISOString().replace(/[:.]/g, "-")}-${runId}.ndjson`);
  return (event) => appendFileSync(file, `${JSON.stringify(event)}\n`);
}
