import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingot, SPEC, texts, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const SQL = {
  "found.sql": `CREATE STREAMING TABLE found AS SELECT *, _metadata.row_number AS line, _metadata.content_hash AS hash,
    _metadata.file_name AS file FROM STREAM read_files('landing/found', format => 'csv', header => true);`,
  "folders.sql": `CREATE STREAMING TABLE folders PARTITIONED BY (country) TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
    AS SELECT id, upper(f.v) AS v, country FROM STREAM read_files('landing/folders', format => 'csv', header => true) AS f;`,
  "typed.sql": `CREATE STREAMING TABLE typed AS SELECT * FROM STREAM read_files('landing/json', format => 'json',
    schema => 'id BIGINT, amount DECIMAL(10,2), tags STRING, at TIMESTAMP, bad STRING', columnNameOfCorruptRecord => 'bad');`,
  "streams.sql": `CREATE STREAMING TABLE appended AS SELECT folders.id, folders.country FROM STREAM(default.folders) WHERE id <> '0';
    CREATE STREAMING TABLE feed AS SELECT id, v, country, _change_type FROM STREAM newest WITH (readChangeFeed = true);
    CREATE STREAMING TABLE newest TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true');
    CREATE FLOW f AS AUTO CDC INTO newest FROM STREAM folders KEYS (id) SEQUENCE BY v;`,
  "shared.sql": `CREATE STREAMING TABLE shared;
    CREATE FLOW german AS INSERT INTO shared BY NAME SELECT id, v FROM STREAM folders WHERE country = 'DE';
    CREATE FLOW french AS INSERT INTO shared BY NAME SELECT id, v FROM STREAM folders WHERE country = 'FR';`,
  "rules.sql": `CREATE STREAMING TABLE ruled (CONSTRAINT one EXPECT UNIQUE (id) ON VIOLATION QUARANTINE ROW,
      CONSTRAINT known EXPECT REFERENCES (id) IN newest (id) ON VIOLATION DROP ROW, CONSTRAINT named EXPECT (v IS NOT NULL))
    AS SELECT id, v, country FROM STREAM folders;`,
  "traced.sql": `CREATE STREAMING TABLE landed AS SELECT *, struct(_metadata.file_path AS file, _metadata.row_number AS row) AS place
      FROM STREAM read_files('landing/found', format => 'csv', header => true);
    CREATE STREAMING TABLE traced (CONSTRAINT known EXPECT (v IS NOT NULL) ON VIOLATION QUARANTINE ROW)
    AS SELECT id, v FROM STREAM landed;`,
};
const view = (total: string) =>
  `CREATE MATERIALIZED VIEW total (id COMMENT 'The key', n) COMMENT 'By key' AS
    WITH f AS (SELECT id, try_sap_number(id, 5, 0) AS n FROM found) SELECT id, ${total} AS n FROM f GROUP BY id;`;
const TABLES = ["ruled", "shared", "found", "folders", "typed", "appended", "newest", "feed", "total"];

const describeSpark = await describeWith("spark");

describeSpark("what Spark reads and writes, beside DuckDB", () => {
  let root: string;
  let server: SparkServer;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "ingot-spark-reads-"));
    server = await startSparkServer();
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await rm(root, { recursive: true, force: true });
  }, 30_000);

  async function runBoth(files: Readonly<Record<string, string>>, ...options: string[]): Promise<void> {
    for (const engine of ["duckdb", "spark"]) {
      const project = writeProject(join(root, engine), files);
      const remote = engine === "spark" ? ["--engine", "spark", "--remote", server.remote] : [];
      const { code, stderr } = await ingot(["run", ...options, ...remote], { cwd: project });
      expect(code, `${engine}: ${stderr}`).toBe(0);
    }
  }

  async function read(engine: string, table: string): Promise<unknown> {
    const folder = join(root, engine, "storage/warehouse/default", table);
    const { code, stdout, stderr } = await ingot(
      ["query", `SELECT * FROM delta.\`${folder}\` ORDER BY ALL`, "--json"],
      {
        cwd: join(root, "duckdb"),
      },
    );
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  }

  async function expectEqual(): Promise<void> {
    for (const table of TABLES) expect(await read("spark", table), table).toEqual(await read("duckdb", table));
  }

  it("reads files, versions and change feeds alike", async () => {
    await runBoth({
      "ingot.yml": SPEC,
      ...Object.fromEntries(Object.entries(SQL).map(([name, text]) => [`transformations/${name}`, text])),
      "transformations/total.sql": view("sum(n)"),
      "landing/found/1.csv": 'id,v\n001,"a, b"\n002,""\n\n003,\n',
      "landing/folders/country=DE/1.csv": "id,v\n1,a\n2,b\n",
      "landing/folders/country=FR/1.csv": "id,v\n3,c\n0,x\n",
      "landing/json/1.json":
        '{"id": 1, "amount": 1.50, "tags": "x", "at": "2026-10-01T08:00:00Z"}\n{"id": "no", "amount": 2}\n',
    });
    await expectEqual();
    for (const engine of ["spark", "duckdb"])
      expect(await read(engine, "traced_quarantine")).toMatchObject({
        rows: [{ id: "003", _source_file: expect.stringMatching(/landing\/found\/1.csv$/), _source_row: "3" }],
      });
    expect(await read("spark", "found")).toMatchObject({
      rows: [
        { id: "001", v: "a, b", line: "1" },
        { id: "002", v: "", line: "2" },
        { id: "003", v: null, line: "3" },
      ],
    });
  }, 240_000);

  it("takes new columns, further versions and another definition in", async () => {
    await runBoth({
      "transformations/total.sql": view("CAST(count(*) AS STRING)"),
      "landing/found/2.csv": "extra,id\ne1,004\ne2,001\n",
      "landing/folders/country=DE/2.csv": "id,v\n1,c\n4,d\n5,e\n5,f\n",
      "landing/json/2.json": '{"id": 2}\n',
    });
    await expectEqual();
    expect(await read("spark", "total")).toMatchObject({ columns: [{ name: "id" }, { name: "n", type: "string" }] });
    // The key 1 was there before, the key 5 comes twice.
    expect(await read("spark", "ruled")).toMatchObject({
      rows: [{ id: "0" }, { id: "1", v: "A" }, { id: "2" }, { id: "3" }, { id: "4" }],
    });
  }, 240_000);

  it("starts a table again that several flows fill, and lays its files anew", async () => {
    await runBoth({}, "--full-refresh", "shared");
    await expectEqual();
    const project = join(root, "spark");
    const remote = ["--engine", "spark", "--remote", server.remote];
    // Nothing is new: no table is written.
    const again = await ingot(["run", "--json", ...remote], { cwd: project });
    expect(JSON.parse(again.stdout).tables.filter((table: { rows?: number }) => (table.rows ?? 0) > 0)).toEqual([]);
    const { code, stdout, stderr } = await ingot(["optimize", "found", "--json", ...remote], { cwd: project });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tables: [{ filesRemoved: 2, filesAdded: 1 }] });
    await expectEqual();
  }, 240_000);

  it("gathers the small files of a table that asks for it, once there are 50", async () => {
    const small = (
      properties: string,
    ) => `CREATE STREAMING TABLE small ${properties} AS SELECT * FROM STREAM read_files('landing',
      format => 'csv', header => true, schema => 'id BIGINT', maxFilesPerTrigger => 1);`;
    const project = writeProject(join(root, "small"), {
      "ingot.yml": SPEC,
      "transformations/small.sql": small(""),
      ...Object.fromEntries(Array.from({ length: 49 }, (_, i) => [`landing/${i}.csv`, `id\n${i}\n`])),
    });
    const files = async () => {
      const log = await readdir(join(project, "storage/warehouse/default/small/_delta_log"));
      const commits = log.filter((name) => /^\d{20}\.json$/.test(name)).sort();
      const last = await readFile(
        join(project, "storage/warehouse/default/small/_delta_log", commits.at(-1) ?? ""),
        "utf8",
      );
      const actions = last
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const count = (name: string) => actions.filter((action) => name in action).length;
      return { commits: commits.length, added: count("add"), removed: count("remove") };
    };
    expect((await ingot(["run"], { cwd: project })).code).toBe(0);
    expect(await files()).toEqual({ commits: 49, added: 1, removed: 0 });
    writeProject(project, {
      "transformations/small.sql": small("TBLPROPERTIES ('delta.autoOptimize.autoCompact' = 'true')"),
      "landing/49.csv": "id\n49\n",
    });
    const { code, stderr } = await ingot(["run", "--engine", "spark", "--remote", server.remote], { cwd: project });
    expect(code, stderr).toBe(0);
    // The batch, then the files of all batches in one.
    expect(await files()).toEqual({ commits: 51, added: 1, removed: 50 });
    expect(await texts(project, "SELECT count(*), sum(id) FROM small")).toEqual(["50 1225"]);
  }, 120_000);

  it("stops at a record that has no place, and refuses what it cannot do before it writes", async () => {
    const project = writeProject(join(root, "refused"), {
      "ingot.yml": SPEC,
      "transformations/a.sql": `CREATE STREAMING TABLE a AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true,
        schema => 'id BIGINT, v STRING');`,
      "landing/1.csv": "id,v\n1,a\nx,b\n",
    });
    const spark = ["--engine", "spark", "--remote", server.remote];
    const malformed = await ingot(["run", ...spark], { cwd: project });
    expect(malformed.stderr).toContain("MALFORMED_RECORD");
    expect(malformed.code).not.toBe(0);
    writeProject(project, {
      "transformations/b.sql":
        "CREATE MATERIALIZED VIEW b REFRESH POLICY INCREMENTAL STRICT AS SELECT id, count(*) AS n FROM a GROUP BY id;",
    });
    const refused = await ingot(["dry-run", "--json", ...spark], { cwd: project });
    expect(JSON.parse(refused.stdout)).toMatchObject({ errors: [{ code: "SPARK_NOT_SUPPORTED" }] });
    expect(refused.code).toBe(3);
  }, 120_000);

  it("stops at a value that a strict decoder cannot read, with the words of DuckDB", async () => {
    const calls = {
      amount: "sap_number(v, 13, 2)",
      day: "sap_date(v)",
      key: "sap_alpha(v, 5)",
      packed: "sap_packed(unhex('123A5C'), 5, 0)",
      rate: "sap_convert(1.00, 0.00000, length(v), 1, 2)",
      unit: "sap_convert_unit(CAST(length(v) AS DECIMAL(5,0)), v, 'KG', 3)",
      zoned: "sap_zoned(v, 4, 2)",
    };
    const project = writeProject(join(root, "strict"), {
      "ingot.yml": `${SPEC}sources:\n  ERP: {release: ecc, units: [t006.csv]}\n`,
      "t006.csv": "MSEHI,DIMID,ZAEHL,NENNR,EXP10,ADDKO\nKG,MASS,1,1,0,0.000000\n",
      "landing/1.csv": "v\n31.02.2026\n",
      ...Object.fromEntries(
        Object.entries(calls).map(([name, call]) => [
          `transformations/${name}.sql`,
          `CREATE MATERIALIZED VIEW ${name} AS SELECT ${call} AS value FROM read_files('landing', format => 'csv', header => true,
            schema => 'v STRING');`,
        ]),
      ),
    });
    const told = async (...options: string[]) => {
      const { code, stdout } = await ingot(["run", "--json", ...options], { cwd: project });
      const { errors } = JSON.parse(stdout) as { errors: readonly Record<"code" | "message" | "object", string>[] };
      return { code, errors: [...errors].sort((a, b) => (a.object < b.object ? -1 : 1)) };
    };
    const duckdb = await told();
    expect(duckdb.errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "MALFORMED_AMOUNT: sap_number cannot read: 31.02.2026",
      "INVALID_DATE: sap_date cannot read: 31.02.2026",
      "INVALID_PRIMARY_KEY: sap_alpha cannot read: 31.02.2026",
      "MALFORMED_AMOUNT: sap_packed cannot read: 123A5C",
      "CURRENCY_ANOMALY: sap_convert cannot read: 1.00",
      "UNIT_ANOMALY: sap_convert_unit cannot read: 10",
      "MALFORMED_AMOUNT: sap_zoned cannot read: 31.02.2026",
    ]);
    expect(await told("--engine", "spark", "--remote", server.remote)).toEqual(duckdb);
  }, 120_000);
});
