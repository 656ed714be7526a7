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

const EXTRACTS = `CREATE MATERIALIZED VIEW extract AS SELECT k, v FROM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'k INT, v STRING, seq INT');
CREATE STREAMING TABLE history TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true');
CREATE FLOW f AS AUTO CDC INTO history FROM SNAPSHOT extract KEYS (k) STORED AS SCD TYPE 2;
CREATE STREAMING TABLE part TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true')
FLOW REPLACE WHERE k > 1 BY NAME SELECT * FROM extract;
CREATE STREAMING TABLE documents TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true')
FLOW REPLACE USING (k) SEQUENCE BY seq BY NAME SELECT k, v, seq FROM STREAM read_files('documents', format => 'csv',
  header => true, enforceSchema => false, schema => 'k INT, v STRING, seq INT');`;

/** Rows in an order of their own, BIGINT as each peer writes it. */
const shown = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(String).join(" ")).sort();

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
    const folder = join(root, "changes");
    const project = writeProject(folder, { "ingot.yml": SPEC, "transformations/all.sql": SQL, "landing/.keep": "" });
    for (const [i, lines] of BATCHES.entries()) {
      await writeFile(join(folder, "landing", `${i}.csv`), `k,a,b,v,op\n${lines}`);
      const { code, stderr } = await ingot(["run"], { cwd: project });
      expect(code, stderr).toBe(0);
    }
    const target = join(folder, "storage/warehouse/default/target");
    const state = join(folder, "storage/_cdc/spark_catalog/default/target/0");
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

  it("of snapshots and replace flows, too: rows and changes", async () => {
    const folder = join(root, "extracts");
    const project = writeProject(folder, {
      "ingot.yml": SPEC,
      "transformations/all.sql": EXTRACTS,
      "landing/.keep": "",
      "documents/.keep": "",
    });
    const steps = [
      ["1,a,0\n2,a,0\n3,a,0\n", "1,a,1\n1,b,1\n2,a,1\n"],
      ["1,b,0\n3,a,0\n4,new,0\n", "1,c,2\n2,late,0\n3,new,1\n"],
    ] as const;
    for (const [i, [extract, documents]] of steps.entries()) {
      await writeFile(join(folder, "landing/extract.csv"), `k,v,seq\n${extract}`);
      await writeFile(join(folder, `documents/${i}.csv`), `k,v,seq\n${documents}`);
      const { code, stderr } = await ingot(["run"], { cwd: project });
      expect(code, stderr).toBe(0);
    }
    // By hand: an end and a beginning at 1 where a value changed, an end alone where the row went; all rows of a condition
    // are replaced, as Delta's replaceWhere does.
    const tables = {
      history: {
        rows: [
          [1, "a", 0, 1],
          [1, "b", 1, null],
          [2, "a", 0, 1],
          [3, "a", 0, null],
          [4, "new", 1, null],
        ],
        feed: [
          [1, "a", 0, 1, "update_postimage"],
          [1, "a", 0, null, "update_preimage"],
          [1, "b", 1, null, "insert"],
          [2, "a", 0, 1, "update_postimage"],
          [2, "a", 0, null, "update_preimage"],
          [4, "new", 1, null, "insert"],
        ],
      },
      part: {
        rows: [
          [3, "a"],
          [4, "new"],
        ],
        feed: [
          [2, "a", "delete"],
          [3, "a", "delete"],
          [3, "a", "insert"],
          [4, "new", "insert"],
        ],
      },
      documents: {
        rows: [
          [1, "c", 2],
          [2, "a", 1],
          [3, "new", 1],
        ],
        feed: [
          [1, "a", 1, "delete"],
          [1, "b", 1, "delete"],
          [1, "c", 2, "insert"],
          [3, "new", 1, "insert"],
        ],
      },
    };
    for (const [name, { rows, feed }] of Object.entries(tables)) {
      const table = join(folder, "storage/warehouse/default", name);
      expect(shown((await spark.sql(`SELECT * FROM delta.\`${table}\``)).rows), name).toEqual(shown(rows));
      const [read] = await readDelta(table);
      expect(shown(read?.rows ?? []), name).toEqual(shown(rows));
      const changes = `SELECT * EXCEPT (_commit_version, _commit_timestamp) FROM table_changes_by_path('${table}', 1)`;
      expect(shown((await spark.sql(changes)).rows), name).toEqual(shown(feed));
    }
  }, 240_000);
});
