import type { DuckDBConnection } from "@duckdb/node-api";
import {
  type AsOf,
  liveFiles,
  localStore,
  readChangeFeed,
  readChangeRows,
  readRows,
  readSnapshot,
  type Snapshot,
} from "@ingot/delta";
import { scanFiles } from "../../../packages/ingot/src/engine/duckdb/scan.js";
import { scanChanges } from "../../../packages/ingot/src/engine/duckdb/scan-changes.js";
import { fromDeltaSchema } from "../../../packages/ingot/src/engine/tables/delta-schema.js";
import { type Field, formatType } from "../../../packages/ingot/src/model/data-type.js";
import type { Relation } from "../relation.js";
import { fromDuckdb, fromRow } from "./values.js";

/** One of our engines, as a reader. */
export interface OwnReader {
  readonly name: "JavaScript" | "DuckDB";
  read(location: string, asOf?: AsOf): Promise<Relation>;
  /** From version 0 on, with `_change_type` and `_commit_version`. */
  readChanges(location: string): Promise<Relation>;
}

const CHANGE_COLUMNS: readonly Field[] = [
  { name: "_change_type", type: { kind: "string" }, nullable: true },
  { name: "_commit_version", type: { kind: "bigint" }, nullable: true },
];

export const javascriptReader: OwnReader = {
  name: "JavaScript",
  async read(location, asOf) {
    const snapshot = await open(location, asOf);
    const fields = fromDeltaSchema(snapshot.schema);
    const rows = [];
    for await (const row of readRows(localStore, snapshot)) rows.push(fromRow(row, fields));
    return relation(fields, rows);
  },
  async readChanges(location) {
    const snapshot = await open(location);
    const fields = [...fromDeltaSchema(snapshot.schema), ...CHANGE_COLUMNS];
    const rows = [];
    for await (const row of readChangeRows(localStore, snapshot, 0n)) rows.push(fromRow(row, fields));
    return relation(fields, rows);
  },
};

export function duckdbReader(connection: DuckDBConnection): OwnReader {
  const query = async (sql: string, fields: readonly Field[]): Promise<Relation> => {
    const result = await connection.runAndReadAll(sql);
    const rows = result.getRows().map((row) => fields.map(({ type }, i) => fromDuckdb(row[i] ?? null, type)));
    return relation(fields, rows);
  };
  return {
    name: "DuckDB",
    async read(location, asOf) {
      const snapshot = await open(location, asOf);
      const live = await liveFiles(localStore, snapshot, snapshot.files);
      const deleted = new Map(live.flatMap(({ file, deleted: rows }) => (rows === undefined ? [] : [[file, rows]])));
      return query(scanFiles(snapshot, snapshot.files, deleted), fromDeltaSchema(snapshot.schema));
    },
    async readChanges(location) {
      const snapshot = await open(location);
      const feed = [];
      for await (const version of readChangeFeed(localStore, snapshot, 0n)) feed.push(version);
      const fields = [...fromDeltaSchema(snapshot.schema), ...CHANGE_COLUMNS];
      return query(scanChanges(snapshot, feed), fields);
    },
  };
}

async function open(location: string, asOf?: AsOf): Promise<Snapshot> {
  const snapshot = await readSnapshot(localStore, location, asOf);
  if (snapshot === undefined) throw new Error(`${location} is no table`);
  return snapshot;
}

function relation(fields: readonly Field[], rows: Relation["rows"]): Relation {
  return { columns: fields.map(({ name, type }) => ({ name, type: formatType(type) })), rows };
}
