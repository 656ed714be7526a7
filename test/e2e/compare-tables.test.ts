import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DuckdbEngine } from "../../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import type { ResultSet } from "../../packages/ingot/src/engine/engine.js";
import { compareTables, type TableComparison } from "../../packages/ingot/src/parity/compare-tables.js";
import { ingot, projectMaker, run } from "./cli.js";

const project = projectMaker();

/** Two tables, each of the rows of its own statement. */
async function compare(left: string, right: string, ignored: readonly string[] = []): Promise<TableComparison> {
  const cwd = project({
    "transformations/a.sql": `CREATE MATERIALIZED VIEW l ${left};\nCREATE MATERIALIZED VIEW r ${right};`,
  });
  await run(cwd);
  const engine = new DuckdbEngine(join(cwd, "storage"));
  const state = (name: string) => engine.describe(join(cwd, "storage/warehouse/default", name));
  const ask = async (sql: string): Promise<ResultSet> => {
    const { stdout } = await ingot(["query", sql, "--json"], { cwd });
    const { rows } = JSON.parse(stdout) as { rows: Record<string, never>[] };
    return { columns: [], rows: rows.map((row) => Object.values(row)), truncated: false };
  };
  try {
    const pair = { name: "t", left: await state("l"), right: await state("r"), ignored: new Set(ignored) };
    return await compareTables(pair, ask, 2);
  } finally {
    await engine.close();
  }
}

const ROWS = "(1, 'a', array(1, 2)), (2, NULL, NULL), (2, NULL, NULL)";
const TABLE = `AS SELECT * FROM VALUES ${ROWS} AS t(id, name, list)`;

describe("two tables", () => {
  it("are equal in whatever order their rows are", async () => {
    const other =
      "AS SELECT * FROM VALUES (2, NULL, NULL), (2, NULL, NULL), (1, 'a', array(1, 2)) AS t(id, name, list)";
    const found = await compare(TABLE, other);
    expect(found).toMatchObject({ equal: true, schema: [], columns: [], left: { rows: 3 }, right: { rows: 3 } });
    expect(found.left?.hash).toBe(found.right?.hash);
  });

  it("differ in a value: the column is named, and rows of both sides stand beside each other", async () => {
    const found = await compare(TABLE, TABLE.replace("'a'", "'b'"));
    expect(found).toMatchObject({
      equal: false,
      columns: ["name"],
      onlyLeft: [{ id: 1, name: "a", list: [1, 2] }],
      onlyRight: [{ id: 1, name: "b", list: [1, 2] }],
    });
  });

  it("differ where a row is there twice on one side", async () => {
    const found = await compare(
      TABLE,
      "AS SELECT * FROM VALUES (1, 'a', array(1, 2)), (2, NULL, NULL) AS t(id, name, list)",
    );
    expect(found).toMatchObject({
      equal: false,
      left: { rows: 3 },
      right: { rows: 2 },
      onlyLeft: [{ id: 2, name: null, list: null }],
      onlyRight: [],
    });
  });

  it("are equal but for columns that are left out", async () => {
    expect(await compare(TABLE, TABLE.replace("'a'", "'b'"), ["name"])).toMatchObject({ equal: true });
  });

  it("differ in their columns and their layout", async () => {
    const left = "CLUSTER BY (id) AS SELECT 1 AS id, 2 AS n, 3 AS gone";
    const right = "(id INT COMMENT 'the key', n BIGINT) AS SELECT 1 AS id, 2L AS n";
    expect((await compare(left, right)).schema).toEqual([
      `column id: int / int COMMENT "the key"`,
      "column n: int / bigint",
      "column gone: int / missing",
      "CLUSTER BY (id) / ()",
    ]);
  });
});
