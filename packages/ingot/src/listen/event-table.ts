import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine, TargetTable, TextRow } from "../engine/engine.js";
import { eventTableFolder, eventTableName, type Places } from "../graph/places.js";
import type { DataType, Field } from "../model/data-type.js";
import type { RunEvent } from "../model/event.js";
import { formatName } from "../model/name.js";
import { OWNER_PROPERTY } from "../model/table.js";
import { eventFolder, startOf } from "./event-log.js";

const STRING: DataType = { kind: "string" };

/** Lakeflow's columns; what is a document there is JSON text here. */
const COLUMNS: readonly Field[] = [
  { name: "id", type: STRING, nullable: true },
  { name: "sequence", type: STRING, nullable: true, comment: "JSON: the run, and the place of the event in it" },
  { name: "origin", type: STRING, nullable: true, comment: "JSON: pipeline, run, dataset, flow" },
  { name: "timestamp", type: { kind: "timestamp" }, nullable: true },
  { name: "message", type: STRING, nullable: true },
  { name: "level", type: STRING, nullable: true, comment: "INFO, WARN or ERROR" },
  { name: "maturity_level", type: STRING, nullable: true },
  { name: "error", type: STRING, nullable: true, comment: "JSON" },
  { name: "details", type: STRING, nullable: true, comment: "JSON, by event_type" },
  { name: "event_type", type: STRING, nullable: true },
];

/** The table's `txn`: the start of the newest run that it holds. */
const APP_ID = "ingot/event_log";

/**
 * Adds the events of the runs that the table `event_log` does not hold to it, in one commit: those of the run that is
 * ending, and of runs that died before they could.
 *
 * @param owner id of the pipeline
 */
export async function writeEventTable(engine: Engine, places: Places, owner: string): Promise<void> {
  const location = eventTableFolder(places);
  const state = await engine.describe(location);
  const last = state?.transactions.get(APP_ID) ?? -1n;
  const folder = eventFolder(places.storage);
  const runs = (await readdir(folder)).flatMap((file) => {
    const start = startOf(file);
    return start === undefined || BigInt(start) <= last ? [] : [{ file, start }];
  });
  const newest = Math.max(...runs.map(({ start }) => start));
  if (runs.length === 0) return;
  const rows: TextRow[] = [];
  for (const { file } of runs.sort((a, b) => a.start - b.start))
    rows.push(...(await readFile(join(folder, file), "utf8")).split("\n").flatMap(toRow));
  const target: TargetTable = {
    location,
    name: formatName(eventTableName(places)),
    comment: "What happened in the runs of the pipeline",
    schema: COLUMNS,
    properties: { [OWNER_PROPERTY]: owner },
  };
  await engine.appendRows(target, rows, { appId: APP_ID, version: BigInt(newest) });
}

/** A line of an event log as a row; none for a line that its process did not end. */
function toRow(line: string): TextRow[] {
  if (!line.endsWith("}")) return [];
  const { id, sequence, origin, timestamp, message, level, error, details, event_type } = JSON.parse(line) as RunEvent;
  return [
    {
      id,
      sequence: JSON.stringify({ data_plane_id: { instance: origin.run_id, seq_no: sequence } }),
      origin: JSON.stringify({ ...origin, update_id: origin.run_id }),
      timestamp: timestamp.replace(/Z$/, "000Z"),
      message,
      level,
      maturity_level: "STABLE",
      error: error === undefined ? null : JSON.stringify(error),
      details: JSON.stringify(details),
      event_type,
    },
  ];
}
