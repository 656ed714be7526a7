import { describe, expect, it } from "vitest";
import { ingot, LANDING, projectMaker, refusal, storedFiles } from "./cli.js";

const project = projectMaker();
const FILES = {
  "transformations/all.sql": `CREATE STREAMING TABLE bronze AS SELECT *, _metadata.file_name AS f FROM STREAM ${LANDING};
CREATE TEMPORARY VIEW good AS SELECT id, upper(v) AS v FROM bronze WHERE f > 'a';
CREATE MATERIALIZED VIEW gold.counts AS SELECT v, count(*) AS n, max(id) AS last FROM good GROUP BY v;
CREATE MATERIALIZED VIEW own TBLPROPERTIES ('ingot.dialect' = 'duckdb') AS SELECT n FROM gold.counts;`,
};
const name = (table: string) => `spark_catalog.default.${table}`;

describe("ingot lineage", () => {
  it("says for each column where it comes from, one step up, without a run", async () => {
    const cwd = project(FILES);
    const { code, stdout, stderr } = await ingot(["lineage"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`bronze reads landing
  id    copied from landing.id
  v     copied from landing.v
  f     copied from landing._metadata.file_name

good reads bronze
  id    copied from bronze.id
  v     computed from bronze.v
  rows  decided by bronze.f

gold.counts reads good
  v     copied from good.v
  n     no column
  last  aggregated from good.id
  rows  decided by good.v

own reads gold.counts
  n     not known: the query is in the engine's own SQL
`);
    expect(storedFiles(cwd)).toEqual([]);
    expect((await ingot(["lineage", "GOLD.Counts"], { cwd })).stdout).toMatch(/^gold\.counts reads good\n/);
  });

  it("tells programs complete names", async () => {
    const cwd = project(FILES);
    const { stdout } = await ingot(["lineage", "good", "own", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({
      datasets: [
        {
          name: name("good"),
          kind: "temporary-view",
          reads: [name("bronze")],
          complete: true,
          influences: [{ dataset: name("bronze"), column: "f" }],
          columns: [
            { name: "id", type: "bigint", sources: [{ dataset: name("bronze"), column: "id", how: "copied" }] },
            { name: "v", type: "string", sources: [{ dataset: name("bronze"), column: "v", how: "computed" }] },
          ],
        },
        {
          name: name("own"),
          kind: "materialized-view",
          reads: ["spark_catalog.gold.counts"],
          complete: false,
          influences: [],
          columns: [{ name: "n", type: "bigint", sources: [] }],
        },
      ],
    });
  });

  it("joins what all flows of a table give, also after the table was made", async () => {
    const cwd = project({
      "landing/1.csv": "id,v\n1,a\n",
      "transformations/all.sql": `CREATE STREAMING TABLE t AS SELECT id, v FROM STREAM ${LANDING};
CREATE FLOW more AS INSERT INTO ONCE t BY NAME SELECT 7L AS id, name AS v, true AS late FROM other;
CREATE MATERIALIZED VIEW other AS SELECT 'x' AS name;`,
    });
    const columns = async () => {
      const { stdout } = await ingot(["lineage", "t", "--json"], { cwd });
      return JSON.parse(stdout).datasets[0].columns.map((c: { name: string; sources: { dataset: string }[] }) => [
        c.name,
        c.sources.map((s) => s.dataset),
      ]);
    };
    const expected = [
      ["id", ["landing"]],
      ["v", ["landing", name("other")]],
      ["late", []],
    ];
    expect(await columns()).toEqual(expected);
    expect((await ingot(["run"], { cwd })).code).toBe(0);
    expect(await columns()).toEqual(expected);
  });

  it("refuses a name that nothing has", async () => {
    expect(await refusal(project(FILES), "lineage", "godl.counts")).toMatchObject({
      code: 3,
      errors: [{ code: "UNKNOWN_TABLE", hint: "Did you mean gold.counts?" }],
    });
  });
});
