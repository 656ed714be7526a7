import { readdirSync } from "node:fs";
import { localStore, readSnapshot, type Snapshot } from "@ingot/delta";
import { expect, it } from "vitest";
import { ingot, LANDING, projectMaker, refusal, rows, writeProject } from "./cli.js";

const project = projectMaker();

function snapshot(folder: string, table: string): Promise<Snapshot | undefined> {
  return readSnapshot(localStore, `${folder}/storage/warehouse/default/${table}`);
}

it("PARTITIONED BY puts the rows of each value into a folder, and stays what it is", async () => {
  const declare = (columns: string) => ({
    "transformations/t.sql": `CREATE STREAMING TABLE t PARTITIONED BY (${columns}) AS
       SELECT *, upper(v) AS w FROM STREAM ${LANDING};
     CREATE MATERIALIZED VIEW m PARTITIONED BY (v) AS SELECT v, count(*) AS n FROM t GROUP BY v;`,
  });
  const folder = project({ ...declare("V"), "landing/1.csv": "id,v\n1,a\n2,b\n3,a\n" });
  expect(await ingot(["run"], { cwd: folder })).toMatchObject({ code: 0 });
  writeProject(folder, { "landing/2.csv": "id,v\n4,\n" });
  expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  const t = await snapshot(folder, "t");
  expect(t?.metadata.partitionColumns).toEqual(["v"]);
  expect(t?.files.map((file) => file.partitionValues["v"] ?? null).sort()).toEqual(["a", "b", null]);
  const folders = readdirSync(`${folder}/storage/warehouse/default/t`).filter((name) => name.startsWith("v="));
  expect(folders.sort()).toEqual(["v=__HIVE_DEFAULT_PARTITION__", "v=a", "v=b"]);
  expect(await rows(folder, "SELECT id, v, w FROM t ORDER BY id")).toEqual([
    { id: "1", v: "a", w: "A" },
    { id: "2", v: "b", w: "B" },
    { id: "3", v: "a", w: "A" },
    { id: "4", v: null, w: null },
  ]);
  expect(await rows(folder, "SELECT n FROM m WHERE v = 'a'")).toEqual([{ n: "2" }]);

  writeProject(folder, declare("w"));
  expect(await refusal(folder, "run")).toMatchObject({
    code: 3,
    errors: [{ code: "CANNOT_UPDATE_PARTITION_COLUMNS", at: "transformations/t.sql:1:1" }],
  });
  expect((await ingot(["run", "--full-refresh", "t"], { cwd: folder })).code).toBe(0);
  expect((await snapshot(folder, "t"))?.metadata.partitionColumns).toEqual(["w"]);
  expect(await rows(folder, "SELECT count(*) AS n FROM t WHERE w = 'A'")).toEqual([{ n: "2" }]);
});

it("CLUSTER BY is the table's clustering domain: it comes, changes and goes with the definition", async () => {
  const declare = (clause: string) => ({
    "transformations/t.sql": `CREATE STREAMING TABLE t ${clause} AS SELECT * FROM STREAM ${LANDING};`,
  });
  const columns = async (folder: string) =>
    JSON.parse((await snapshot(folder, "t"))?.domains.get("delta.clustering") ?? "null")?.clusteringColumns;
  const folder = project({ ...declare("CLUSTER BY (V, id)"), "landing/1.csv": "id,v\n3,b\n1,a\n2,b\n" });
  expect(await ingot(["run"], { cwd: folder })).toMatchObject({ code: 0 });
  expect(await columns(folder)).toEqual([["v"], ["id"]]);
  // In the order of the columns, so that one file holds what belongs together.
  expect((await rows(folder, "SELECT id FROM t")).map((row) => (row as { id: string }).id)).toEqual(["1", "2", "3"]);

  writeProject(folder, declare("CLUSTER BY (id)"));
  expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  expect(await columns(folder)).toEqual([["id"]]);
  writeProject(folder, declare(""));
  expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  expect(await columns(folder)).toEqual([]);

  writeProject(folder, declare("CLUSTER BY (nope)"));
  expect(await refusal(folder, "run")).toMatchObject({
    code: 3,
    errors: [{ code: "UNRESOLVED_COLUMN.WITH_SUGGESTION" }],
  });
});
