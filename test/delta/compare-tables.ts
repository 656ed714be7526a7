import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { localStore } from "@ingot/delta";
import { DuckdbSession } from "../../packages/ingot/src/engine/duckdb/duckdb-session.js";
import { fromDuckdb } from "../../packages/ingot/src/engine/duckdb/errors.js";
import { TextCopies } from "../../packages/ingot/src/engine/duckdb/files/text-copies.js";
import { queryText } from "../../packages/ingot/src/engine/duckdb/relations.js";
import { withDelta } from "../../packages/ingot/src/engine/tables/delta-errors.js";
import { snapshotOf } from "../../packages/ingot/src/engine/tables/table-state.js";
import { IngotError } from "../../packages/ingot/src/model/error.js";
import { tableQuery } from "./table-query.js";

/** What a reader makes of a table: its rows, or why it cannot read them. */
export interface Reading {
  readonly rows?: number;
  /** Of all rows as JSON, whatever their order; `None` for no rows. */
  readonly jsonMd5Sum?: string;
  /** DuckDB's types by column. */
  readonly schema?: Readonly<Record<string, string>>;
  readonly error?: string;
}

export interface Comparison {
  /** Path of the table below the folder. */
  readonly table: string;
  /** `unknown`: it was read, and nobody has told what is right. */
  readonly outcome: "equal" | "refused" | "different" | "unknown";
  readonly difference: string;
}

/** Reads every Delta table below a folder and compares it with what is expected, by its path. */
export async function* compareTables(
  folder: string,
  expected: Readonly<Record<string, Reading>>,
): AsyncGenerator<Comparison> {
  const scratch = mkdtempSync(join(tmpdir(), "delta-conformance-"));
  const session = new DuckdbSession(scratch);
  try {
    for (const path of findTables(folder)) {
      const table = relative(folder, path);
      yield { table, ...compare(await readTable(session, path), expected[table]) };
    }
  } finally {
    await session.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function readExpected(path: string): Record<string, Reading> {
  return JSON.parse(readFileSync(path, "utf8"));
}

function findTables(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.name === "_delta_log")
    .map((entry) => entry.parentPath)
    .sort();
}

function compare(actual: Reading, expected: Reading | undefined): Omit<Comparison, "table"> {
  if (actual.error !== undefined) {
    const was = expected === undefined || expected.error !== undefined ? "" : ` (expected ${expected.rows} rows)`;
    return { outcome: "refused", difference: `${actual.error}${was}` };
  }
  if (expected === undefined) return { outcome: "unknown", difference: `${actual.rows} rows` };
  if (expected.error !== undefined)
    return { outcome: "different", difference: `${actual.rows} rows instead of the error: ${expected.error}` };
  const differing = (["rows", "schema", "jsonMd5Sum"] as const).find(
    (key) => JSON.stringify(actual[key]) !== JSON.stringify(expected[key]),
  );
  return differing === undefined
    ? { outcome: "equal", difference: "" }
    : {
        outcome: "different",
        difference: `${differing} ${JSON.stringify(actual[differing])} instead of ${JSON.stringify(expected[differing])}`,
      };
}

/** By the way of the product: its snapshot, its scan, its session. */
async function readTable(session: DuckdbSession, location: string): Promise<Reading> {
  try {
    const rows = await withDelta(() => scanText(location));
    return await session.use(new AbortController().signal, async (connection) => {
      const described = await connection.runAndReadAll(`DESCRIBE ${rows}`);
      const schema = Object.fromEntries(described.getRows().map(([name, type]) => [String(name), String(type)]));
      const hash = "sum(('0x' || md5(to_json(t)::VARCHAR)[1:12])::BIGINT::HUGEINT)";
      const [row] = (await connection.runAndReadAll(`SELECT count(*), ${hash} FROM (${rows}) t`)).getRows();
      return { rows: Number(row?.[0]), jsonMd5Sum: String(row?.[1] ?? "None"), schema };
    });
  } catch (error) {
    const named = fromDuckdb(error, location);
    if (named instanceof IngotError && /^DELTA_/.test(named.code)) return { error: `${named.code} ${named.message}` };
    throw new Error(`${location}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

async function scanText(location: string): Promise<string> {
  const snapshot = await snapshotOf(localStore, location);
  if (snapshot === undefined) throw new Error("no table");
  return queryText(tableQuery(location, snapshot.version, "SELECT * FROM t"), {
    store: localStore,
    copies: new TextCopies(location),
    lineNumber: false,
  });
}
