import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localStore, readSnapshot } from "@ingot/delta";
import { expect, it, onTestFinished } from "vitest";
import { DuckdbEngine } from "../../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import type { Field } from "../../packages/ingot/src/model/data-type.js";
import { tableQuery } from "./table-query.js";

/** Tables from practice, kept in `fixtures`, that readers have got wrong. */
function open(name: string) {
  const folder = mkdtempSync(join(tmpdir(), "delta-practice-"));
  const table = join(folder, "table");
  cpSync(join(import.meta.dirname, "fixtures", name), table, { recursive: true });
  const engine = new DuckdbEngine(join(folder, "storage"));
  onTestFinished(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { signal } = new AbortController();
  const query = async (version: bigint, sql: string, ...columns: string[]) => {
    const schema = columns.map((name): Field => ({ name, type: { kind: "int" }, nullable: true }));
    return (await engine.query(tableQuery(table, version, sql, schema), { signal })).rows;
  };
  return { table, engine, query, signal };
}

it("a deletion vector in a partitioned table hides its rows, in its version only", async () => {
  const { query } = open("partitioned-deletion-vector");
  expect(await query(1n, "SELECT id, part FROM t", "id", "part")).toEqual([[2, 1]]);
  expect(await query(0n, "SELECT id, part FROM t ORDER BY id", "id", "part")).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ]);
  expect(await query(1n, "SELECT count(*)::INTEGER AS n FROM t", "n")).toEqual([[1]]);
  expect(await query(1n, "SELECT count(*)::INTEGER AS n FROM t WHERE part = 1", "n")).toEqual([[1]]);
});

it.each([
  ["ts = '2024-05-01 10:00:00.123456Z'", 1],
  ["ts > '2024-05-01 10:00:00.123Z'", 1],
  ["ts >= '2024-05-01 10:00:00.123400Z'", 1],
  ["ts > '2024-05-01 10:00:00.124Z'", 0],
])("statistics cut to milliseconds hide no row: %s", async (condition, count) => {
  const { query } = open("millisecond-statistics");
  expect(await query(0n, `SELECT count(*)::INTEGER AS n FROM t WHERE ${condition}`, "n")).toEqual([[count]]);
});

it("a checkpoint that is cut off costs a warning that names it; the table is read and grows", async () => {
  const { table, engine, query, signal } = open("half-written-checkpoint");
  expect((await query(4n, "SELECT id FROM t ORDER BY id", "id")).flat()).toEqual([1, 2, 3, 4, 5]);
  expect((await readSnapshot(localStore, table))?.warnings).toEqual([
    expect.stringContaining("00000000000000000003.checkpoint.parquet"),
  ]);
  const id: Field = { name: "id", type: { kind: "int" }, nullable: true };
  const bound = tableQuery(table, 4n, "SELECT max(id) + 1 AS id FROM t", [id]);
  const transaction = { appId: "test", version: 0n };
  const target = { location: table, name: "table", schema: [id], properties: {} };
  const written = await engine.write({ target, mode: "append", parts: [{ bound, transaction }], note: "" }, signal);
  expect(written.version).toBe(5n);
  expect((await query(5n, "SELECT id FROM t ORDER BY id", "id")).flat()).toEqual([1, 2, 3, 4, 5, 6]);
});
