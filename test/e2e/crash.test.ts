import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startIngot } from "./child.js";
import { ingot, LANDING, projectMaker, rows } from "./cli.js";

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

/** A module for `node --import`: kills the process after the `count`-th matching call. */
function killAfter(pattern: string, count = 1): string {
  const code = `
    import fs from "node:fs/promises";
    import { syncBuiltinESMExports } from "node:module";
    let left = ${count};
    for (const name of ["link", "rename", "open"]) {
      const original = fs[name];
      fs[name] = async (...args) => {
        const result = await original(...args);
        if (new RegExp(${JSON.stringify(pattern)}).test(name === "open" ? args[0] : args[1]) && --left === 0)
          process.kill(process.pid, "SIGKILL");
        return result;
      };
    }
    syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

async function dieAfter(pattern: string, folder: string, args: readonly string[] = [], count = 1): Promise<void> {
  const { signal, stderr } = await startIngot(["run", ...args], folder, ["--import", killAfter(pattern, count)]).done;
  expect(signal, stderr).toBe("SIGKILL");
}

async function run(folder: string): Promise<void> {
  const { code, stderr } = await ingot(["run"], { cwd: folder });
  expect(code, stderr).toBe(0);
}

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
});
