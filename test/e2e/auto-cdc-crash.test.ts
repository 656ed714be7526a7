import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { projectMaker, run, texts } from "./cli.js";
import { dieAfter } from "./die-after.js";

const project = projectMaker();

const HEADER = "k,seq,v,op";
const deliver = (folder: string, name: string, lines: readonly string[]) =>
  writeFileSync(`${folder}/landing/${name}.csv`, `${[HEADER, ...lines].join("\n")}\n`);
const state = (folder: string) => texts(folder, "SELECT * FROM t ORDER BY k");
const sql = (clauses: string) => `
CREATE STREAMING TABLE changes AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'k INT, seq BIGINT, v STRING, op STRING');
CREATE STREAMING TABLE t TBLPROPERTIES ('delta.enableDeletionVectors' = 'true', 'delta.enableChangeDataFeed' = 'true');
CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(changes) KEYS (k) APPLY AS DELETE WHEN op = 'D'
  APPLY AS TRUNCATE WHEN op = 'T' SEQUENCE BY seq ${clauses};`;
const FIRST = ["1,1,a,U", "2,1,a,U", "3,1,a,U", "4,5,,D"];
const SECOND = ["1,2,b,U", "2,3,,D", "4,6,new,U", "5,1,new,U", "3,0,late,U"];

/** Where a process may die: right after a path that matches got its final name, or was opened. */
const POINTS = [
  ["the manifest", "_checkpoints/.*/t/f/\\d+(/batch-\\d+\\.json)?$"],
  ["the commit of the state", "/_cdc/.*/_delta_log/\\d+\\.json$"],
  ["a file of the target", "/default/t/part-[^/]+\\.parquet$"],
  ["the commit of the target", "/default/t/_delta_log/\\d+\\.json$"],
] as const;
const WAYS = [
  ["beside the target", "COLUMNS * EXCEPT (op, seq)", ["1 b", "3 a", "4 new", "5 new"]],
  ["in the target", "COLUMNS * EXCEPT (op)", ["1 2 b", "3 1 a", "4 6 new", "5 1 new"]],
] as const;

describe.each(WAYS)("a process that dies, sequences %s", (_, clauses, after) => {
  it.each(POINTS)("after %s: the next run ends the batch, once", async (_, point) => {
    const folder = project({ "transformations/all.sql": sql(clauses), "landing/.keep": "" });
    deliver(folder, "1", FIRST);
    await run(folder);
    deliver(folder, "2", SECOND);
    await dieAfter(point, folder);
    deliver(folder, "3", ["6,1,later,U"]);
    await run(folder);
    expect(await state(folder)).toEqual([...after, after[0].includes("2") ? "6 1 later" : "6 later"]);
  });
});

it.each(POINTS)("in a full refresh, after %s: readers have the old rows or the new", async (_, point) => {
  const [, clauses, after] = WAYS[0];
  const folder = project({ "transformations/all.sql": sql(clauses), "landing/.keep": "" });
  deliver(folder, "1", FIRST);
  deliver(folder, "2", SECOND);
  await run(folder);
  await dieAfter(point, folder, ["--full-refresh", "t"]);
  expect(await state(folder)).toEqual(after);
  await run(folder);
  expect(await state(folder)).toEqual(after);
  deliver(folder, "3", ["2,2,late,U", "1,1,late,U"]);
  await run(folder);
  expect(await state(folder)).toEqual(after);
});

/** Flows that take whole extracts, or whole documents: their SQL, what comes twice, and what the table is then. */
const WHOLE = [
  ["snapshots of type 1", `CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT extract KEYS (k);`, ["1 b", "3 a", "4 new"]],
  [
    "snapshots with a history",
    `CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT extract KEYS (k) STORED AS SCD TYPE 2;`,
    ["1 a 0 1", "1 b 1 null", "2 a 0 1", "3 a 0 null", "4 new 1 null"],
  ],
  [
    "rows of a condition",
    `CREATE FLOW f AS INSERT INTO t BY NAME REPLACE WHERE k > 1 SELECT * FROM extract;`,
    ["3 a", "4 new"],
  ],
] as const;
const EXTRACT = `CREATE MATERIALIZED VIEW extract AS SELECT k, v FROM read_files('landing', format => 'csv', header => true,
  enforceSchema => false, schema => 'k INT, v STRING');
CREATE STREAMING TABLE t TBLPROPERTIES ('delta.enableDeletionVectors' = 'true', 'delta.enableChangeDataFeed' = 'true');
`;
const WHOLE_POINTS = POINTS.filter(([name]) => name !== "the commit of the state");

describe.each(WHOLE)("a process that dies while it applies %s", (_, flow, after) => {
  const extract = (folder: string, lines: readonly string[]) =>
    writeFileSync(`${folder}/landing/extract.csv`, `${["k,v", ...lines].join("\n")}\n`);

  it.each(WHOLE_POINTS)("after %s: the next run ends it, once", async (_, point) => {
    const folder = project({ "transformations/all.sql": EXTRACT + flow, "landing/.keep": "" });
    extract(folder, ["1,a", "2,a", "3,a"]);
    await run(folder);
    extract(folder, ["1,b", "3,a", "4,new"]);
    await dieAfter(point, folder);
    await run(folder);
    expect(await texts(folder, "SELECT * FROM t ORDER BY ALL")).toEqual(after);
    await run(folder);
    expect(await texts(folder, "SELECT * FROM t ORDER BY ALL")).toEqual(after);
  });
});

it.each(WHOLE_POINTS)(
  "a process that dies while it puts documents in the place of others, after %s",
  async (_, point) => {
    const folder = project({
      "transformations/all.sql": `CREATE STREAMING TABLE t;
      CREATE FLOW f AS INSERT INTO t BY NAME REPLACE USING (k) SEQUENCE BY seq SELECT k, seq, v FROM STREAM read_files('landing', format => 'csv', header => true, enforceSchema => false,
      schema => 'k INT, seq BIGINT, v STRING, op STRING');`,
      "landing/.keep": "",
    });
    deliver(folder, "1", ["1,1,a,", "1,1,b,", "2,1,a,"]);
    await run(folder);
    deliver(folder, "2", ["1,2,c,", "1,2,d,", "2,0,late,", "3,1,new,"]);
    await dieAfter(point, folder);
    deliver(folder, "3", ["3,1,more,"]);
    await run(folder);
    expect(await texts(folder, "SELECT * FROM t ORDER BY ALL")).toEqual([
      "1 2 c",
      "1 2 d",
      "2 1 a",
      "3 1 more",
      "3 1 new",
    ]);
  },
);
