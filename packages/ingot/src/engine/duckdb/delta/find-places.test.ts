import { localStore } from "@ingot/delta";
import { afterAll, describe, expect, it } from "vitest";
import { findPlaces } from "./find-places.js";
import { FILE, ROW } from "./hidden-columns.js";
import { closeTables, makeTable, schemaOf, type TestTable } from "./test-table.js";

afterAll(closeTables);

const FEED = { "delta.enableDeletionVectors": "true", "delta.enableChangeDataFeed": "true" };
const TRACKED = { ...FEED, "delta.enableRowTracking": "true" };

/** Two files, with row 2 deleted in the first one and row 4 updated, so that it lies in a third. */
async function threeFiles(configuration: Readonly<Record<string, string>>): Promise<TestTable> {
  const table = await makeTable(schemaOf("id long, v string, n long"), { configuration });
  const rows = (from: number) =>
    `SELECT range AS id, 'v' || range AS v, range * 10 AS n FROM range(${from}, ${from + 3})`;
  await table.append({ query: rows(1) });
  await table.append({ query: rows(4) });
  await table.delete({ where: "t.id = 2" });
  await table.update({ where: "t.id = 4", set: { v: "'new'" } });
  return table;
}

async function placesOf(table: TestTable, ids: readonly number[]) {
  await table.connection.run(`CREATE OR REPLACE TEMP TABLE wanted AS SELECT unnest([${ids.join(", ")}])::BIGINT AS id`);
  const asked = { keys: ["id"], mark: "id", columns: ["n"], wanted: "wanted", table: "places" };
  return findPlaces(table.connection, localStore, await table.snapshot(), asked);
}

const found = async ({ connection }: TestTable, columns: string) =>
  (await connection.runAndReadAll(`SELECT ${columns} FROM places ORDER BY id`)).getRows().map((row) => row.map(Number));

/** A merge that updates 1 and 4, deletes 5, and inserts 9; with conditions over the source alone. */
const merge = {
  source: { query: "FROM (VALUES (1::BIGINT, 'x', 1::BIGINT), (4, 'x', 1), (5, NULL, 0), (9, 'x', 1)) s(id, v, n)" },
  keys: ["id"],
  matched: [{ kind: "delete", condition: "s.n = 0" } as const, { kind: "update", set: "*" } as const],
  notMatched: [{ values: "*", condition: "s.n > 0" } as const],
} as const;
const MERGED = ["1 x", "3 v3", "4 x", "6 v6", "9 x"];
const rowsOf = async (table: TestTable) =>
  (await table.rows("SELECT id || ' ' || v AS r FROM t ORDER BY id")).map((row) => row.slice(6, -1));

describe.each([
  ["with deletion vectors", FEED],
  ["with row tracking", TRACKED],
])("a table %s", (_name, configuration) => {
  it("gives the places of live rows alone, with what was asked for", async () => {
    const table = await threeFiles(configuration);
    const { version, files } = await placesOf(table, [1, 2, 4, 6, 7]);
    expect(version).toBe(4n);
    expect(await found(table, "id, n")).toEqual([
      [1, 10],
      [4, 40],
      [6, 60],
    ]);
    const [first, fourth, sixth] = await found(table, `${FILE}, ${ROW}`);
    const rows = await Promise.all(
      [first, fourth, sixth].map(async ([file = 0, row = 0] = []) => {
        const path = `${table.location}/${files[file]?.path}`;
        const read = await table.connection.runAndReadAll(
          `SELECT id FROM read_parquet('${path}') WHERE file_row_number = ${row}`,
        );
        return Number(read.getRows()[0]?.[0]);
      }),
    );
    expect(rows).toEqual([1, 4, 6]);
  });

  it("is merged into by them as without them", async () => {
    const [by, without] = [await threeFiles(configuration), await threeFiles(configuration)];
    const places = await placesOf(by, [1, 4, 5, 9]);
    expect((await by.merge({ ...merge, places })).rows).toEqual((await without.merge(merge)).rows);
    expect(await rowsOf(by)).toEqual(MERGED);
    expect(await by.changes(5n, "_change_type, id, v")).toEqual(await without.changes(5n, "_change_type, id, v"));
  });

  it("is searched again where another writer was faster", async () => {
    const table = await threeFiles(configuration);
    const places = await placesOf(table, [1, 4, 5, 9]);
    await table.append({ query: "SELECT 9::BIGINT AS id, 'late' AS v, 1::BIGINT AS n" });
    expect((await table.merge({ ...merge, places })).rows).toMatchObject({ updated: 3, deleted: 1, inserted: 0 });
    expect(await rowsOf(table)).toEqual(MERGED);
  });
});
