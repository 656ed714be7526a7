import { afterAll, expect, it } from "vitest";
import { closeTables, makeTable, schemaOf, type TestTable } from "./test-table.js";

afterAll(closeTables);

const ROWS = 40_000;
const FEED = { "delta.enableChangeDataFeed": "true", "delta.enableDeletionVectors": "true" };
const CLUSTERED = new Map([
  ["delta.clustering", JSON.stringify({ clusteringColumns: [["a"], ["b"]], domainName: "delta.clustering" })],
]);

/** Rows whose columns a and b have nothing to do with each other, in two files, some of them deleted. */
async function fill(table: TestTable): Promise<void> {
  for (const half of [0, 1])
    await table.append({
      query: `SELECT nullif((i * 7919) % 997, 5) AS a, lpad(((i * 104729) % 1009)::VARCHAR, 5, '0') AS b, md5(i::VARCHAR) AS c
              FROM range(${(half * ROWS) / 2}, ${((half + 1) * ROWS) / 2}) r(i)`,
    });
  await table.delete({ where: "t.a % 10 = 3" });
}

/** Of files, for a point of the plane: how many may hold it by their statistics. */
async function filesAt(table: TestTable): Promise<number[]> {
  const { files } = await table.snapshot();
  const boxes = files.map(({ stats = "{}" }) => JSON.parse(stats));
  return [100, 500, 900].map(
    (a) =>
      boxes.filter(
        ({ minValues: min, maxValues: max }) => min.a <= a && a <= max.a && min.b <= "00500" && "00500" <= max.b,
      ).length,
  );
}

it.each([
  ["clustering along a Hilbert curve", { domains: CLUSTERED }, {}],
  ["ZORDER BY", {}, { zOrderBy: [["b"], ["a"]] }],
] as const)("%s keeps all rows and lets readers pass over most files", async (_name, definition, options) => {
  const configuration = { ...FEED, "delta.targetFileSize": "40kb" };
  const table = await makeTable(schemaOf("a long, b string, c string"), { configuration, ...definition });
  await fill(table);
  const rows = await table.rows("SELECT count(*) AS n, count(a) AS a, sum(hash(a, b, c)) AS h FROM t");
  const { version } = await table.snapshot();
  await table.optimize(options);
  expect(await table.rows("SELECT count(*) AS n, count(a) AS a, sum(hash(a, b, c)) AS h FROM t")).toEqual(rows);
  const { files } = await table.snapshot();
  expect(files.length).toBeGreaterThan(8);
  expect(files.every(({ deletionVector }) => deletionVector === undefined)).toBe(true);
  // A point of a plane that is cut into n ranges of a curve lies in one or, at their borders, few of them.
  for (const count of await filesAt(table)) expect(count).toBeLessThanOrEqual(files.length / 3);
  expect(await table.changes(version + 1n, "_change_type")).toEqual([]);
});

it("compaction gathers small files, those of each partition apart", async () => {
  const table = await makeTable(schemaOf("id long, p string"), { partitionColumns: ["p"] });
  for (let i = 0; i < 4; i++)
    await table.append({
      query: `SELECT r.i + ${i * 10} AS id, chr((97 + r.i % 2)::INTEGER) AS p FROM range(10) r(i)`,
    });
  expect((await table.snapshot()).files).toHaveLength(8);
  await table.optimize();
  const { files } = await table.snapshot();
  expect(files.map(({ partitionValues }) => partitionValues["p"]).sort()).toEqual(["a", "b"]);
  expect(await table.rows("SELECT p, list(id ORDER BY id) AS ids FROM t GROUP BY p ORDER BY p")).toEqual(
    ["a", "b"].map((p, odd) => {
      const ids = Array.from({ length: 20 }, (_, i) => 2 * i + odd);
      return `{'p': ${p}, 'ids': [${ids.join(", ")}]}`;
    }),
  );
});
