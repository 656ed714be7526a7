import { copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ColumnNotice, HeldFile } from "../../packages/ingot/src/model/batch.js";
import { events, ingot, projectMaker, rows } from "./cli.js";

// The cases of class b-files and b-csv in test/fixtures/cases, each with the answer that stands beside it.

const project = projectMaker();
const CASES = "test/fixtures/cases";
const check = (id: string) =>
  (JSON.parse(readFileSync(join(CASES, id, "expected.json"), "utf8")) as { check: Record<string, unknown> }).check;

/** Lets a table have columns of any name. */
const ANY_NAME = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')";

/** A project whose streaming table `b` takes columns of `landing/`. */
function bronze(options: string, { select = "*", properties = "" } = {}): string {
  const read = `STREAM read_files('landing', format => 'csv', ${options})`;
  const sql = `CREATE STREAMING TABLE b ${properties} AS SELECT ${select} FROM ${read};`;
  const folder = project({ "transformations/b.sql": sql });
  mkdirSync(join(folder, "landing"));
  return folder;
}

/** Puts a file of a case into the landing folder, changed at a second of its own. */
function deliver(folder: string, path: string, name = basename(path), second = 1000): void {
  copyFileSync(join(CASES, path), join(folder, "landing", name));
  utimesSync(join(folder, "landing", name), second, second);
}

/** Runs the project; gives the details of its notices. */
async function notices(folder: string): Promise<(Partial<HeldFile> & Partial<ColumnNotice>)[]> {
  const { code, events: told } = await events(folder);
  expect(code).toBe(0);
  return told.flatMap(({ details }) => ("notice" in details ? [details.notice] : []));
}

/** Columns and values of `b` as lists. */
async function table(folder: string, order = "1") {
  const { stdout, stderr, code } = await ingot(["query", `SELECT * FROM b ORDER BY ${order}`, "--json"], {
    cwd: folder,
  });
  if (code !== 0) throw new Error(stderr);
  const result = JSON.parse(stdout) as { columns: { name: string; type: string }[]; rows: Record<string, unknown>[] };
  const columns = result.columns.map(({ name }) => name);
  return {
    columns,
    types: result.columns.map(({ type }) => type),
    rows: result.rows.map((row) => columns.map((column) => row[column])),
  };
}

describe("V12: the same file name delivered again", () => {
  const METADATA = "id, qty, _metadata.file_path AS p, _metadata.content_hash AS h, _metadata.row_number AS n";

  it("is loaded once; a change and a copy are held and told", async () => {
    const folder = bronze("header => true", { select: METADATA });
    const run = async (second: number, path: string, name = "orders.csv") => {
      deliver(folder, `V12/input/${path}`, name, second);
      return (await notices(folder)).map(({ reason, detail }) => `${reason}: ${detail}`);
    };
    expect(await run(1, "1/orders.csv")).toEqual([]);
    expect(await run(2, "2/orders.csv")).toEqual([]);
    const [changed, ...others] = await run(3, "3/orders.csv");
    expect(others).toEqual([]);
    // By sha256sum.
    expect(changed).toMatch(/^changed: .*b36dc17358506603eaa33f8eb6f0bdcaefbefadc354d43a2fadb1a7231c1b8af.*38d227aa/);
    expect((await run(4, "4/orders_copy.csv", "orders_copy.csv")).map((text) => text.split(":")[0])).toEqual([
      "changed",
      "copy",
    ]);
    const loaded = await rows(folder, "SELECT * FROM b ORDER BY n");
    expect(loaded).toMatchObject([{ n: "1" }, { n: "2" }]);
    for (const row of loaded) {
      expect(row["p"]).toBe(`file:${folder}/landing/orders.csv`);
      expect(row["h"]).toBe("b36dc17358506603eaa33f8eb6f0bdcaefbefadc354d43a2fadb1a7231c1b8af");
    }
  });

  it("is loaded once more with allowOverwrites, beside its rows of before, once for each content", async () => {
    const folder = bronze("header => true, allowOverwrites => true", { select: METADATA });
    deliver(folder, "V12/input/1/orders.csv", "orders.csv", 1);
    expect(await notices(folder)).toEqual([]);
    deliver(folder, "V12/input/3/orders.csv", "orders.csv", 3);
    const { stderr } = await ingot(["run"], { cwd: folder });
    expect(stderr).toContain("1 file written again, 3 records");
    expect(await notices(folder)).toEqual([]);
    const loaded = await rows(folder, "SELECT h, count(*) AS records FROM b GROUP BY h");
    // By sha256sum and wc.
    expect(new Map(loaded.map(({ h, records }) => [String(h).slice(0, 8), records]))).toEqual(
      new Map([
        ["b36dc173", "2"],
        ["38d227aa", "3"],
      ]),
    );
  });
});

it("V15: codes stay as they stand", async () => {
  const folder = bronze("header => true");
  deliver(folder, "V15/input.csv");
  await notices(folder);
  const { types, rows: found } = await table(folder);
  expect(new Set(types)).toEqual(new Set(["string"]));
  expect(found).toEqual(check("V15")["rows"]);
});

it.each(["header => true, sep => ','", "header => true"])(
  "V16: a delimiter inside a one-column file: %s",
  async (options) => {
    const folder = bronze(options);
    deliver(folder, "V16/input.csv");
    await notices(folder);
    const { columns, rows: found } = await table(folder, "remark DESC");
    expect({ columns, rows: found }).toEqual(check("V16"));
  },
);

it("V17: columns in another order are matched by name", async () => {
  const folder = bronze("header => true");
  deliver(folder, "V17/input/f1.csv");
  await notices(folder);
  deliver(folder, "V17/input/f2.csv");
  await notices(folder);
  expect(await rows(folder, "SELECT * FROM b ORDER BY PLANT")).toEqual(check("V17")["rows"]);
});

it("V18: a byte order mark before a quoted header", async () => {
  const folder = bronze("header => true, sep => ';'");
  for (const name of ["input.csv", "input_plain.csv"]) deliver(folder, `V18/${name}`);
  await notices(folder);
  const { columns, rows: found } = await table(folder);
  expect({ columns, rows: found }).toEqual(check("V18"));
});

it("V19: line breaks and doubled quotes inside quotes, in the header too", async () => {
  const folder = bronze("header => true, multiLine => true", { properties: ANY_NAME });
  deliver(folder, "V19/input.csv");
  await notices(folder);
  const { columns, rows: found } = await table(folder);
  expect({ columns, rows: found }).toEqual(check("V19"));
});

it("V20: two names that clean to one keep both columns, told with their originals", async () => {
  const folder = bronze("header => true, cleanColumnNames => true");
  deliver(folder, "V20/input.csv");
  const [told] = await notices(folder);
  expect(told).toMatchObject({ kind: "told-apart", detail: expect.stringMatching(/"am!t".*"am%t"/) });
  const { columns, rows: found } = await table(folder);
  expect(new Set(columns).size).toBe(check("V20")["distinct_columns"]);
  expect(found[0]).toEqual(check("V20")["values"]);
  const log = join(folder, "storage/warehouse/default/b/_delta_log/00000000000000000000.json");
  expect(readFileSync(log, "utf8")).toContain(String.raw`\"comment\":\"am!t (field 2 of the file)\"`);
  // The same header gives the same names for ever.
  const again = bronze("header => true, cleanColumnNames => true");
  deliver(again, "V20/input.csv");
  await notices(again);
  expect((await table(again)).columns).toEqual(columns);
});

it("V21: a header-only file carries no type information and is done", async () => {
  const read = "read_files('landing', format => 'csv', header => true)";
  const folder = project({
    "transformations/all.sql": `CREATE STREAMING TABLE b AS SELECT * FROM STREAM ${read};
CREATE MATERIALIZED VIEW s AS
SELECT CAST(id AS BIGINT) AS id, CAST(day AS DATE) AS day, CAST(amt AS DECIMAL(10,2)) AS amt FROM b;`,
  });
  mkdirSync(join(folder, "landing"));
  for (const name of ["b.csv", "a.csv"]) {
    deliver(folder, `V21/input/${name}`);
    await notices(folder);
    const described = await ingot(["query", "SELECT * FROM s", "--json"], { cwd: folder });
    const types = (JSON.parse(described.stdout) as { columns: { type: string }[] }).columns.map(({ type }) => type);
    expect(types).toEqual(["bigint", "date", "decimal(10,2)"]);
    expect(await rows(folder, "SELECT * FROM s")).toHaveLength(name === "b.csv" ? 0 : 1);
  }
  expect(await notices(folder)).toEqual([]);
});

describe("V22: a zero-byte file", () => {
  it("is told, and loaded when it has grown", async () => {
    const folder = bronze("header => true");
    for (const name of ["ok.csv", "empty.csv"]) deliver(folder, `V22/input/${name}`);
    expect(await notices(folder)).toMatchObject([
      { reason: "empty", path: expect.stringContaining("empty.csv"), detail: expect.stringContaining("empty") },
    ]);
    expect((await table(folder)).rows).toHaveLength(1);
    writeFileSync(
      join(folder, "landing/empty.csv"),
      readFileSync(join(folder, "landing/ok.csv"), "utf8").replace("1", "7"),
    );
    expect(await notices(folder)).toEqual([]);
    expect((await table(folder)).rows).toHaveLength(2);
  });

  it("stops the flow where that is asked for, with its name", async () => {
    const folder = bronze("header => true, schema => 'id INT', onEmpty => 'fail'");
    for (const name of ["ok.csv", "empty.csv"]) deliver(folder, `V22/input/${name}`);
    const { code, stderr } = await ingot(["run"], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/FILE_EMPTY.*landing\/empty\.csv is empty/s);
  });
});

it("V23: a compressed file with stray quotes", async () => {
  const folder = bronze("sep => '\t', quote => '', header => true");
  deliver(folder, "V23/input.tsv.gz");
  await notices(folder);
  const { columns, rows: found } = await table(folder);
  expect(found).toHaveLength(3000);
  const odd = found.filter((row) => row.includes(`O'Neil pipe 3" steel`));
  expect([columns.length, odd.length]).toEqual([2, 60]);
});

describe("V24: windows-1252 and UTF-8 side by side", () => {
  it("reads each in its declared encoding", async () => {
    const read = (name: string, encoding: string) =>
      `STREAM read_files('landing', format => 'csv', header => true, pathGlobFilter => '${name}.csv', encoding => '${encoding}')`;
    const union = `SELECT * FROM ${read("w", "windows-1252")} UNION ALL SELECT * FROM ${read("u", "UTF-8")}`;
    const folder = project({ "transformations/b.sql": `CREATE STREAMING TABLE b AS ${union};` });
    mkdirSync(join(folder, "landing"));
    for (const name of ["w.csv", "u.csv"]) deliver(folder, `V24/input/${name}`);
    await notices(folder);
    expect((await table(folder)).rows).toEqual(check("V24")["declared"]);
  });

  it("holds what is not UTF-8 and not declared, with line and byte", async () => {
    const folder = bronze("header => true");
    for (const name of ["w.csv", "u.csv"]) deliver(folder, `V24/input/${name}`);
    const [held, ...others] = await notices(folder);
    expect(others).toEqual([]);
    expect(held).toMatchObject({ reason: "bad-encoding", detail: expect.stringMatching(/line 2, .*0xFC/) });
    expect(basename(held?.path ?? "")).toBe(
      (check("V24")["undeclared"] as { file_quarantined: string }).file_quarantined,
    );
    expect((await table(folder)).rows).toEqual((check("V24")["undeclared"] as { loaded: unknown }).loaded);
  });
});

it("V25: records with a field too many or too few are rows, and what does not fit is rescued", async () => {
  const folder = bronze("header => true, rescuedDataColumn => '_rescued'");
  deliver(folder, "V25/input.csv");
  await notices(folder);
  const { columns, rows: found } = await table(folder);
  expect(columns).toEqual(["a", "b", "c", "_rescued"]);
  expect(found.map((row) => row.slice(0, 3))).toEqual([
    ["1", "2", "3"],
    ["4", "5", "6"],
    ["7", "8", null],
  ]);
  expect(found[0]?.[3]).toBeNull();
  expect(JSON.parse(String(found[1]?.[3]))).toMatchObject({ 4: "X" });
  expect(String(found[2]?.[3])).toContain("missing field");
});
