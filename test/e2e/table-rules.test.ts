import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";
import { events, filesBelow, ingot, projectMaker, refusal, rows, run } from "./cli.js";

const project = projectMaker();

const read = (folder: string, schema: string) =>
  `STREAM read_files('${folder}', format => 'csv', header => true, enforceSchema => false, schema => '${schema}')`;
const ITEMS = `CREATE STREAMING TABLE items AS SELECT * FROM ${read("items", "id BIGINT, customer STRING")};`;
const CUSTOMERS = `CREATE STREAMING TABLE customers AS SELECT * FROM ${read("customers", "name STRING")};`;

/** What the rules of a run said, by name: passed and failed. */
function told(heard: readonly RunEvent[]): Record<string, [passed: number, failed: number]> {
  const results = heard.flatMap(({ details }) =>
    "flow_progress" in details ? (details.flow_progress.data_quality?.expectations ?? []) : [],
  );
  return Object.fromEntries(results.map((r) => [r.name, [r.passed_records, r.failed_records]]));
}
const ids = async (folder: string, from: string) =>
  (await rows(folder, `SELECT id FROM ${from} ORDER BY id`)).map((row) => Number(row["id"]));

describe("EXPECT REFERENCES", () => {
  /** Items of A, of nobody, of B, and of Z, who is no customer. */
  const shop = (sql: string) =>
    project({
      "transformations/all.sql": `${ITEMS}\n${CUSTOMERS}\n${sql}`,
      "items/1.csv": "id,customer\n1,A\n2,\n3,B\n4,Z\n",
      "customers/1.csv": "name\nA\nB\n",
    });
  const silver = (action: string, kind = "STREAMING TABLE", from = "STREAM items") =>
    `CREATE ${kind} silver (CONSTRAINT known EXPECT REFERENCES (customer) IN customers (name)${action}) AS SELECT * FROM ${from};`;

  it.each([
    ["", [1, 2, 3, 4], 0],
    [" ON VIOLATION DROP ROW", [1, 2, 3], 0],
    [" ON VIOLATION FAIL UPDATE", undefined, 4],
  ])("%s: a NULL refers to nothing, a row without its counterpart fails", async (action, kept, code) => {
    const folder = shop(silver(action));
    const run = await events(folder);
    expect(run.code).toBe(code);
    if (kept === undefined) {
      expect(filesBelow(`${folder}/storage/warehouse/default/silver`)).toEqual([]);
      const error = run.events.find((e) => e.event_type === "flow_progress" && e.error !== undefined)?.error;
      expect(error).toMatchObject({
        code: "EXPECTATION_VIOLATION",
        message: expect.stringContaining('expectation `known` (1), such as {"id":"4","customer":"Z"}'),
      });
    } else {
      expect(await ids(folder, "silver")).toEqual(kept);
      expect(told(run.events)).toEqual({ known: [3, 1] });
    }
  });

  it("of a view above files: the quarantined row is released when its counterpart has come", async () => {
    const folder =
      shop(`CREATE TEMPORARY VIEW checked (CONSTRAINT known EXPECT REFERENCES (customer) IN customers (name)
  ON VIOLATION QUARANTINE ROW) AS SELECT * FROM STREAM items;
CREATE STREAMING TABLE silver AS SELECT * FROM STREAM checked;`);
    await events(folder);
    expect(await ids(folder, "checked_quarantine")).toEqual([4]);
    writeFileSync(`${folder}/customers/2.csv`, "name\nZ\n");
    await events(folder);
    const { code, stdout, stderr } = await ingot(["quarantine", "release", "checked", "--all", "--json"], {
      cwd: folder,
    });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ released: 1, passed: 1 });
    expect(await ids(folder, "silver")).toEqual([1, 2, 3, 4]);
  });

  it("a materialized view is computed anew when the other table changes", async () => {
    const folder = shop(silver(" ON VIOLATION DROP ROW", "MATERIALIZED VIEW", "items"));
    await events(folder);
    expect(await ids(folder, "silver")).toEqual([1, 2, 3]);
    writeFileSync(`${folder}/customers/2.csv`, "name\nZ\n");
    await events(folder);
    expect(await ids(folder, "silver")).toEqual([1, 2, 3, 4]);
  });

  it("a query of a view sees the rows that refer to something", async () => {
    const folder =
      shop(`CREATE TEMPORARY VIEW checked (CONSTRAINT known EXPECT REFERENCES (customer) IN customers (name)
  ON VIOLATION DROP ROW) AS SELECT * FROM items;
CREATE MATERIALIZED VIEW silver AS SELECT count(*) AS n FROM checked;`);
    await events(folder);
    expect(await rows(folder, "SELECT n FROM silver")).toEqual([{ n: "3" }]);
    expect(await ids(folder, "checked")).toEqual([1, 2, 3]);
  });

  it("runs behind the table that it refers to, and is skipped where that one fails", async () => {
    const folder = shop(
      silver("").replaceAll("customers", "zz") +
        "CREATE MATERIALIZED VIEW zz AS SELECT CAST(name AS INT) AS name FROM customers;",
    );
    const run = await events(folder);
    expect(run.events.map((e) => e.message)).toContain(
      "Flow 'spark_catalog.default.silver' SKIPPED due to upstream failure(s).",
    );
  });

  it("compares as Spark does, and names its columns alike where no others are named", async () => {
    const folder =
      shop(`CREATE MATERIALIZED VIEW numbers AS SELECT CAST(id AS DECIMAL(10,2)) AS id FROM items WHERE id < 3;
CREATE MATERIALIZED VIEW silver (CONSTRAINT low EXPECT REFERENCES (id) IN numbers ON VIOLATION DROP ROW) AS SELECT * FROM items;`);
    expect((await events(folder)).code).toBe(0);
    expect(await ids(folder, "silver")).toEqual([1, 2]);
  });

  it.each([
    ["REFERENCES (nobody) IN customers (name)", "UNRESOLVED_COLUMN.WITH_SUGGESTION"],
    ["REFERENCES (customer) IN customers (nobody)", "UNRESOLVED_COLUMN.WITH_SUGGESTION"],
    ["REFERENCES (customer) IN nobody (name)", "UNKNOWN_TABLE"],
    ["REFERENCES (customer) IN customers (name, name)", "PARSE_SYNTAX_ERROR"],
    ["REFERENCES (customer) IN silver (customer)", "CYCLE"],
    ["REFERENCES (customer) IN v (name)", "NOT_SUPPORTED"],
  ])("%s is refused", async (rule, code) => {
    const sql = `CREATE TEMPORARY VIEW v AS SELECT * FROM customers;
CREATE MATERIALIZED VIEW silver (CONSTRAINT r EXPECT ${rule}) AS SELECT * FROM items;`;
    expect((await refusal(shop(sql), "dry-run")).errors).toMatchObject([{ code }]);
  });
});

describe("beside a large table, of which only some files are read,", () => {
  // More than a million rows in files with ranges of their own, and one that is not where its neighbours are.
  const big = (id: string) =>
    `CREATE STREAMING TABLE big (CONSTRAINT one EXPECT UNIQUE (id)) AS SELECT ${id} AS id FROM STREAM parts;`;
  const PARTS = `CREATE STREAMING TABLE parts AS SELECT explode(sequence(low, high)) AS id FROM ${read("parts", "low BIGINT, high BIGINT")};`;

  it("keys are unique, and references found, as beside a small one", async () => {
    const folder = project({
      "transformations/all.sql": `${PARTS}\n${big("id")}
${ITEMS}
CREATE STREAMING TABLE silver (CONSTRAINT known EXPECT REFERENCES (id) IN big ON VIOLATION QUARANTINE ROW) AS SELECT * FROM STREAM items;`,
      "parts/1.csv": "low,high\n1,700000\n",
      "items/1.csv": "id,customer\n1,A\n",
    });
    await run(folder);
    writeFileSync(`${folder}/parts/2.csv`, "low,high\n2000000,2400000\n");
    await run(folder);
    writeFileSync(`${folder}/parts/3.csv`, "low,high\n699999,700001\n2400000,2400001\n5,5\n");
    writeFileSync(`${folder}/items/2.csv`, "id,customer\n700000,A\n700002,B\n2400001,C\n1999999,D\n,E\n");
    // Of the batch, 699999, 700000, 2400000 and 5 are there already.
    expect(told((await events(folder)).events)).toEqual({ one: [2, 4], known: [3, 2] });
    expect(await ids(folder, "silver_quarantine")).toEqual([700002, 1999999]);
  });
});

describe("EXPECT ROW COUNT", () => {
  const HALF_TO_DOUBLE = "ROW COUNT BETWEEN 0.5 AND 2 OF LAST 2 RUNS";
  const shop = (action: string, kind = "STREAMING TABLE", from = "STREAM items") =>
    project({
      "transformations/all.sql": `${ITEMS}\nCREATE ${kind} silver (CONSTRAINT steady EXPECT ${HALF_TO_DOUBLE}${action}) AS SELECT * FROM ${from} WHERE id > 0;`,
      "items/1.csv": "id,customer\n1,A\n2,A\n",
    });
  const add = (folder: string, file: number, ...numbers: number[]) =>
    writeFileSync(`${folder}/items/${file}.csv`, `id,customer\n${numbers.map((n) => `${n},A\n`).join("")}`);

  it.each([
    ["STREAMING TABLE", "STREAM items"],
    ["MATERIALIZED VIEW", "items"],
  ])("of a %s: rows beyond the bounds are not written, exit code 4", async (kind, from) => {
    const folder = shop(" ON VIOLATION FAIL UPDATE", kind, from);
    expect(told((await events(folder)).events)).toEqual({ steady: [1, 0] });
    add(folder, 2, 3, 4);
    expect((await events(folder)).code).toBe(0);
    add(folder, 3, 5, 6, 7, 8, 9);
    const run = await events(folder);
    expect(run.code).toBe(4);
    expect(run.events.find((e) => e.event_type === "run_progress")?.error).toMatchObject({
      code: "EXPECTATION_VIOLATION",
      message:
        "spark_catalog.default.silver: the expectation `steady` fails: there are 9 rows, and 1 to 8 are expected after 2 runs with 2 to 4",
    });
    expect(await ids(folder, "silver")).toEqual([1, 2, 3, 4]);
  });

  it("warn: is told, and written", async () => {
    const folder = shop("");
    await events(folder);
    add(folder, 2, 3, 4, 5);
    const run = await events(folder);
    expect(run.code).toBe(0);
    expect(told(run.events)).toEqual({ steady: [0, 1] });
    expect(run.events.filter((e) => e.level === "WARN").map((e) => e.message)).toEqual([
      "spark_catalog.default.silver: the expectation `steady` fails: there are 5 rows, and 1 to 4 are expected after 1 run with 2 to 2.",
    ]);
    expect(await ids(folder, "silver")).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ["CREATE TEMPORARY VIEW silver (CONSTRAINT r EXPECT RULE) AS SELECT * FROM items", "NOT_SUPPORTED"],
    [
      "CREATE MATERIALIZED VIEW silver (CONSTRAINT r EXPECT RULE ON VIOLATION DROP ROW) AS SELECT * FROM items",
      "NOT_SUPPORTED",
    ],
    [
      "CREATE STREAMING TABLE silver (CONSTRAINT r EXPECT RULE); CREATE FLOW f AS AUTO CDC INTO silver FROM STREAM(items) KEYS (id) SEQUENCE BY id",
      "NOT_SUPPORTED",
    ],
  ])("is refused: %s", async (sql, code) => {
    const folder = project({
      "transformations/all.sql": `${ITEMS}\n${sql.replace("RULE", HALF_TO_DOUBLE)};`,
      "items/1.csv": "id,customer\n1,A\n",
    });
    expect((await refusal(folder, "dry-run")).errors).toMatchObject([{ code }]);
  });
});

describe("EXPECT FRESHNESS", () => {
  const EVENTS = "id BIGINT, at TIMESTAMP, day DATE";
  const shop = (rule: string, kind = "STREAMING TABLE", stream = "STREAM ") =>
    project({
      "transformations/all.sql": `CREATE STREAMING TABLE items AS SELECT * FROM ${read("items", EVENTS)};
CREATE ${kind} silver (CONSTRAINT fresh EXPECT FRESHNESS ${rule}) AS SELECT * FROM ${stream}items;`,
      "items/1.csv": "id,at,day\n1,2026-10-01 10:00:00,2026-10-01\n2,2026-10-01 11:00:00,2026-10-01\n",
    });
  const at = (time: string) => ({ clock: () => new Date(time) });
  const run = (cwd: string, time: string) => ingot(["run"], { cwd, ...at(time) });

  it.each([
    ["STREAMING TABLE", "STREAM "],
    ["MATERIALIZED VIEW", ""],
  ])("of a %s: old rows are not written, and a table that nothing comes to gets old", async (kind, stream) => {
    const folder = shop("(at) WITHIN 2 HOURS ON VIOLATION FAIL UPDATE", kind, stream);
    const old = await run(folder, "2026-10-01T13:00:01Z");
    expect(old.code).toBe(4);
    expect(old.stderr).toContain(
      "the newest at is 2026-10-01 11:00:00+00, and at 2026-10-01T13:00:01.000Z it may be 7200 seconds old",
    );
    expect(filesBelow(`${folder}/storage/warehouse/default/silver`)).toEqual([]);
    expect((await run(folder, "2026-10-01T13:00:00Z")).code).toBe(0);
    const idle = await run(folder, "2026-10-01T14:00:00Z");
    expect(idle.code).toBe(4);
    expect(idle.stderr).toContain("the newest at is 2026-10-01 11:00:00, and at 2026-10-01T14:00:00.000Z");
    writeFileSync(`${folder}/items/2.csv`, "id,at,day\n3,2026-10-01 13:30:00,2026-10-01\n");
    expect((await run(folder, "2026-10-01T14:00:00Z")).code).toBe(0);
    expect(await ids(folder, "silver")).toEqual([1, 2, 3]);
  });

  it("late rows beside fresh ones that are there are right", async () => {
    const folder = shop("(at) WITHIN 2 HOURS ON VIOLATION FAIL UPDATE");
    await run(folder, "2026-10-01T12:00:00Z");
    writeFileSync(`${folder}/items/2.csv`, "id,at,day\n3,2020-01-01 00:00:00,2020-01-01\n");
    expect((await run(folder, "2026-10-01T12:30:00Z")).code).toBe(0);
  });

  it("a date counts until its end; warn tells it", async () => {
    const folder = shop("(day) WITHIN 1 HOUR");
    const said = async (time: string) => (await run(folder, time)).stderr.includes("the newest day is 2026-10-01");
    expect(await said("2026-10-02T01:00:00Z")).toBe(false);
    expect(await said("2026-10-02T01:00:01Z")).toBe(true);
  });

  it("is of times alone", async () => {
    const { errors } = await refusal(shop("(id) WITHIN 1 DAY"), "dry-run");
    expect(errors).toMatchObject([
      { code: "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", at: "transformations/all.sql:2:56" },
    ]);
  });
});

describe("EXPECT SINGLE VALUE", () => {
  const shop = (rule: string, kind = "STREAMING TABLE") =>
    project({
      "transformations/all.sql": `CREATE STREAMING TABLE items AS SELECT * FROM ${read("items", "id BIGINT, client STRING")};
CREATE ${kind} silver (CONSTRAINT one EXPECT SINGLE VALUE ${rule}) AS SELECT * FROM ${kind === "VIEW" ? "" : "STREAM "}items;`,
      "items/1.csv": "id,client\n1,100\n2,\n3,100\n",
    });
  const warnings = (heard: readonly RunEvent[]) =>
    heard.flatMap(({ level, message }) => (level === "WARN" ? [message] : []));

  it("warns of all values that the table has, those of before too; NULL is none", async () => {
    const folder = shop("(client)");
    const first = await events(folder);
    expect([warnings(first.events), told(first.events)]).toEqual([[], { one: [1, 0] }]);
    writeFileSync(`${folder}/items/2.csv`, "id,client\n4,200\n");
    const second = await events(folder);
    expect([second.code, told(second.events)]).toEqual([0, { one: [0, 1] }]);
    expect(warnings(second.events)).toEqual([
      "spark_catalog.default.silver: the expectation `one` fails: client has 2 values: 100, 200.",
    ]);
    // Nothing was written, so nothing is looked for.
    expect(told((await events(folder)).events)).toEqual({});
    const many = Array.from({ length: 9 }, (_, i) => `${i},3${i}0`);
    writeFileSync(`${folder}/items/3.csv`, `id,client\n${many.join("\n")}\n`);
    expect(warnings((await events(folder)).events)).toEqual([
      "spark_catalog.default.silver: the expectation `one` fails: client has more than 10 values: 100, 200, 300, 310, 320, 330, 340, 350, 360, 370.",
    ]);
  });

  it("shows no values of a sensitive column", async () => {
    const folder = project({
      "transformations/t.ts": `import { expectSingleValue, materializedView, sql } from "ingot";
        materializedView("m", {
          schema: { id: { type: "INT" }, client: { sensitive: true } },
          expectations: [expectSingleValue("client")],
          query: sql\`SELECT * FROM VALUES (1, 'a'), (2, 'b') AS v(id, client)\`,
        });`,
    });
    expect(warnings((await events(folder)).events)).toEqual([
      "spark_catalog.default.m: the expectation `single_client` fails: client has 2 values.",
    ]);
  });

  it.each([
    ["(client) ON VIOLATION FAIL UPDATE", "STREAMING TABLE", "NOT_SUPPORTED"],
    ["(client) ON VIOLATION DROP ROW", "STREAMING TABLE", "NOT_SUPPORTED"],
    ["(client)", "VIEW", "NOT_SUPPORTED"],
    ["(clinet)", "STREAMING TABLE", "UNRESOLVED_COLUMN.WITH_SUGGESTION"],
    ["client", "STREAMING TABLE", "PARSE_SYNTAX_ERROR"],
  ])("%s of a %s is refused", async (rule, kind, code) => {
    expect((await refusal(shop(rule, kind), "dry-run")).errors).toMatchObject([{ code }]);
  });
});
