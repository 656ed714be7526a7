import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { events, ingot, projectMaker, rows, run, SPEC } from "./cli.js";

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
      AS SELECT id, waers, wrbtr, sap_curr(sap_number(wrbtr, 13, 2), waers) AS amount FROM STREAM ${read("input/amounts.csv", ["id", "waers", "wrbtr"])};`,
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
  const twice = await ingot(["query", "SELECT sap_curr(sap_curr(1.00, 'JPY'), 'JPY')"], { cwd });
  expect([twice.code, twice.stderr]).toEqual([3, expect.stringContaining("sap_curr is applied twice")]);
});

it("V38: of several clients the declared one goes on, and the others are counted", async () => {
  const { check, cwd } = open<{ silver: string[][]; joined: string[][]; other_clients: number }>(
    "V38",
    `CREATE STREAMING TABLE silver (CONSTRAINT other_client EXPECT (MANDT = '100') ON VIOLATION DROP ROW)
      AS SELECT * FROM STREAM ${read("input/t.csv", ["MANDT", "MATNR", "QTY"])};
    CREATE MATERIALIZED VIEW joined AS SELECT s.MATNR, s.QTY, t.TXT
      FROM silver AS s JOIN ${read("input/text.csv", ["MANDT", "MATNR", "TXT"])} AS t USING (MANDT, MATNR);`,
  );
  const { events: told } = await events(cwd);
  const list = async (query: string) => (await rows(cwd, query)).map((row) => Object.values(row));
  expect(await list("SELECT MATNR, QTY FROM silver ORDER BY 1")).toEqual(check.silver);
  expect(await list("SELECT * FROM joined ORDER BY 1")).toEqual(check.joined);
  expect(failed(told, "other_client")).toBe(check.other_clients);
});

/** How many rows a rule found wrong. */
function failed(told: Awaited<ReturnType<typeof events>>["events"], rule: string): number | undefined {
  const rules = told.flatMap(({ details }) =>
    "flow_progress" in details ? (details.flow_progress.data_quality?.expectations ?? []) : [],
  );
  return rules.find(({ name }) => name === rule)?.failed_records;
}
