import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const SMALL = `CREATE STREAMING TABLE small AS SELECT * FROM STREAM ${LANDING};
CREATE MATERIALIZED VIEW total AS SELECT count(*) AS n FROM small;`;

async function deliver(folder: string, count: number): Promise<void> {
  for (let i = 1; i <= count; i++) {
    writeFileSync(join(folder, `landing/${i}.csv`), `id,v\n${i},x\n`);
    expect((await ingot(["run", "--quiet"], { cwd: folder })).code).toBe(0);
  }
}

async function json(folder: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await ingot([...args, "--json"], { cwd: folder });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as { tables: Record<string, unknown>[] };
}

const dataFiles = (folder: string, table: string) =>
  readdirSync(join(folder, "storage/warehouse/default", table)).filter((name) => name.endsWith(".parquet"));

it("gathers small files, keeps the rows, and deletes the old files once no version needs them", async () => {
  const folder = project({ "transformations/all.sql": SMALL, "landing/0.csv": "id,v\n0,x\n" });
  await deliver(folder, 4);
  const before = await rows(folder, "SELECT * FROM small ORDER BY id");
  expect(before).toHaveLength(5);
  const { tables } = await json(folder, "optimize", "small");
  expect(tables).toMatchObject([{ name: "spark_catalog.default.small", filesRemoved: 4, filesAdded: 1 }]);
  expect(await rows(folder, "SELECT * FROM small ORDER BY id")).toEqual(before);
  expect((await ingot(["optimize", "small"], { cwd: folder })).stdout).toBe("small: nothing to do\n");

  // Streams go on, and a view over the same rows has nothing to do.
  const quiet = await ingot(["run", "--json"], { cwd: folder });
  expect(JSON.parse(quiet.stdout)).toMatchObject({ state: "COMPLETED" });
  expect(await rows(folder, "SELECT n FROM total")).toEqual([{ n: "5" }]);

  expect((await json(folder, "vacuum", "small")).tables).toMatchObject([{ files: 0 }]);
  expect((await refusal(folder, "vacuum", "small", "--retain-hours", "1")).errors).toMatchObject([
    { code: "DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT" },
  ]);
  // Ten days later: times of the files and of the log.
  const table = join(folder, "storage/warehouse/default/small");
  const old = Date.now() / 1000 - 10 * 86_400;
  for (const name of [
    ...dataFiles(folder, "small"),
    ...readdirSync(join(table, "_delta_log")).map((n) => `_delta_log/${n}`),
  ])
    utimesSync(join(table, name), old, old);
  const count = dataFiles(folder, "small").length;
  expect((await json(folder, "vacuum", "small", "--dry-run")).tables).toMatchObject([
    { files: count - 1, dryRun: true },
  ]);
  expect(dataFiles(folder, "small")).toHaveLength(count);
  expect((await ingot(["vacuum", "small"], { cwd: folder })).stdout).toMatch(/^small: 4 files \(0\.0 MB\) deleted\n$/);
  expect(dataFiles(folder, "small")).toHaveLength(1);
  expect(await rows(folder, "SELECT * FROM small ORDER BY id")).toEqual(before);
});

it("a table that compacts itself does so as files come, and a stream over it reads each row once", async () => {
  const folder = project({
    "transformations/all.sql": `CREATE STREAMING TABLE small TBLPROPERTIES ('delta.autoOptimize.autoCompact' = 'true')
AS SELECT * FROM STREAM ${LANDING};
CREATE STREAMING TABLE copy AS SELECT * FROM STREAM small;`,
    "landing/.keep": "",
  });
  await deliver(folder, 9);
  const log = join(folder, "storage/warehouse/default/small/_delta_log");
  const commits = readdirSync(log).flatMap((name) =>
    name.endsWith(".json") ? [readFileSync(join(log, name), "utf8")] : [],
  );
  const compactions = commits.filter((commit) => commit.includes('"operation":"OPTIMIZE"'));
  expect(compactions.map((commit) => commit.split('"remove":').length - 1)).toEqual([8]);
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({ id: String(id) }));
  expect(await rows(folder, "SELECT id FROM copy ORDER BY id")).toEqual(ids);
  expect(await rows(folder, "SELECT id FROM small ORDER BY id")).toEqual(ids);
});

it("tables that no run has made, views, and tables of others are refused", async () => {
  const folder = project({
    "transformations/all.sql": `${SMALL}\nCREATE TEMPORARY VIEW v AS SELECT * FROM small;`,
    "landing/0.csv": "id,v\n0,x\n",
  });
  expect((await refusal(folder, "optimize", "small")).errors).toMatchObject([{ code: "UNKNOWN_TABLE" }]);
  expect((await refusal(folder, "vacuum", "v")).errors).toMatchObject([{ code: "USAGE" }]);
  await deliver(folder, 1);
  const other = project({
    "ingot.yml": `name: other\nid: other\nstorage: mine\nwarehouse: ${join(folder, "storage/warehouse")}\nlibraries:\n  - glob: {include: transformations/**}\n`,
    "transformations/all.sql": SMALL.replace("landing", join(folder, "landing")),
  });
  expect((await refusal(other, "optimize", "small")).errors).toMatchObject([{ code: "TABLE_OWNED_BY_OTHER_PIPELINE" }]);
  expect(existsSync(join(folder, "storage/warehouse/default/small"))).toBe(true);
});
