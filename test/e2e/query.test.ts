import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, it } from "vitest";
import { ingot, LANDING, projectMaker, refusal, rows, temporaryFolder } from "./cli.js";

const project = projectMaker();

interface Json {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

async function query(cwd: string, sql: string): Promise<Json> {
  const { code, stdout, stderr } = await ingot(["query", sql, "--json"], { cwd });
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Json;
}

describe("query --json", () => {
  const nowhere = temporaryFolder();

  it("has exact text for what JSON numbers cannot hold, numbers for the rest, and Spark's names of types", async () => {
    const { columns, rows: found } = await query(
      nowhere,
      `SELECT CAST(9007199254740993 AS BIGINT) AS a, CAST(1.50 AS DECIMAL(38,2)) AS b, DATE'2026-10-01' AS c,
      TIMESTAMP'2026-10-01 09:15:00.120' AS d, X'CAFE' AS e, CAST('NaN' AS DOUBLE) AS f, CAST('-Infinity' AS DOUBLE) AS g,
      CAST(1.5 AS DOUBLE) AS h, CAST(7 AS SMALLINT) AS i, true AS j, 'ü"\\n' AS k, NULL AS l, CAST(NULL AS INT) AS m,
      named_struct('x', CAST(5 AS BIGINT), 'y', 'q') AS n, array(CAST(1 AS BIGINT), NULL) AS o`,
    );
    expect(Object.fromEntries(columns.map((c) => [c.name, [c.type, found[0]?.[c.name]]]))).toEqual({
      a: ["bigint", "9007199254740993"],
      b: ["decimal(38,2)", "1.50"],
      c: ["date", "2026-10-01"],
      d: ["timestamp", "2026-10-01 09:15:00.12"],
      e: ["binary", "[CA FE]"],
      f: ["double", "NaN"],
      g: ["double", "-Infinity"],
      h: ["double", 1.5],
      i: ["smallint", 7],
      j: ["boolean", true],
      k: ["string", 'ü"\n'],
      l: ["void", null],
      m: ["int", null],
      n: ["struct<x:bigint,y:string>", { x: "5", y: "q" }],
      o: ["array<bigint>", ["1", null]],
    });
  });

  it("reads what others write: maps, times without zone, and a column without values", async () => {
    const table = `${nowhere}/foreign`;
    mkdirSync(`${table}/_delta_log`, { recursive: true });
    const duckdb = await DuckDBInstance.create();
    const connection = await duckdb.connect();
    await connection.run(
      `COPY (SELECT MAP {'k': 1::BIGINT} AS m, TIMESTAMP '2026-10-01 00:00:00' AS t) TO '${table}/a.parquet' (FORMAT parquet)`,
    );
    const map = { type: "map", keyType: "string", valueType: "long", valueContainsNull: true };
    const fields = [
      ["m", map],
      ["t", "timestamp_ntz"],
      ["later", "double"],
    ].map(([name, type]) => ({ name, type, nullable: true, metadata: {} }));
    const features = {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: ["timestampNtz"],
      writerFeatures: ["timestampNtz"],
    };
    const metaData = {
      id: "1",
      format: { provider: "parquet", options: {} },
      schemaString: JSON.stringify({ type: "struct", fields }),
      partitionColumns: [],
      configuration: {},
    };
    const add = {
      path: "a.parquet",
      partitionValues: {},
      size: statSync(`${table}/a.parquet`).size,
      modificationTime: 0,
      dataChange: true,
    };
    const log = [{ protocol: features }, { metaData }, { add }].map((action) => `${JSON.stringify(action)}\n`).join("");
    writeFileSync(`${table}/_delta_log/00000000000000000000.json`, log);
    expect(await query(nowhere, `SELECT * FROM delta.\`${table}\``)).toEqual({
      columns: [
        { name: "m", type: "map<string,bigint>" },
        { name: "t", type: "timestamp_ntz" },
        { name: "later", type: "double" },
      ],
      rows: [{ m: [["k", "1"]], t: "2026-10-01 00:00:00", later: null }],
    });
  });

  it("refuses two columns of one name, of which an object would lose one", async () => {
    expect(await refusal(nowhere, "query", "SELECT 1 AS a, 2 AS a")).toMatchObject({
      code: 3,
      errors: [{ code: "COLUMN_ALREADY_EXISTS", hint: expect.stringContaining("AS") }],
    });
    expect((await ingot(["query", "SELECT 1 AS a, 2 AS a"], { cwd: nowhere })).stdout).toContain("|1  |2  |");
  });

  it("needs no project for a Delta folder, and says what to do for a name", async () => {
    const { code, errors } = await refusal(nowhere, "query", "SELECT * FROM orders");
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "UNKNOWN_TABLE", at: "<query>:1:15", hint: expect.stringContaining("delta.`path`") },
    ]);
  });

  it("takes a query from stdin, with a semicolon at its end, and cuts at --limit", async () => {
    const io = { cwd: nowhere, readStdin: async () => "SELECT 42 AS x;\n" };
    expect((await ingot(["query", "-"], io)).stdout).toBe("+---+\n|x  |\n+---+\n|42 |\n+---+\n");
    const { stdout } = await ingot(
      ["query", "SELECT * FROM VALUES (1), (2) AS t(x) ORDER BY x", "--limit", "1", "--json"],
      { cwd: nowhere },
    );
    expect((JSON.parse(stdout) as Json).rows).toEqual([{ x: 1 }]);
  });

  it.each([
    ["SELEC 1", "PARSE_SYNTAX_ERROR", 3],
    ["SELECT lenght('a')", "UNRESOLVED_ROUTINE", 3],
    ["DROP TABLE orders", "UNSUPPORTED_CLAUSE", 3],
    ["SELECT 1 / 0", "DIVIDE_BY_ZERO", 1],
  ])("tells what is wrong with: %s", async (sql, code, exit) => {
    expect(await refusal(nowhere, "query", sql)).toMatchObject({ code: exit, errors: [{ code }] });
  });
});

describe("a query over a project", () => {
  let folder = "";
  beforeAll(async () => {
    folder = project({
      "transformations/all.sql": `CREATE MATERIALIZED VIEW day AS SELECT '\${today}' AS today;
CREATE TEMPORARY VIEW loud AS SELECT upper(today) AS today FROM day;
CREATE STREAMING TABLE files AS SELECT * FROM STREAM ${LANDING};
CREATE TEMPORARY VIEW flowing AS SELECT * FROM STREAM files;`,
      "landing/1.csv": "id,v\n",
      "ingot.yml":
        "name: x\nstorage: storage\nconfiguration: {today: mon}\nlibraries: [{glob: {include: transformations/**}}]\n",
    });
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect((await ingot(["run", "--set", "today=tue"], { cwd: folder })).code).toBe(0);
  });

  it("goes back to a version or a moment", async () => {
    expect(await rows(folder, "SELECT today FROM day")).toEqual([{ today: "tue" }]);
    expect(await rows(folder, "SELECT today FROM day VERSION AS OF 0")).toEqual([{ today: "mon" }]);
    const log = `${folder}/storage/warehouse/default/day/_delta_log`;
    const made = (version: number) =>
      new Date(Math.floor(statSync(`${log}/0000000000000000000${version}.json`).mtimeMs));
    const at = (moment: Date) => `SELECT today FROM day TIMESTAMP AS OF '${moment.toISOString()}'`;
    expect(await rows(folder, at(made(0)))).toEqual([{ today: "mon" }]);
    expect(await rows(folder, at(made(1)))).toEqual([{ today: "tue" }]);
  });

  it.each([
    ["VERSION AS OF 7", "DELTA_VERSION_NOT_FOUND", /no version 7; it has 0 to 1/],
    ["TIMESTAMP AS OF '2020-01-01'", "DELTA_VERSION_NOT_FOUND", /its versions reach from/],
    ["TIMESTAMP AS OF 'yesterday'", "DELTA_TIMESTAMP_INVALID", /"yesterday" is no timestamp/],
  ])("refuses a moment that the table does not have: %s", async (asOf, code, message) => {
    const { code: exit, errors } = await refusal(folder, "query", `SELECT * FROM day ${asOf}`);
    expect(exit).toBe(2);
    expect(errors).toMatchObject([{ code, at: "<query>:1:15", message: expect.stringMatching(message) }]);
  });

  it("reads views, with each of their tables at its newest version; never STREAM, never the past of a view", async () => {
    expect(await rows(folder, "SELECT today FROM loud")).toEqual([{ today: "TUE" }]);
    for (const [sql, at] of [
      ["SELECT * FROM STREAM files", "<query>:1:22"],
      ["SELECT * FROM loud VERSION AS OF 0", "<query>:1:15"],
    ] as const) {
      expect(await refusal(folder, "query", sql)).toMatchObject({
        code: 3,
        errors: [{ code: "UNSUPPORTED_CLAUSE", at }],
      });
    }
    for (const command of [
      ["query", "SELECT * FROM flowing"],
      ["show", "flowing"],
    ]) {
      expect(await refusal(folder, ...command)).toMatchObject({
        code: 3,
        errors: [{ code: "INCOMPATIBLE_BATCH_VIEW_READ", hint: expect.stringContaining("Query the tables") }],
      });
    }
  });

  it("says of a table that no run has made yet: run first", async () => {
    const fresh = project({ "transformations/all.sql": "CREATE MATERIALIZED VIEW m AS SELECT 1 AS a;" });
    for (const command of [
      ["query", "SELECT * FROM m"],
      ["show", "m"],
    ]) {
      expect(await refusal(fresh, ...command)).toMatchObject({
        code: 3,
        errors: [{ hint: expect.stringContaining("ingot run") }],
      });
    }
    expect((await ingot(["show"], { cwd: fresh })).stdout).toBe("m: no run has made it yet\n");
  });
});
