import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  appendRows,
  createTable,
  type DataType,
  localStore,
  readHistory,
  readRows,
  readSnapshot,
  type Store,
} from "@ingot/delta";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/delta/src/testing/test-log.js";
import { closeTables, makeTable, schemaOf } from "../../packages/ingot/src/engine/duckdb/delta/test-table.js";
import expectedNames from "../fixtures/cases/V51/expected.json" with { type: "json" };

/** Cases from practice that need rows, a clock or a long log; the others stand beside the code that they are about. */
const column = (name: string, type: DataType) => ({ name, type, nullable: true, metadata: {} });
const schema = (...fields: ReturnType<typeof column>[]) => ({ kind: "struct" as const, fields });

afterEach(closeTables);

describe("V51: column names are data", () => {
  const names = ["Key Id", "Prod.Id", "1inch", "y--1", "UPPER", "upper_x"];
  const input = (file: string) => ({
    query: `FROM read_csv('${join(import.meta.dirname, "../fixtures/cases/V51/input", file)}', all_varchar = true)`,
  });

  it.each(["name", "id"])("merges by odd names, mode %s", async (mode) => {
    const table = await makeTable(schema(...names.map((name) => column(name, { kind: "string" }))), {
      configuration: { "delta.columnMapping.mode": mode },
    });
    await table.append(input("t.csv"));
    await table.merge({
      source: input("s.csv"),
      keys: ["Key Id", "Prod.Id"],
      matched: [
        { kind: "delete", condition: "s.UPPER = 'D'" },
        { kind: "update", set: "*" },
      ],
      notMatched: [{ values: "*" }],
    });
    const { schema: after } = await table.snapshot();
    expect(after.fields.map(({ name }) => name)).toEqual(names);
    const rows = (await table.connection.runAndReadAll(`${await table.scan()} ORDER BY 1`)).getRows();
    expect(rows).toEqual(expectedNames.check.rows);
  });
});

describe("V52: a decimal that is wider than the column", () => {
  const decimals = async (precision: number, scale: number) => {
    const table = await temporaryFolder();
    const type: DataType = { kind: "decimal", precision, scale };
    await createTable(localStore, table, { schema: schema(column("d", type)) }, { operation: "CREATE TABLE" });
    await appendRows(localStore, table, [{ d: "1.5" }]);
    const read = async () => {
      const snapshot = await readSnapshot(localStore, table);
      const rows: unknown[] = [];
      if (snapshot !== undefined) for await (const row of readRows(localStore, snapshot)) rows.push(row["d"]);
      return { version: snapshot?.version, rows };
    };
    return { append: () => appendRows(localStore, table, [{ d: "123456.789" }]), read };
  };

  it("is written where it fits", async () => {
    const { append, read } = await decimals(15, 3);
    await append();
    expect(await read()).toEqual({ version: 2n, rows: ["1.500", "123456.789"] });
  });

  it("is refused where it does not, and what was there stays", async () => {
    const { append, read } = await decimals(4, 1);
    await expect(append()).rejects.toMatchObject({
      name: "DeltaError",
      message: expect.stringContaining("123456.789"),
    });
    expect(await read()).toEqual({ version: 1n, rows: ["1.5"] });
  });
});

it("V53: the time of a commit is in the commit", async () => {
  const table = await temporaryFolder();
  const clock = (time: string) => ({ now: () => Date.parse(`2026-10-01T${time}Z`) });
  const definition = {
    schema: schema(column("id", { kind: "long" })),
    configuration: { "delta.enableInCommitTimestamps": "true" },
  };
  await createTable(localStore, table, definition, { operation: "CREATE TABLE" }, clock("10:00:00.000"));
  await appendRows(localStore, table, [{ id: 1n }], clock("10:00:05.000"));
  await appendRows(localStore, table, [{ id: 2n }], clock("09:59:50.000"));
  const today = new Date();
  for (const { name } of await localStore.list(`${table}/_delta_log`))
    await utimes(`${table}/_delta_log/${name}`, today, today);

  const times = (await readHistory(localStore, table)).map(({ timestamp }) => new Date(timestamp).toISOString());
  expect(times.reverse()).toEqual(
    ["10:00:00.000", "10:00:05.000", "10:00:05.001"].map((time) => `2026-10-01T${time}Z`),
  );
  const at = async (time: string) =>
    (await readSnapshot(localStore, table, { timestamp: `2026-10-01 ${time}` }))?.version;
  expect(await at("10:00:02")).toBe(0n);
  expect(await at("10:00:05.000")).toBe(1n);
  expect(await at("10:00:05.001")).toBe(2n);
  await expect(at("09:59:59")).rejects.toMatchObject({ code: "DELTA_VERSION_NOT_FOUND" });
  await expect(at("10:00:06")).rejects.toMatchObject({ code: "DELTA_VERSION_NOT_FOUND" });
});

it("V55: opening a table of 6,000 commits reads its last checkpoint and what follows", async () => {
  const table = await temporaryFolder();
  const reads: string[] = [];
  let lists = 0;
  const counting: Store = {
    ...localStore,
    read: (path, range) => {
      reads.push(path);
      return localStore.read(path, range);
    },
    list: (folder) => {
      lists += 1;
      return localStore.list(folder);
    },
  };
  const definition = { schema: schemaOf("id long") };
  await createTable(localStore, table, definition, { operation: "CREATE TABLE" });
  // What 5,989 appends leave, and the same by every path of the library from there on.
  for (let version = 1; version < 5990; version += 1) {
    const add = { path: `f${version}`, partitionValues: {}, size: 1, modificationTime: 1, dataChange: true };
    const name = `${version.toString().padStart(20, "0")}.json`;
    await writeFile(join(table, "_delta_log", name), `${JSON.stringify({ add })}\n`);
  }
  for (let id = 0n; id < 12n; id += 1n) await appendRows(localStore, table, [{ id }]);

  const snapshot = await readSnapshot(counting, table);
  expect(snapshot?.version).toBe(6001n);
  expect(snapshot?.files).toHaveLength(6001);
  expect(reads.length).toBeLessThan(110);
  expect(lists).toBe(1);

  // Default maintenance: 40 days later the commits that no kept version needs are gone.
  const later = { now: () => Date.now() + 40 * 86_400_000 };
  for (let id = 12n; id < 22n; id += 1n) await appendRows(localStore, table, [{ id }], later);
  const log = await localStore.list(`${table}/_delta_log`);
  expect(log.filter(({ name }) => name.endsWith(".json")).length).toBeLessThan(110);
  expect((await readSnapshot(localStore, table))?.files).toHaveLength(6011);
}, 60_000);
