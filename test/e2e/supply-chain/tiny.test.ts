import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { run, writeProject } from "../cli.js";
import { describeMaster } from "./corrections-master.js";
import { describePurchasing } from "./corrections-purchasing.js";
import { describeStock } from "./corrections-stock.js";
import { readTable, supplyChain } from "./project.js";
import { describeVisuals } from "./visuals.js";
import { describeWorkedExamples } from "./worked-examples.js";

const folder = supplyChain();
const tables = (schema: string) =>
  readdirSync(join(folder, "storage/warehouse", schema)).filter((name) => !name.endsWith("_quarantine"));

let told = "";

beforeAll(async () => {
  // One table more is its name and its file, in a list of one's own.
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as { bronze_tables: string[] };
  const mine = JSON.stringify({ ...config, bronze_tables: [...config.bronze_tables, "ZPLANT"] });
  writeProject(folder, { "mine.json": mine, "landing/ZPLANT.csv": "MANDT,WERKS,Z Text (new)\n100,0010, as it is \n" });
  told = await run(folder, "--set", "config_path=mine.json");
}, 300_000);

it("47 extracts become a star of 18 tables and the suppliers' roles", () => {
  expect(tables("bronze")).toHaveLength(47 + 1);
  expect(tables("gold")).toEqual(
    [
      ..."batch currency customer customer_product date location location_product product storage supplier uom"
        .split(" ")
        .map((name) => `dim_${name}`),
      "dim_supplier_company",
      "dim_supplier_purchasing",
      ..."batch_release_external batch_release_internal demand_actual demand_forecast inventory inventory_month_end_stock purchase_order"
        .split(" ")
        .map((name) => `fact_${name}`),
    ].sort(),
  );
});

it("bronze has clean names, values as they came, and when the file was delivered", async () => {
  expect(await readTable(folder, "bronze.zplant")).toMatchObject([
    { mandt: "100", werks: "0010", z_text_new: " as it is " },
  ]);
  const [location] = await readTable(folder, "bronze.master_location_product");
  expect(location).toMatchObject({ plant_exclusion_x: "X", dw_load_ts: expect.stringMatching(/^20\d\d-/) });
  const [item] = await readTable(folder, "bronze.ekpo");
  expect(item).toMatchObject({ ebelp: "00010", matnr: "100", netwr: "250.00", _file_name: "EKPO.csv", _file_row: "1" });
});

it("tells what checks found: a lot of no origin that counts, a market that nobody described, a start that nobody knows", () => {
  expect(told).toContain("of_an_origin: 1 failed; 1 dropped");
  expect(told).toContain("known_market: 1 failed");
  expect(told).toContain("start_known: 1 failed");
});

describeWorkedExamples(() => folder);
describeVisuals(() => folder);
describePurchasing(() => folder);
describeStock(() => folder);
describeMaster(() => folder);
