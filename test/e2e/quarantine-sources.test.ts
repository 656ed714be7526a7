import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { ingot, projectMaker, rows, run } from "./cli.js";

const project = projectMaker();

/** Row 2 of the second file is no whole record; `qty` of row 3 is negative, and 1 of the first file. */
const LANDING = { "landing/1.csv": "id,qty\n1,-5\n2,1\n", "landing/2.csv": "id,qty\n3,1\n4,many\n5,-2\n" };
const FILES = `read_files('landing', format => 'csv', header => true, enforceSchema => false,
  schema => 'id BIGINT, qty INT, _corrupt_record STRING', columnNameOfCorruptRecord => '_corrupt_record')`;
const RULE = "(CONSTRAINT quantity EXPECT (qty > 0) ON VIOLATION QUARANTINE ROW)";

const KEPT = "id, _source_file AS file, _source_row AS row, _source_record AS record";
const kept = (folder: string, name = "silver") =>
  rows(folder, `SELECT ${KEPT} FROM ${name}_quarantine ORDER BY id, _attempt`);

function expected(folder: string) {
  const [one, two] = [1, 2].map((n) => pathToFileURL(`${folder}/landing/${n}.csv`).href.replace("file://", "file:"));
  return [
    { id: "1", file: one, row: "1", record: null },
    { id: "4", file: two, row: "2", record: "4,many" },
    { id: "5", file: two, row: "3", record: null },
  ];
}

describe("a quarantined row says where it comes from", () => {
  it.each([
    ["files that the query reads", `CREATE STREAMING TABLE silver ${RULE} AS SELECT id, qty FROM STREAM ${FILES};`],
    [
      "files, filtered",
      `CREATE STREAMING TABLE silver ${RULE} AS SELECT f.id, f.qty FROM STREAM ${FILES} AS f WHERE f.id > 0;`,
    ],
    [
      "files below a view",
      `CREATE TEMPORARY VIEW v AS SELECT id + 0 AS id, qty FROM STREAM ${FILES};
       CREATE STREAMING TABLE silver ${RULE} AS SELECT * FROM STREAM v;`,
    ],
    [
      "a view with rules of its own",
      `CREATE TEMPORARY VIEW v (CONSTRAINT there EXPECT (id IS NOT NULL)) AS SELECT id, qty FROM STREAM ${FILES};
       CREATE STREAMING TABLE silver ${RULE} AS SELECT * FROM STREAM v;`,
    ],
    [
      "a table whose rows carry it, and that the query does not select",
      `CREATE STREAMING TABLE bronze AS SELECT *, _metadata.file_path AS path, _metadata.row_number FROM STREAM ${FILES};
       CREATE STREAMING TABLE silver ${RULE} AS SELECT id, qty FROM STREAM bronze;`,
    ],
    [
      "a materialized view",
      `CREATE STREAMING TABLE bronze AS SELECT *, _metadata.file_path AS path, _metadata.row_number AS n FROM STREAM ${FILES};
       CREATE MATERIALIZED VIEW silver ${RULE} AS SELECT qty, id FROM bronze;`,
    ],
    [
      "a view that a flow of changes reads",
      `CREATE TEMPORARY VIEW silver ${RULE} TBLPROPERTIES ('ingot.quarantine' = 'silver_quarantine')
         AS SELECT id, qty FROM STREAM ${FILES};
       CREATE STREAMING TABLE target;
       CREATE FLOW f AS AUTO CDC INTO target FROM STREAM(silver) KEYS (id) SEQUENCE BY qty;`,
    ],
  ])("%s", async (_, sql) => {
    const folder = project({ "transformations/all.sql": sql, ...LANDING });
    await run(folder);
    expect(await kept(folder)).toEqual(expected(folder));
  });

  it("no row of the table has these columns, and a row of several has none", async () => {
    const sql = `CREATE STREAMING TABLE silver ${RULE} AS SELECT id, qty FROM STREAM ${FILES};
      CREATE MATERIALIZED VIEW summed (CONSTRAINT quantity EXPECT (qty > 0) ON VIOLATION QUARANTINE ROW)
        AS SELECT id % 2 AS id, min(id) - 3 AS qty FROM ${FILES} GROUP BY id % 2;`;
    const folder = project({ "transformations/all.sql": sql, ...LANDING });
    await run(folder);
    expect(await rows(folder, "SELECT * FROM silver ORDER BY id")).toEqual([
      { id: "2", qty: 1 },
      { id: "3", qty: 1 },
    ]);
    const nothing = { file: null, row: null, record: null };
    expect(await kept(folder, "summed")).toEqual([
      { id: "0", ...nothing },
      { id: "1", ...nothing },
    ]);
  });

  it("so does one that was released and failed again", async () => {
    const sql = `CREATE STREAMING TABLE silver ${RULE} AS SELECT id, qty FROM STREAM ${FILES};`;
    const folder = project({ "transformations/all.sql": sql, ...LANDING });
    await run(folder);
    writeFileSync(`${folder}/transformations/all.sql`, sql.replace("qty > 0", "qty > -3"));
    const { code, stderr } = await ingot(["quarantine", "release", "silver", "--all"], { cwd: folder });
    expect(code, stderr).toBe(0);
    const [one, four, five] = expected(folder);
    expect(await kept(folder)).toEqual([one, one, four, four, five]);
  });
});
