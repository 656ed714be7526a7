import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingot, SPEC, writeProject } from "../e2e/cli.js";
import { readDelta } from "./deltalake.js";
import { describeWith } from "./peer.js";
import { sortRows } from "./relation.js";
import { type Spark, startSpark } from "./spark.js";

const SQL = `CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'k INT, a INT, b INT, v STRING, op STRING');
CREATE STREAMING TABLE target TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true');
CREATE FLOW f AS AUTO CDC INTO target FROM STREAM changes KEYS (k) APPLY AS DELETE WHEN op = 'D'
  SEQUENCE BY STRUCT(a, b) COLUMNS (k, v);`;
const BATCHES = ["1,1,1,x,U\n2,1,1,x,U\n3,1,1,x,U\n", "1,1,2,y,U\n2,2,1,,D\n3,0,9,late,U\n4,1,1,x,U\n"];

const describePeers = await describeWith("spark", "deltalake");

describePeers("tables of AUTO CDC", () => {
  let spark: Spark;
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "ingot-cdc-"));
    spark = await startSpark();
  }, 240_000);
  afterAll(async () => {
    await spark?.stop();
    await rm(root, { recursive: true, force: true });
  }, 30_000);

  it("are read by Spark and delta-rs: the user's columns, the changes, the state", async () => {
    const project = writeProject(root, { "ingot.yml": SPEC, "transformations/all.sql": SQL, "landing/.keep": "" });
    for (const [i, lines] of BATCHES.entries()) {
      await writeFile(join(root, "landing", `${i}.csv`), `k,a,b,v,op\n${lines}`);
      const { code, stderr } = await ingot(["run"], { cwd: project });
      expect(code, stderr).toBe(0);
    }
    const target = join(root, "storage/warehouse/default/target");
    const state = join(root, "storage/_cdc/spark_catalog/default/target/0");
    const rows = [
      [1, "y"],
      [3, "x"],
      [4, "x"],
    ];
    expect((await spark.sql(`SELECT * FROM delta.\`${target}\` ORDER BY k`)).rows).toEqual(rows);
    const [read] = await readDelta(target);
    expect(sortRows(read?.rows ?? [])).toEqual(sortRows(rows));
    const feed = `SELECT k, v, _change_type FROM table_changes_by_path('${target}', 1) ORDER BY k, _change_type`;
    expect((await spark.sql(feed)).rows).toEqual([
      [1, "y", "update_postimage"],
      [1, "x", "update_preimage"],
      [2, "x", "delete"],
      [4, "x", "insert"],
    ]);
    const sequences = `SELECT k, __ingot_sequence.a, __ingot_sequence.b, __ingot_deleted FROM delta.\`${state}\` ORDER BY k`;
    expect((await spark.sql(sequences)).rows).toEqual([
      [1, 1, 2, false],
      [2, 2, 1, true],
      [3, 1, 1, false],
      [4, 1, 1, false],
    ]);
  }, 240_000);
});
