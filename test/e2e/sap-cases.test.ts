import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { events, ingot, projectMaker, rows, run, SPEC, writeProject } from "./cli.js";

// The cases about SAP's values, names and clients in test/fixtures/cases, each with the answer that stands beside it.

const project = projectMaker();
const CASES = "test/fixtures/cases";

/** A case's answer, and a project over its files in `landing/`. */
function open<T>(id: string, sql: string, sources = ""): { readonly check: T; readonly cwd: string } {
  const cwd = project({ "ingot.yml": SPEC + sources, "transformations/t.sql": sql });
  cpSync(join(CASES, id), join(cwd, "landing"), { recursive: true });
  const { check } = JSON.parse(readFileSync(join(CASES, id, "expected.json"), "utf8")) as { check: T };
  return { check, cwd };
}

/** A relation over a file of the case, whose columns are texts. */
const read = (file: string, columns: readonly string[], options = "format => 'csv', header => true") =>
  `read_files('landing/${file}', ${options}, schema => '${columns.map((name) => `\`${name}\` STRING`).join(", ")}')`;

/** Pages of OData that someone lands as files: the JSON text of what holds the rows and the link to the next page. */
const pages = (files: string, holds: "d" | "value") =>
  `read_files('landing/${files}', format => 'json', multiLine => true, schema => '${holds} STRING')`;

it("V26: rows of a package and the position behind them are one commit; a package that is repeated counts once", async () => {
  const types = "results ARRAY<STRUCT<KEY: STRING, V: STRING>>, `__delta` STRING";
  const { check, cwd } = open<{
    after_run_1: { position: string };
    after_run_2: { position: string; keys: string[] };
  }>(
    "V26",
    `CREATE STREAMING TABLE bronze AS SELECT p.results, p.\`__delta\` AS delta, page
      FROM (SELECT from_json(d, '${types}') AS p, _metadata.file_path AS page FROM STREAM ${pages("arrived", "d")});
    CREATE TEMPORARY VIEW rows AS SELECT r.KEY AS key, r.V AS v, page FROM STREAM bronze LATERAL VIEW explode(results) AS r;
    CREATE STREAMING TABLE silver;
    CREATE FLOW s AS AUTO CDC INTO silver FROM STREAM rows KEYS (key) SEQUENCE BY page COLUMNS * EXCEPT (page);
    CREATE MATERIALIZED VIEW position AS SELECT max_by(regexp_extract(delta, "'(.*)'", 1), page) AS at FROM bronze WHERE delta IS NOT NULL;`,
  );
  const land = (run: number, page: string) =>
    cpSync(join(cwd, `landing/input.${page}.json`), join(cwd, `landing/arrived/${run}-${page}.json`));
  writeProject(cwd, { "landing/arrived/0.json": `{"d":{"results":[],"__delta":"Facts?!deltatoken='D1'"}}` });
  // The second page is an error of the source: only the first one lands.
  land(1, "page1");
  await run(cwd);
  expect(await rows(cwd, "SELECT at FROM position")).toEqual([{ at: check.after_run_1.position }]);
  land(2, "page1");
  land(2, "page2");
  await run(cwd);
  expect(await rows(cwd, "SELECT at FROM position")).toEqual([{ at: check.after_run_2.position }]);
  expect(await rows(cwd, "SELECT key FROM silver ORDER BY key")).toEqual(
    check.after_run_2.keys.map((key) => ({ key })),
  );
});

it("V28: of pages that landed all rows are read, whichever has none", async () => {
  const of = (version: string, holds: "d" | "value", type: string, list: string) =>
    `CREATE MATERIALIZED VIEW ${version} AS SELECT r.ID AS id FROM (SELECT from_json(${holds}, '${type}') AS p FROM ${pages(`input.${version}.*`, holds)}) LATERAL VIEW explode(${list}) AS r;`;
  const rowType = "ARRAY<STRUCT<ID: STRING>>";
  const { check, cwd } = open<{ v2_rows: number; v4_rows: number }>(
    "V28",
    of("v2", "d", `results ${rowType}`, "p.results") + of("v4", "value", rowType, "p"),
  );
  await run(cwd);
  const query = "SELECT (SELECT count(*) FROM v2) AS v2_rows, (SELECT count(DISTINCT id) FROM v4) AS v4_rows";
  expect(await rows(cwd, query)).toEqual([{ v2_rows: `${check.v2_rows}`, v4_rows: `${check.v4_rows}` }]);
});

it("V30: packages with before and after images count once, however often they are delivered", async () => {
  const input = read("input.jsonl", ["package", "row", "doc", "item", "ROCANCEL", "qty"], "format => 'json'");
  const { check, cwd } = open<{
    bronze_rows: number;
    latest: Record<string, string>[];
    sum: Record<string, string>;
  }>(
    "V30",
    `CREATE TEMPORARY VIEW delivered AS SELECT *, CAST(substr(package, 2) AS INT) AS pack, CAST(row AS INT) AS nth FROM STREAM ${input};
    CREATE STREAMING TABLE bronze;
    CREATE FLOW b AS AUTO CDC INTO bronze FROM STREAM delivered KEYS (package, row) SEQUENCE BY STRUCT(pack, nth);
    CREATE TEMPORARY VIEW images AS SELECT * FROM STREAM delivered WHERE ROCANCEL <> 'X';
    CREATE STREAMING TABLE latest;
    CREATE FLOW l AS AUTO CDC INTO latest FROM STREAM images KEYS (doc, item)
      APPLY AS DELETE WHEN ROCANCEL = 'R' SEQUENCE BY STRUCT(pack, nth) COLUMNS doc, item, qty;
    CREATE MATERIALIZED VIEW sums AS
      SELECT doc, item, CAST(sum(CAST(qty AS INT)) AS STRING) AS qty FROM bronze GROUP BY doc, item;`,
  );
  await run(cwd);
  expect(await rows(cwd, "SELECT count(*) AS n FROM bronze")).toEqual([{ n: `${check.bronze_rows}` }]);
  expect(await rows(cwd, "SELECT doc, item, qty FROM latest ORDER BY 1")).toEqual(check.latest);
  const sums = await rows(cwd, "SELECT doc, item, qty FROM sums");
  expect(Object.fromEntries(sums.map(({ doc, item, qty }) => [`${doc}/${item}`, qty]))).toEqual(check.sum);
});

it("V32: an initial date is NULL, one that is no day is flagged and kept", async () => {
  const { check, cwd } = open<{ dates: Record<string, string | null> }>(
    "V32",
    `CREATE MATERIALIZED VIEW dates AS SELECT id, d, try_sap_date(d) AS day, sap_date_reason(d) AS reason FROM ${read("input.csv", ["id", "d"])};`,
  );
  await run(cwd);
  const found = await rows(cwd, "SELECT * FROM dates ORDER BY id");
  const told = found.map(({ id, d, day, reason }) => [id, reason === "INVALID_DATE" ? `flagged: ${d}` : day]);
  expect(Object.fromEntries(told)).toEqual(check.dates);
});

it("V33: a minus behind the number, and the separators that the column declares", async () => {
  const input = read("input.csv", ["id", "en", "de"], "format => 'csv', header => true, sep => ';'");
  const number = (column: string, format: string) => `CASE WHEN sap_number_reason(${column}, 15, 3, '${format}') IS NULL
    THEN CAST(try_sap_number(${column}, 15, 3, '${format}') AS STRING) ELSE 'flagged' END AS ${column}`;
  const { check, cwd } = open<{ en: unknown[]; de: unknown[] }>(
    "V33",
    `CREATE MATERIALIZED VIEW numbers AS SELECT id, ${number("en", "us")}, ${number("de", "eu")} FROM ${input};`,
  );
  await run(cwd);
  const found = await rows(cwd, "SELECT * FROM numbers ORDER BY id");
  expect({ en: found.map(({ en }) => en), de: found.map(({ de }) => de) }).toEqual(check);
});

it("V34: both forms of a customer's number join, and one that is too long is flagged", async () => {
  const [orders, names] = [read("input/orders.csv", ["kunnr", "amt"]), read("input/names.csv", ["kunnr", "name"])];
  const { check, cwd } = open<{ joined: string[][]; flagged: string[] }>(
    "V34",
    `CREATE STREAMING TABLE names (CONSTRAINT key EXPECT (sap_alpha_reason(kunnr, 10) IS NULL) ON VIOLATION QUARANTINE ROW)
      AS SELECT kunnr, try_sap_alpha(kunnr, 10) AS customer, name FROM STREAM ${names};
    CREATE MATERIALIZED VIEW joined AS SELECT o.kunnr, n.name, o.amt FROM ${orders} AS o JOIN names AS n ON n.customer = sap_alpha(o.kunnr, 10);`,
  );
  await run(cwd);
  const found = await rows(cwd, "SELECT kunnr, name, amt FROM joined ORDER BY amt");
  expect(found.map((row) => Object.values(row))).toEqual(check.joined);
  const aside = await rows(cwd, "SELECT kunnr FROM names_quarantine");
  expect(aside.map(({ kunnr }) => kunnr)).toEqual(check.flagged);
});

it("V35: names with slashes stay as they are, through all layers", async () => {
  const columns = ["id", "/BIC/ZREGION", "BICZREGION", "/CUST/COLUMN"];
  const { check, cwd } = open<{ silver: string[][]; violations: number }>(
    "V35",
    `CREATE STREAMING TABLE bronze TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS SELECT * FROM STREAM ${read("input.csv", columns)};
    CREATE STREAMING TABLE silver (CONSTRAINT region EXPECT (\`/BIC/ZREGION\` IS NOT NULL) ON VIOLATION DROP ROW)
      PARTITIONED BY (\`/BIC/ZREGION\`) TBLPROPERTIES ('delta.columnMapping.mode' = 'name')
      AS SELECT * FROM STREAM bronze WHERE \`/CUST/COLUMN\` IS NOT NULL;`,
  );
  const { events: told } = await events(cwd);
  const found = await rows(cwd, "SELECT * FROM silver ORDER BY id");
  expect(found.map((row) => Object.keys(row))).toEqual(check.silver.map(() => columns));
  expect(found.map((row) => Object.values(row))).toEqual(check.silver);
  expect(failed(told, "region")).toBe(check.violations);
  const { stdout } = await ingot(["lineage", "silver", "--json"], { cwd });
  expect(stdout).toContain("/BIC/ZREGION");
});

it("V36: amounts in their true value by the source's TCURX, once; one without a currency is flagged", async () => {
  const { check, cwd } = open<{ amounts: Record<string, string> }>(
    "V36",
    `CREATE STREAMING TABLE amounts (CONSTRAINT currency EXPECT (waers IS NOT NULL))
      AS SELECT id, waers, wrbtr, sap_curr(sap_number(wrbtr, 13, 2), waers) AS amount FROM STREAM ${read("input/amounts.csv", ["id", "waers", "wrbtr"])};
    CREATE STREAMING TABLE latest;
    CREATE FLOW l AS AUTO CDC INTO latest FROM STREAM amounts KEYS (id) SEQUENCE BY wrbtr;
    CREATE VIEW totals AS SELECT waers, sum(amount) AS total FROM latest GROUP BY waers;`,
    "sources:\n  ERP: { release: ecc, currencies: landing/input/tcurx.csv }\n",
  );
  const { events: told } = await events(cwd);
  const found = await rows(cwd, "SELECT id, waers, wrbtr, amount FROM amounts ORDER BY id");
  const plain = (value: unknown) => String(value).replace(/\.?0+$/, "");
  const amounts = found.map(({ id, waers, amount }) => [id, waers === null ? "flagged" : plain(amount)]);
  expect(Object.fromEntries(amounts)).toEqual(check.amounts);
  expect(failed(told, "currency")).toBe(1);
  // What SAP stores stays beside it.
  expect(found[0]).toMatchObject({ wrbtr: "1234.00" });
  // Tables say of a column that it is converted, to other pipelines too.
  const twice = [
    "sap_curr(sap_curr(1.00, 'JPY'), 'JPY')",
    "sap_curr(amount, waers) FROM amounts",
    "sap_curr(total, waers) FROM totals",
    "sap_curr(amount, waers) FROM delta.`storage/warehouse/default/latest`",
  ];
  for (const text of twice) {
    const { code, stderr } = await ingot(["query", `SELECT ${text}`], { cwd });
    expect([code, stderr], text).toEqual([3, expect.stringContaining("sap_curr is applied twice")]);
  }
});

it("V37: decimals and long whole numbers that JSON has as texts keep all their digits", async () => {
  const { check, cwd } = open<Record<"A" | "B" | "C" | "D", string>>(
    "V37",
    `CREATE STREAMING TABLE bronze AS SELECT r.*
      FROM (SELECT from_json(d, 'results ARRAY<STRUCT<A: STRING, B: STRING, C: STRING, D: STRING>>') AS p FROM STREAM ${pages("input.rows.json", "d")})
      LATERAL VIEW explode(p.results) AS r;
    CREATE STREAMING TABLE silver AS SELECT sap_number(A, 18, 2) AS A, sap_number(B, 36, 18) AS B, sap_number(C, 38, 18) AS C, CAST(D AS BIGINT) AS D FROM STREAM bronze;`,
  );
  await run(cwd);
  expect(await rows(cwd, "SELECT * FROM bronze")).toEqual([check]);
  const short = (value: string) => value.replace(/\.?0+$/, "");
  const [silver = {}] = await rows(cwd, "SELECT * FROM silver");
  const [found, wanted] = [silver, check].map((row) =>
    Object.entries(row).map(([name, v]) => [name, short(String(v))]),
  );
  expect(found).toEqual(wanted);
});

describe("V38: several clients in one capture", () => {
  interface Answer {
    readonly silver: string[][];
    readonly joined: string[][];
    readonly other_clients: number;
  }
  const list = async (cwd: string, query: string) => (await rows(cwd, query)).map((row) => Object.values(row));

  it("a rule leaves out those of others, and counts them", async () => {
    const { check, cwd } = open<Answer>(
      "V38",
      `CREATE STREAMING TABLE silver (CONSTRAINT other_client EXPECT (MANDT = '100') ON VIOLATION DROP ROW)
      AS SELECT * FROM STREAM ${read("input/t.csv", ["MANDT", "MATNR", "QTY"])};
    CREATE MATERIALIZED VIEW joined AS SELECT s.MATNR, s.QTY, t.TXT
      FROM silver AS s JOIN ${read("input/text.csv", ["MANDT", "MATNR", "TXT"])} AS t USING (MANDT, MATNR);`,
    );
    const { events: told } = await events(cwd);
    expect(await list(cwd, "SELECT MATNR, QTY FROM silver ORDER BY 1")).toEqual(check.silver);
    expect(await list(cwd, "SELECT * FROM joined ORDER BY 1")).toEqual(check.joined);
    expect(failed(told, "other_client")).toBe(check.other_clients);
  });

  /** Both files by `sapTable`, from a source that is declared so. */
  function bySapTable(source: string): { readonly check: Answer; readonly cwd: string } {
    const { check, cwd } = open<Answer>(
      "V38",
      "",
      `sources:\n  ERP: { release: ecc, dictionary: [zt.txt]${source} }\n`,
    );
    writeProject(cwd, {
      "zt.txt":
        "ZT: Stock\nkey MANDT CLNT3, MATNR CHAR18\n    QTY CHAR5\n\nZTT: Texts\nkey MANDT CLNT3, MATNR CHAR18\n    TXT CHAR40\n",
      "transformations/t.ts": `import { materializedView, readFiles, sql } from "ingot";
        import { sapTable } from "ingot/sap";
        const landed = (file) => ({ from: readFiles(\`landing/input/\${file}.csv\`, { format: "csv", header: true }) });
        const t = sapTable("ZT", landed("t"));
        const text = sapTable("ZTT", landed("text"));
        materializedView("joined", sql\`SELECT t.matnr, t.qty, x.txt FROM \${t.snapshot} AS t JOIN \${text.snapshot} AS x USING (mandt, matnr)\`);`,
    });
    return { check, cwd };
  }

  it("sapTable leaves out the rows of clients that the source does not declare, and counts them", async () => {
    const { check, cwd } = bySapTable(', client: "100"');
    const { events: told } = await events(cwd);
    expect(await list(cwd, "SELECT matnr, qty FROM zt_cur ORDER BY 1")).toEqual(check.silver);
    expect(await list(cwd, "SELECT * FROM joined ORDER BY 1")).toEqual(check.joined);
    expect(failed(told, "other_client", "zt_cdf")).toBe(check.other_clients);
    expect(told.filter(({ level }) => level !== "INFO")).toEqual([]);
    // What came is all there.
    expect(await list(cwd, "SELECT count(*) FROM bronze.zt")).toEqual([["4"]]);
  });

  it("sapTable of a source without a client keeps them apart, and the run warns of how many there are", async () => {
    const { cwd } = bySapTable("");
    const { events: told } = await events(cwd);
    const warnings = told.filter(({ level }) => level === "WARN").map(({ message }) => message);
    expect(warnings.toSorted()).toEqual([
      "spark_catalog.default.zt_cur: the expectation `single_mandt` fails: mandt has 3 values: 000, 100, 200.",
      "spark_catalog.default.ztt_cur: the expectation `single_mandt` fails: mandt has 2 values: 100, 200.",
    ]);
    const joined = [
      ["A", "1", "Apple"],
      ["B", "2", "Beet"],
      ["A", "9", "Other"],
    ];
    expect(await list(cwd, "SELECT * FROM joined ORDER BY 2")).toEqual(joined);
    const expected = bySapTable(", client: all");
    const { events: calm } = await events(expected.cwd);
    expect(calm.filter(({ level }) => level !== "INFO")).toEqual([]);
    expect(await list(expected.cwd, "SELECT * FROM joined ORDER BY 2")).toEqual(joined);
  });
});

/** How many rows a rule found wrong, of the dataset whose name ends so. */
function failed(told: Awaited<ReturnType<typeof events>>["events"], rule: string, of = ""): number | undefined {
  const rules = told.flatMap(({ details }) =>
    "flow_progress" in details ? (details.flow_progress.data_quality?.expectations ?? []) : [],
  );
  return rules.find(({ name, dataset }) => name === rule && dataset.endsWith(of))?.failed_records;
}
