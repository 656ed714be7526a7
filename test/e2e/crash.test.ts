import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LANDING, projectMaker, rows, run } from "./cli.js";
import { dieAfter, dieIn } from "./die-after.js";

const project = projectMaker();

/** Where a process may die: right after a path that matches got its final name, or was opened. */
const MANIFEST = (table: string) => `_checkpoints/.*/${table}/[^/]+/\\d+(/batch-\\d+\\.json)?$`;
const PARQUET = (table: string) => `/${table}/part-[^/]+\\.parquet$`;
const COMMIT = (table: string) => `/${table}/_delta_log/\\d+\\.json$`;
const ALL_POINTS = [
  ["the manifest", MANIFEST],
  ["the Parquet file", PARQUET],
  ["the commit", COMMIT],
] as const;

const deliver = (folder: string, id: number) => writeFileSync(`${folder}/landing/${id}.csv`, `id,v\n${id},x\n`);
const ids = async (folder: string, from: string) =>
  (await rows(folder, `SELECT id FROM ${from} ORDER BY id`)).map((row) => row["id"]);

const PLAIN = `CREATE STREAMING TABLE b AS SELECT * FROM STREAM ${LANDING};
CREATE MATERIALIZED VIEW c AS SELECT id FROM b;`;

describe("a process that dies", () => {
  for (const table of ["b", "c"]) {
    it.each(ALL_POINTS)(`in a first run, after %s of ${table}: the next run has each row once`, async (_, point) => {
      const folder = project({ "transformations/all.sql": PLAIN, "landing/1.csv": "id,v\n1,x\n" });
      await dieAfter(point(table), folder);
      await run(folder);
      expect(await ids(folder, "b")).toEqual(["1"]);
      expect(await ids(folder, "c")).toEqual(["1"]);
    });
  }

  it.each(ALL_POINTS)(
    "in an append, after %s: the batch is what was planned, though newer files have come",
    async (_, point) => {
      const folder = project({ "transformations/all.sql": PLAIN, "landing/1.csv": "id,v\n1,x\n" });
      await run(folder);
      deliver(folder, 2);
      await dieAfter(point("b"), folder);
      deliver(folder, 3);
      await run(folder);
      expect(await ids(folder, "b VERSION AS OF 1")).toEqual(["1", "2"]);
      expect(await ids(folder, "b")).toEqual(["1", "2", "3"]);
      expect(await ids(folder, "c")).toEqual(["1", "2", "3"]);
    },
  );

  it.each([
    ["the manifest of its first flow", MANIFEST("b"), 1],
    ["the manifest of its second flow", MANIFEST("b"), 2],
    ["the Parquet files", PARQUET("b"), 2],
    ["the commit", COMMIT("b"), 1],
  ] as const)(
    "in a full refresh of two flows, after %s: readers have the old rows or the new, the next run ends it",
    async (_, point, count) => {
      const folder = project({
        "transformations/all.sql": `CREATE STREAMING TABLE b;
CREATE FLOW f AS INSERT INTO b BY NAME SELECT * FROM STREAM ${LANDING};
CREATE FLOW g AS INSERT INTO b BY NAME SELECT id + 10 AS id, v FROM STREAM ${LANDING};`,
        "landing/1.csv": "id,v\n1,x\n",
        "landing/2.csv": "id,v\n2,x\n",
      });
      await run(folder);
      await dieAfter(point, folder, ["--full-refresh", "b"], count);
      expect(await ids(folder, "b")).toEqual(["1", "2", "11", "12"]);
      deliver(folder, 3);
      await run(folder);
      expect(await ids(folder, "b")).toEqual(["1", "2", "3", "11", "12", "13"]);
    },
  );

  const RULED = `CREATE STREAMING TABLE b (CONSTRAINT big EXPECT (id > 5) ON VIOLATION QUARANTINE ROW)
  AS SELECT * FROM STREAM ${LANDING};`;
  const BETWEEN = [
    ["the manifest", MANIFEST("b")],
    ["the commit of the quarantine", COMMIT("b_quarantine")],
    ["the commit of the table", COMMIT("b")],
  ] as const;

  it.each(BETWEEN)("after %s: no row is in the table and in quarantine, or twice in one", async (_, point) => {
    const folder = project({ "transformations/all.sql": RULED, "landing/1.csv": "id,v\n1,x\n8,y\n" });
    await dieAfter(point, folder);
    deliver(folder, 9);
    await run(folder);
    expect(await ids(folder, "b")).toEqual(["8", "9"]);
    expect(await ids(folder, "b_quarantine")).toEqual(["1"]);
  });

  it.each(BETWEEN)("in a release, after %s: the next run ends it, once", async (_, point) => {
    const folder = project({ "transformations/all.sql": RULED, "landing/1.csv": "id,v\n1,x\n2,y\n8,y\n" });
    await run(folder);
    const release = ["quarantine", "release", "b", "--all", "--correct", "id=if(id = 1, 7, id)"];
    await dieIn(release, point, folder);
    await run(folder);
    expect(await ids(folder, "b")).toEqual(["7", "8"]);
    expect(await rows(folder, "SELECT id, _attempt, _state FROM b_quarantine ORDER BY id, _attempt")).toEqual([
      { id: "1", _attempt: 1, _state: "released" },
      { id: "2", _attempt: 1, _state: "released" },
      { id: "2", _attempt: 2, _state: "open" },
    ]);
  });
});
