import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localStore, readChangeFeed, readSnapshot, type VersionFeed } from "@ingot/delta";
import { describe, expect, it, onTestFinished } from "vitest";
import { DuckdbSession } from "../../packages/ingot/src/engine/duckdb/duckdb-session.js";
import { scanChanges } from "../../packages/ingot/src/engine/duckdb/scan-changes.js";
import { findSuite } from "./suite.js";

/** The rows that delta-kernel-rs expects of its own tables (`kernel/tests/cdf.rs`), as `version change columns…`. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  "cdf-table-with-dv": [
    ...each(0, "insert", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ...each(1, "delete", [0, 9]),
    ...each(2, "insert", [0, 9]),
    ...each(3, "delete", [0, 1, 4, 5]),
    ...each(4, "insert", [1, 4]),
    ...each(5, "delete", [3]),
    ...each(5, "insert", [0, 5]),
    ...each(6, "insert", [3]),
  ],
  "cdf-table": [
    ...each(0, "insert", ["1 Steve 2023-12-22", "2 Bob 2023-12-23", "3 Dave 2023-12-23", "4 Kate 2023-12-23"]),
    ...each(0, "insert", ["5 Emily 2023-12-24", "6 Carl 2023-12-24", "7 Dennis 2023-12-24", "8 Claire 2023-12-25"]),
    ...each(0, "insert", ["9 Ada 2023-12-25", "10 Borb 2023-12-25"]),
    ...each(1, "update_preimage", ["3 Dave 2023-12-23", "4 Kate 2023-12-23", "2 Bob 2023-12-23"]),
    ...each(1, "update_postimage", ["3 Dave 2023-12-22", "4 Kate 2023-12-22", "2 Bob 2023-12-22"]),
    ...each(2, "update_preimage", ["7 Dennis 2023-12-24", "5 Emily 2023-12-24", "6 Carl 2023-12-24"]),
    ...each(2, "update_postimage", ["7 Dennis 2023-12-29", "5 Emily 2023-12-29", "6 Carl 2023-12-29"]),
    ...each(3, "delete", ["7 Dennis 2023-12-29"]),
  ],
  "cdf-table-with-cdc-and-dvs": [
    ...each(0, "insert", ["1 initial"]),
    ...each(1, "insert", ["2 insert1", "3 insert1-delete1", "4 insert1-delete2", "5 insert1-delete2"]),
    ...each(2, "delete", ["3 insert1-delete1"]),
    ...each(4, "insert", ["3 insert1-delete1"]),
    ...each(5, "delete", ["4 insert1-delete2", "5 insert1-delete2"]),
    ...each(7, "insert", ["4 insert1-delete2"]),
    ...each(8, "insert", ["5 insert2"]),
    ...each(9, "update_preimage", ["1 initial", "2 insert1", "3 insert1-delete1"]),
    ...each(9, "update_postimage", ["1 update1", "2 update1", "3 update1"]),
    ...each(10, "delete", ["1 update1"]),
    ...each(12, "update_preimage", ["2 update1"]),
    ...each(12, "update_postimage", ["2 update2"]),
    ...each(14, "insert", ["6 insert3", "7 insert3"]),
    ...each(15, "insert", ["8 insert4", "9 insert4"]),
    ...each(16, "delete", ["8 insert4", "7 insert3"]),
    ...each(18, "insert", ["10 merge1-insert", "11 merge1-insert"]),
    ...each(18, "update_preimage", ["9 insert4"]),
    ...each(18, "update_postimage", ["9 merge1-update"]),
    ...each(20, "update_preimage", ["11 merge1-insert"]),
    ...each(20, "update_postimage", ["11 "]),
    ...each(22, "insert", ["12 merge2-insert"]),
    ...each(22, "delete", ["11 "]),
    ...each(24, "delete", ["3 update1", "4 insert1-delete2", "5 insert2", "2 update2", "6 insert3", "9 merge1-update"]),
    ...each(25, "insert", ["0 new", "1 after-large-delete", "2 "]),
  ],
  "cdf-table-simple": [
    ...each(0, "insert", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ...each(1, "delete", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ...each(2, "insert", [20, 21, 22, 23, 24]),
  ],
  "cdf-table-update-ops": [
    ...each(0, "insert", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ...each(1, "update_pre", [20, 21, 22, 23, 24]),
    ...each(2, "update_post", [30, 31, 32, 33, 34]),
  ],
  "cdf-table-partitioned": [
    ...each(0, "insert", ["0 old 0", "1 old 1", "2 old 0", "3 old 1", "4 old 0", "5 old 1"]),
    ...each(1, "delete", ["3 old 1"]),
    ...each(1, "update_preimage", ["1 old 1"]),
    ...each(1, "update_postimage", ["1 new 1"]),
    ...each(2, "delete", ["0 old 0", "2 old 0", "4 old 0"]),
  ],
  "cdf-table-backtick-column-names": [
    ...each(0, "insert", ["2 10 {'field': 1, 'field.one': 2}", "4 10 {'field': 1, 'field.one': 2}"]),
    ...each(
      1,
      "insert",
      [1, 3, 5].map((id) => `${id} 10 {'field': 1, 'field.one': 2}`),
    ),
  ],
  "cdf-table-delete-unconditional": [
    ...each(0, "insert", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ...each(1, "delete", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
  ],
  "cdf-table-delete-conditional-all-rows": [
    ...each(0, "insert", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ...each(1, "delete", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
  ],
};

function each(version: number, change: string, rows: readonly (string | number)[]): string[] {
  return rows.map((row) => `${version} ${change} ${row}`);
}

describe("the change feed of delta-kernel-rs's tables", () => {
  const suite = findSuite();
  const folder = suite === undefined ? "" : join(suite, "tables/kernel-rs/kernel/tests/data");
  for (const [name, rows] of Object.entries(EXPECTED)) {
    const table = join(folder, name);
    it.skipIf(!existsSync(join(table, "_delta_log")))(
      `${name} (skipped where the public tables are absent)`,
      async () => {
        expect(await readRows(table)).toEqual([...rows].sort());
      },
    );
  }
});

async function readRows(table: string): Promise<string[]> {
  const snapshot = await readSnapshot(localStore, table);
  if (snapshot === undefined) throw new Error(`${table} has no log`);
  const feed: VersionFeed[] = [];
  for await (const version of readChangeFeed(localStore, snapshot, 0n)) feed.push(version);
  const columns = snapshot.schema.fields.map(({ name }) => `coalesce("${name}"::VARCHAR, '')`);
  const scratch = mkdtempSync(join(tmpdir(), "delta-change-feed-"));
  const session = new DuckdbSession(scratch);
  onTestFinished(async () => {
    await session.close();
    rmSync(scratch, { recursive: true, force: true });
  });
  const text = `SELECT concat_ws(' ', _commit_version, _change_type, ${columns.join(", ")}) FROM (${scanChanges(snapshot, feed)})`;
  const result = await session.use(new AbortController().signal, (connection) => connection.runAndReadAll(text));
  return result
    .getRows()
    .map(([row]) => String(row))
    .sort();
}
