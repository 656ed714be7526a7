import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openSession } from "../../packages/ingot/src/engine/spark/connect/open-session.js";
import {
  filesRelation,
  observe,
  project,
  sqlRelation,
} from "../../packages/ingot/src/engine/spark/connect/relations.js";
import { parseRemote } from "../../packages/ingot/src/engine/spark/connect/remote.js";
import { SparkSession } from "../../packages/ingot/src/engine/spark/connect/session.js";
import { formatType } from "../../packages/ingot/src/model/data-type.js";
import { startCuttingProxy } from "./cutting-proxy.js";
import { describeWith } from "./peer.js";
import { freePort, type SparkServer, startSparkServer } from "./spark-server.js";
import { startTlsGateway } from "./tls-gateway.js";

const describe = await describeWith("spark");
const { signal } = new AbortController();
const START_MS = 120_000;
vi.setConfig({ testTimeout: START_MS });
const TOKEN = "a;b=c%d";
const SLOW = "java_method('java.lang.Thread', 'sleep', 60000L) IS NULL";

describe("a session of Spark Connect", () => {
  let server: SparkServer;
  let spark: SparkSession;
  let folder: string;

  const remote = (token: string, port = server.port) =>
    `sc://127.0.0.1:${port}/;use_ssl=false;token=${encodeURIComponent(token)}`;
  const rowsOf = async (text: string) => (await spark.sql(text, signal)).rows;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ingot-connect-"));
    server = await startSparkServer({ "spark.connect.authenticate.token": TOKEN });
    spark = await openSession(remote(TOKEN), signal);
  }, START_MS);
  afterAll(async () => {
    await spark?.close();
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("knows the version and what has Delta", async () => {
    expect(await spark.version(signal)).toBe("4.2.0");
  });

  it("gives values without loss", async () => {
    const cases: readonly [text: string, type: string, value: unknown][] = [
      ["CAST(NULL AS INT)", "int", null],
      ["NULL", "void", null],
      ["TRUE", "boolean", true],
      ["-128Y", "tinyint", -128],
      ["32767S", "smallint", 32767],
      ["9223372036854775807L", "bigint", "9223372036854775807"],
      ["1.5D", "double", 1.5],
      ["double('-Infinity')", "double", "-Infinity"],
      ["double('NaN')", "double", "NaN"],
      ["-0.05BD", "decimal(2,2)", "-0.05"],
      ["100BD", "decimal(3,0)", "100"],
      [
        "CAST('-123456789012345678901234567890.12345678' AS DECIMAL(38,8))",
        "decimal(38,8)",
        "-123456789012345678901234567890.12345678",
      ],
      ["'ä€😀'", "string", "ä€😀"],
      ["''", "string", ""],
      ["X'CAFE'", "binary", "[CA FE]"],
      ["DATE '0001-01-01'", "date", "0001-01-01"],
      ["TIMESTAMP '2024-02-29 23:59:59.123456'", "timestamp", "2024-02-29 23:59:59.123456"],
      ["TIMESTAMP_NTZ '1900-01-01 00:00:00.000001'", "timestamp_ntz", "1900-01-01 00:00:00.000001"],
      ["array(1.10BD, NULL)", "array<decimal(3,2)>", ["1.10", null]],
      ["map('k', 2S)", "map<string,smallint>", [["k", 2]]],
      [
        "named_struct('a', 1, 'b', array(named_struct('c', DATE '2024-01-02')))",
        "struct<a:int,b:array<struct<c:date>>>",
        { a: 1, b: [{ c: "2024-01-02" }] },
      ],
    ];
    const query = `SELECT ${cases.map(([text], i) => `${text} AS c${i}`).join(", ")}`;
    const { columns, rows } = await spark.sql(query, signal);
    expect(columns.map(({ type }) => formatType(type))).toEqual(cases.map(([, type]) => type));
    expect(rows).toEqual([cases.map(([, , value]) => value)]);
    expect(await spark.schema(sqlRelation(query), signal)).toEqual(columns);
  });

  it("reads later rows of a column of lists by their own places", async () => {
    expect(await rowsOf("SELECT a FROM VALUES (array(1)), (NULL), (array()), (array(2, 3)) AS t(a)")).toEqual([
      [[1]],
      [null],
      [[]],
      [[2, 3]],
    ]);
  });

  it.each(["INTERVAL 1 DAY", "INTERVAL 1 MONTH", "parse_json('1')", "array(parse_json('1'))"])(
    "refuses the type of %s by name",
    async (text) => {
      const refusal = { code: "NOT_SUPPORTED", object: "c" };
      await expect(spark.sql(`SELECT ${text} AS c`, signal)).rejects.toMatchObject(refusal);
      await expect(spark.schema(sqlRelation(`SELECT ${text} AS c`), signal)).rejects.toMatchObject(refusal);
    },
  );

  it.each([
    ["SELEC 1", "PARSE_SYNTAX_ERROR", "42601", "projectInvalid"],
    ["SELECT * FROM nope", "TABLE_OR_VIEW_NOT_FOUND", "42P01", "projectInvalid"],
    ["SELECT 1 / 0", "DIVIDE_BY_ZERO", "22012", "runFailed"],
    ["SELECT CAST('x' AS INT)", "CAST_INVALID_INPUT", "22018", "runFailed"],
    ["DESCRIBE HISTORY delta.`/ingot/none`", "DELTA_TABLE_ONLY_OPERATION", "0AKDD", "projectInvalid"],
  ])("tells of %s by Spark's condition", async (text, code, sqlState, exit) => {
    await expect(spark.sql(text, signal)).rejects.toMatchObject({
      code,
      sqlState,
      exit,
      message: expect.not.stringMatching(/SQLSTATE|^\[|==/),
    });
  });

  it("tells what lies below a failure, and keeps what lay above", async () => {
    const file = join(folder, "bad.csv");
    await writeFile(file, "one\n");
    const read = filesRelation({ format: "csv", schema: "id INT", options: { mode: "FAILFAST" }, paths: [file] });
    await expect(spark.collect(read, signal)).rejects.toMatchObject({
      code: "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION",
      cause: { message: expect.stringContaining("FAILED_READ_FILE"), cause: expect.any(Error) },
    });
  });

  it("writes rows in one commit with the options of Delta, and tells what was observed of them", async () => {
    await spark.sql("CREATE TABLE sums (id BIGINT, amount DECIMAL(10,2)) USING delta", signal);
    const input = observe(sqlRelation("SELECT id, CAST(id / 2 AS DECIMAL(10,2)) AS amount FROM range(5)"), "seen", [
      "count(*) AS rows",
      "sum(amount) AS total",
      "count_if(amount > 1) AS large",
    ]);
    const observed = await spark.write(
      {
        input,
        format: "delta",
        into: { table: "sums" },
        mode: "append",
        options: { txnAppId: "flow", txnVersion: "7", userMetadata: "batch 7" },
      },
      signal,
    );
    // 0 + 0.5 + 1 + 1.5 + 2
    expect(observed).toEqual({ seen: { rows: "5", total: "5.00", large: "2" } });
    // The same transaction again: Delta leaves it out.
    const again = { input, format: "delta", into: { table: "sums" }, mode: "append" } as const;
    await spark.write({ ...again, options: { txnAppId: "flow", txnVersion: "7" } }, signal);
    expect(await rowsOf("SELECT count(*), sum(amount) FROM sums")).toEqual([["5", "5.00"]]);
    const history = await spark.sql("DESCRIBE HISTORY sums", signal);
    const note = history.columns.findIndex(({ name }) => name === "userMetadata");
    expect(history.rows.map((row) => [row[0], row[note]])).toEqual([
      ["1", "batch 7"],
      ["0", null],
    ]);
  });

  it("answers DML with its counts", async () => {
    await spark.sql("CREATE TABLE dml (id INT) USING delta", signal);
    await spark.sql("INSERT INTO dml VALUES (1), (2)", signal);
    const { columns, rows } = await spark.sql("DELETE FROM dml WHERE id = 1", signal);
    expect([columns.map(({ name }) => name), rows]).toEqual([["num_affected_rows"], [["1"]]]);
  });

  it("names relations within a statement: texts from here, and files", async () => {
    const file = join(folder, "plants.csv");
    await writeFile(file, "id,name\n1,Berlin\n2,Łódź\n");
    const plants = filesRelation({
      format: "csv",
      schema: "id INT, name STRING",
      options: { header: "true" },
      paths: [file],
    });
    const orders = spark.textRows(
      ["plant", "note"],
      [
        ["1", "a 'quoted' one"],
        ["2", null],
        ["3", "elsewhere"],
      ],
    );
    const { rows } = await spark.sql(
      "SELECT o.plant, p.label, o.note FROM orders o JOIN plants p ON p.id = o.plant ORDER BY 1",
      signal,
      { orders, plants: project(plants, ["id", "upper(name) AS label"]) },
    );
    expect(rows).toEqual([
      ["1", "BERLIN", "a 'quoted' one"],
      ["2", "ŁÓDŹ", null],
    ]);
  });

  it("keeps settings to its session", async () => {
    const other = new SparkSession(parseRemote(remote(TOKEN)));
    const setting = async (session: SparkSession) =>
      (await session.sql("SET spark.sql.shuffle.partitions", signal)).rows[0]?.[1];
    await spark.configure({ "spark.sql.shuffle.partitions": "7" }, signal);
    expect([await setting(spark), await setting(other)]).toEqual(["7", "2"]);
    await spark.configure({ "spark.sql.shuffle.partitions": undefined }, signal);
    expect(await setting(spark)).toBe("200");
    await spark.configure({ "spark.sql.shuffle.partitions": "2" }, signal);
    await other.close();
  });

  it("streams what is there now, and each row once", async () => {
    const source = join(folder, "landing");
    const input = () => filesRelation({ format: "json", schema: "id INT", paths: [source], streaming: true });
    await spark.sql("CREATE TABLE landed (id INT) USING delta", signal);
    await spark.sql(`INSERT OVERWRITE DIRECTORY '${source}' USING json SELECT 1 AS id UNION ALL SELECT 2`, signal);
    const write = { input: input(), format: "delta", into: { table: "landed" }, checkpoint: join(folder, "cp") };
    expect(await spark.stream(write, signal)).toBe(2);
    await writeFile(join(source, "more.json"), '{"id":3}\n');
    expect(await spark.stream(write, signal)).toBe(1);
    expect(await spark.stream(write, signal)).toBe(0);
    expect(await rowsOf("SELECT id FROM landed ORDER BY id")).toEqual([[1], [2], [3]]);
  });

  it("takes a result up again where its stream broke", async () => {
    const proxy = await startCuttingProxy(server.port, 2_000_000, 3);
    const session = new SparkSession(parseRemote(remote(TOKEN, proxy.port)));
    try {
      const { rows } = await session.sql("SELECT id, repeat('x', 200) AS pad FROM range(100000)", signal);
      expect(proxy.cuts).toBe(3);
      expect(rows.map(([id]) => Number(id)).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 100_000 }, (_, i) => i),
      );
    } finally {
      await session.close();
      proxy.close();
    }
  });

  it("stops the work on the server when it is interrupted", async () => {
    await spark.sql("CREATE TABLE stopped (id BIGINT) USING delta", signal);
    const stop = new AbortController();
    const insert = spark.sql(`INSERT INTO stopped SELECT id FROM range(1) WHERE ${SLOW}`, stop.signal);
    void setTimeout(1_000).then(() => stop.abort());
    await expect(insert).rejects.toMatchObject({ code: "INTERRUPTED", exit: "interrupted" });
    expect(await rowsOf("SELECT count(*) FROM stopped")).toEqual([["0"]]);
  });

  it("speaks TLS, with the token and further headers, to whom its certificate authorities know", async () => {
    const gateway = await startTlsGateway(server.port, folder);
    const script = fileURLToPath(new URL("../../scripts/run-source.mjs", import.meta.url));
    const parameters = `token=${encodeURIComponent(TOKEN)};x-databricks-cluster-id=0123-abc`;
    const ask = async (env: NodeJS.ProcessEnv) => {
      const address = `sc://127.0.0.1:${gateway.port}/;${parameters}`;
      const asker = fileURLToPath(new URL("spark-version.ts", import.meta.url));
      return (await promisify(execFile)(process.execPath, [script, asker, address], { env })).stdout.trim();
    };
    try {
      expect(await ask({ ...process.env, NODE_EXTRA_CA_CERTS: gateway.certificate })).toBe("4.2.0");
      const [first] = gateway.seen;
      expect(first).toMatchObject({
        authorization: `Bearer ${TOKEN}`,
        "x-databricks-cluster-id": "0123-abc",
        "x-databricks-session-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(await ask(process.env)).toMatch(/No answer from a Spark Connect server .* certificate/);
    } finally {
      gateway.close();
    }
  });

  it("refuses a wrong token and none", async () => {
    await expect(openSession(remote("wrong"), signal)).rejects.toMatchObject({ code: "SPARK_ACCESS_DENIED" });
    await expect(openSession(server.remote, signal)).rejects.toMatchObject({ code: "SPARK_ACCESS_DENIED" });
  });
});

describe("a server of Spark Connect", () => {
  it(
    "must have Delta; is told when it falls silent; knows no session of its predecessor",
    async () => {
      let server = await startSparkServer({ "spark.sql.extensions": "" });
      const session = new SparkSession(parseRemote(server.remote), 500);
      try {
        await expect(openSession(server.remote, signal)).rejects.toMatchObject({ code: "SPARK_WITHOUT_DELTA" });
        await session.version(signal);
        const slow = session.sql(`SELECT 1 WHERE ${SLOW}`, signal);
        void setTimeout(1_000).then(() => server.kill());
        await expect(slow).rejects.toMatchObject({ code: "SPARK_UNREACHABLE", exit: "unreachable" });
        server = await startSparkServer({}, server.port);
        await expect(session.sql("SELECT 1", signal)).rejects.toMatchObject({ code: "INVALID_HANDLE.SESSION_CHANGED" });
      } finally {
        await session.close();
        await server.kill();
      }
    },
    3 * START_MS,
  );
});

it("says so where no server answers", async () => {
  await expect(openSession(`sc://127.0.0.1:${await freePort()}`, signal)).rejects.toMatchObject({
    code: "SPARK_UNREACHABLE",
  });
});
