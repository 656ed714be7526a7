import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  createTable,
  type Evaluator,
  liveFiles,
  localStore,
  readChangeFeed,
  readSnapshot,
  type Snapshot,
  type StructType,
} from "@ingot/delta";
import { DuckdbSession } from "../duckdb-session.js";
import { scanFiles } from "../scan.js";
import { scanChanges } from "../scan-changes.js";
import { type DuckdbTable, duckdbTable } from "./duckdb-table.js";

/** For tests: a table in a folder of its own, with a connection of its own. */
export interface TestTable extends DuckdbTable {
  readonly location: string;
  readonly connection: DuckDBConnection;
  snapshot(): Promise<Snapshot>;
  /** SQL of the live rows, by the product's reader. */
  scan(): Promise<string>;
  /** The rows of a query over the table's rows, which it reads as `t`; as text. */
  rows(query?: string): Promise<string[]>;
  /** The change feed of the versions from `from` on, as text, sorted. */
  changes(from: bigint, columns: string): Promise<string[]>;
}

const folders: string[] = [];
const sessions: DuckdbSession[] = [];

export async function closeTables(): Promise<void> {
  for (const session of sessions.splice(0)) await session.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface TestDefinition {
  readonly configuration?: Readonly<Record<string, string>>;
  readonly partitionColumns?: readonly string[];
  readonly domains?: ReadonlyMap<string, string>;
  readonly evaluator?: Evaluator<string>;
}

export async function makeTable(schema: StructType, definition: TestDefinition = {}): Promise<TestTable> {
  const folder = mkdtempSync(join(tmpdir(), "ingot-delta-"));
  folders.push(folder);
  const session = new DuckdbSession(folder);
  sessions.push(session);
  const location = join(folder, "t");
  const { configuration = {}, partitionColumns = [], domains = new Map(), evaluator } = definition;
  await createTable(
    localStore,
    location,
    { schema, configuration, partitionColumns },
    { operation: "CREATE TABLE", domains },
  );
  // Kept for the life of the test: the work that it is given never ends by itself.
  const connection = await new Promise<DuckDBConnection>((resolve) => {
    void session.use(new AbortController().signal, async (own) => resolve(own));
  });
  const snapshot = async () => {
    const found = await readSnapshot(localStore, location);
    if (found === undefined) throw new Error(`${location} is gone`);
    return found;
  };
  const scan = async () => {
    const current = await snapshot();
    const live = await liveFiles(localStore, current, current.files);
    const deleted = new Map(live.flatMap((file) => (file.deleted === undefined ? [] : [[file.file, file.deleted]])));
    return scanFiles(current, current.files, deleted);
  };
  const texts = async (query: string) =>
    (await connection.runAndReadAll(`SELECT x::VARCHAR FROM (${query}) x`)).getRows().map(([row]) => String(row));
  return {
    ...duckdbTable(connection, localStore, location, evaluator),
    location,
    connection,
    snapshot,
    scan,
    async rows(query = "SELECT * FROM t ORDER BY ALL") {
      return texts(`WITH t AS (${await scan()}) ${query}`);
    },
    async changes(from, columns) {
      const current = await snapshot();
      const feed = [];
      for await (const version of readChangeFeed(localStore, current, from)) feed.push(version);
      return texts(`SELECT ${columns} FROM (${scanChanges(current, feed)}) ORDER BY ALL`);
    },
  };
}

/** A schema of nullable columns: `id long, v string`; a `!` behind a type means NOT NULL. */
export function schemaOf(text: string): StructType {
  const fields = text.split(",").map((part) => {
    const [name = "", type = ""] = part.trim().split(/\s+/);
    const kind = type.replace("!", "");
    return {
      name,
      type: { kind } as StructType["fields"][number]["type"],
      nullable: !type.endsWith("!"),
      metadata: {},
    };
  });
  return { kind: "struct", fields };
}
