import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { ingot, projectMaker, rows, run, writeProject } from "../cli.js";
import { change, having, readTable, supplyChain } from "./project.js";

/** Inputs of the cases from practice about reports (class g-report), copied as they are. */
const CASES = fileURLToPath(new URL("../../fixtures/cases", import.meta.url));
const input = (id: string, name: string): string[] =>
  readFileSync(join(CASES, id, "input", `${name}.csv`), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1);

describe("on the pipeline itself", () => {
  const folder = supplyChain();

  beforeAll(async () => {
    change(folder, "T001", (lines) => [...lines, "300,3000,Cases,Bonn,DE,EUR,D,INT,K4"]);
    change(folder, "MARA", (lines) => [
      ...lines,
      ...input("V63", "items").map((line) => `300,${line.split(",")[0]},,ROH,,,ST,,,,,,,`),
    ]);
    change(folder, "MAKT", (lines) => [...lines, ...input("V63", "texts").map((line) => `300,${line},`)]);
    change(folder, "EKKO", (lines) => [...lines, "300,10,3000,F,NB,,,20260101,ME,,,,EUR,1.00000,20260101,,0.00,"]);
    change(folder, "EKPO", (lines) => [
      ...lines,
      ...input("V65", "items").map((line) => {
        const [order, item, quantity, complete, deleted, isReturn] = line.split(",");
        return `300,${order},${item},${deleted},,,3000,,,,,${quantity},ST,ST,1,1,1.00,1,${quantity}.00,${complete},,0,X,X,${isReturn}`;
      }),
    ]);
    change(folder, "EKET", (lines) => [
      ...lines,
      // Nothing but the history says what came.
      ...input("V65", "schedule").map((line) => {
        const [order, item, number, quantity] = line.split(",");
        return `300,${order},${item},${number},20260401,20260401,${quantity},`;
      }),
    ]);
    change(folder, "EKBE", (lines) => [
      ...lines,
      ...input("V65", "history").map((line, i) => {
        const [order, item, category, sign, quantity] = line.split(",");
        return `300,${order},${item},00,${category},2026,${5_000_000_000 + i},0001,,20260301,${quantity},0.00,EUR,${sign},0.000`;
      }),
    ]);
    const extracts = "mara makt t001 t001w t023t t134t t161t t024 t024e tcurx lfa1 ekko ekpo eket ekbe".split(" ");
    const tables = [
      ...extracts.flatMap((name) => [`bronze.${name}`, `extract.${name}`]),
      ...["settings.po_type_map", "settings.po_sub_type_map", "silver.product", "silver.purchase_order"],
    ];
    await run(folder, "--set", "language=D", "--refresh", tables.join(","));
  }, 300_000);

  it("V63 a text in the wanted language, else in E, else the first, else the key; never another row", async () => {
    const products = having(await readTable(folder, "silver.product"), { client: "300" });
    expect(products.map((row) => [row["material"], row["material_label"]])).toEqual([
      ["A", "Schraube"],
      ["B", "Nut"],
      ["C", "Boulon"],
      ["D", "D"],
    ]);
  });

  it("V65 what is open of an item: each side summed up before the join, returns the other way", async () => {
    const items = having(await readTable(folder, "silver.purchase_order"), { client: "300", is_deleted: false });
    const open = items.map((row) => [
      row["item"],
      Number(row["quantity_to_be_delivered"]) - Number(row["quantity_to_be_returned"]),
    ]);
    expect(open).toEqual([
      ["00010", 6],
      ["00020", 0],
      ["00040", 0],
      ["00050", -2],
      ["00060", 5],
    ]);
  });
});

it("where batch numbers are those of a plant, MCHA tells what a batch is", async () => {
  const folder = supplyChain();
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as { bronze_tables: string[] };
  writeProject(folder, {
    "mine.json": JSON.stringify({ ...config, bronze_tables: [...config.bronze_tables, "MCHA"] }),
    "landing/MCHA.csv":
      "MANDT,MATNR,WERKS,CHARG,HSDAT,VFDAT\n100,M1,1010,B1,20250420,20260420\n100,M1,1020,B1,20260101,20270101\n",
  });
  change(folder, "MARC", (lines) => [...lines, "100,M1,1020,,X,5,1,0.000,0.000,0.000,0.000,2026,03"]);
  change(folder, "MCHB", (lines) => [
    ...lines,
    "100,M1,1020,0001,B1,20260201,2026,03,7.000,0.000,0.000,0.000,0.000,0.000",
  ]);
  const extracts = "mara makt t001 t001k t001w marc mard mchb mslb mbew tcurx lfa1 mcha".split(" ");
  const tables = [
    ...extracts.flatMap((name) => [`bronze.${name}`, `extract.${name}`]),
    "silver.batch",
    "silver.inventory",
  ];
  const options = ["--set", "batch_level=plant", "--set", "config_path=mine.json"];
  await run(folder, ...options, "--refresh", tables.join(","));
  const batches = await readTable(folder, "silver.batch");
  expect(batches.map(({ plant, batch, expiration_date }) => [plant, batch, expiration_date])).toEqual([
    ["1010", "B1", "2026-04-20"],
    ["1020", "B1", "2027-01-01"],
  ]);
  const stock = having(await readTable(folder, "silver.inventory"), { batch: "B1" });
  expect(stock.map((row) => [row["batch_plant"], row["shelf_life_expiration_date"]])).toEqual([
    ["1010", "2026-04-20"],
    ["1020", "2027-01-01"],
  ]);
  const { code, stderr } = await ingot(["dry-run", "--set", "batch_level=store"], { cwd: folder });
  expect([code, stderr]).toEqual([3, expect.stringContaining("batch_level is store: write material, plant, client")]);
}, 300_000);

describe("in SQL beside it", () => {
  const project = projectMaker();
  const files = (id: string, ...names: string[]) =>
    Object.fromEntries(
      names.map((name) => [`${name}.csv`, readFileSync(join(CASES, id, "input", `${name}.csv`), "utf8")]),
    );
  const csv = (name: string, schema: string) =>
    `read_files('${name}.csv', format => 'csv', header => true, schema => '${schema}')`;

  it("V64 of overlapping periods the later one counts, and the overlap is told", async () => {
    const cwd = project({
      ...files("V64", "facts", "validity"),
      "transformations/t.sql": `
CREATE MATERIALIZED VIEW validity (CONSTRAINT no_overlap EXPECT (NOT overlaps)) AS
SELECT *, coalesce(lead(begda) OVER (PARTITION BY pernr ORDER BY begda) <= endda, false) AS overlaps
FROM ${csv("validity", "pernr STRING, begda DATE, endda DATE, level INT")};
CREATE MATERIALIZED VIEW hours (CONSTRAINT once EXPECT UNIQUE (pernr, day) ON VIOLATION FAIL UPDATE) AS
SELECT f.pernr, f.day, f.hours, v.level
FROM ${csv("facts", "pernr STRING, day DATE, hours INT")} AS f
LEFT JOIN validity AS v ON v.pernr = f.pernr AND f.day BETWEEN v.begda AND v.endda
QUALIFY row_number() OVER (PARTITION BY f.pernr, f.day ORDER BY v.begda DESC) = 1;`,
    });
    expect(await run(cwd)).toContain("no_overlap: 1 failed");
    expect(await rows(cwd, "SELECT pernr, CAST(day AS STRING) AS day, hours, level FROM hours ORDER BY pernr")).toEqual(
      [
        { pernr: "1", day: "2021-06-15", hours: 8, level: 5 },
        { pernr: "2", day: "2022-01-01", hours: 7, level: 3 },
      ],
    );
  });

  it("V66 one rate for a document: by book and type, or the run says that there are more", async () => {
    const converted = (condition: string) =>
      project({
        ...files("V66", "tx", "rates"),
        "transformations/t.sql": `
CREATE MATERIALIZED VIEW converted (CONSTRAINT one_rate EXPECT UNIQUE (id) ON VIOLATION FAIL UPDATE) AS
SELECT t.id, CAST(t.amt * r.rate AS DECIMAL(10,2)) AS amount
FROM ${csv("tx", "id STRING, amt DECIMAL(10,2), cur STRING, period STRING")} AS t
LEFT JOIN ${csv("rates", "`from` STRING, `to` STRING, period STRING, book INT, type STRING, rate DECIMAL(9,5)")} AS r
  ON r.\`from\` = t.cur AND r.period = t.period ${condition};`,
      });
    const right = converted("AND r.book = 1 AND r.type = 'AVG'");
    await run(right);
    expect(await rows(right, "SELECT * FROM converted ORDER BY id")).toEqual([
      { id: "1", amount: "110.00" },
      { id: "2", amount: "55.00" },
    ]);
    const { code, stderr } = await ingot(["run"], { cwd: converted("") });
    expect([code, stderr]).toEqual([4, expect.stringContaining("one_rate")]);
  });
});
