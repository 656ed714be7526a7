import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { events, ingot } from "../cli.js";
import { aside, change, having, only, readTable, supplyChain, tableReader } from "./project.js";

describe("without five of the files", () => {
  const folder = supplyChain();
  const MISSING = ["PLKO", "T161T", "QAVE", "MASTER_CUSTOMER_PRODUCT", "DEMAND_FORECAST"];
  let stderr = "";
  let code = -1;

  beforeAll(async () => {
    for (const name of MISSING) rmSync(join(folder, "landing", `${name}.csv`));
    ({ code, stderr } = await ingot(["run"], { cwd: folder }));
  }, 300_000);

  it("each is told, and what needs none of them is there", async () => {
    expect(code, stderr).toBe(0);
    for (const name of MISSING)
      expect(stderr).toContain(`landing/${name}.csv is missing: bronze.${name.toLowerCase()} is left out`);
    expect(having(await readTable(folder, "gold.fact_purchase_order"), { client: "100" })).toHaveLength(8);
    expect(await readTable(folder, "gold.dim_product")).toHaveLength(11);
  });

  it("a missing text is no text; what needs a missing extract is left out, not empty", async () => {
    const order = only(await readTable(folder, "gold.fact_purchase_order"), { purchase_order: "4500000002" });
    expect(order).toMatchObject({ order_type: "NB", order_type_text: null });
    expect(stderr).toContain(
      "gold.fact_batch_release_external is left out of the run: so is spark_catalog.default.fact_batch_release_external_snapshot",
    );
    await expect(readTable(folder, "gold.fact_batch_release_external")).rejects.toThrow();
  });

  it("a file that goes later leaves what it brought", async () => {
    rmSync(join(folder, "landing/EKBE.csv"));
    change(folder, "EKPO", (lines) => lines.map((line) => line.replace("Office chair", "Office chairs")));
    const later = await ingot(["run"], { cwd: folder });
    expect([later.code, later.stderr]).toEqual([0, expect.stringContaining("bronze.ekbe stays as it was loaded last")]);
    const orders = await readTable(folder, "gold.fact_purchase_order");
    expect(only(orders, { purchase_order: "4500000006" })["material_name"]).toBe("Office chairs");
    expect(only(orders, { purchase_order: "4500000005" })["invoiced_quantity"]).toBe("1000.000");
  }, 300_000);
});

describe("with extracts that are broken", () => {
  const folder = supplyChain();
  let run: Awaited<ReturnType<typeof events>>;

  beforeAll(async () => {
    // Nearly all days of the lots are none: the gate. One item without a number, and one with a text for an amount.
    change(folder, "QALS", (lines) =>
      lines.map((line) => line.replaceAll("20260301", "20260231").replaceAll("202603", "202613")),
    );
    change(folder, "EKPO", (lines) => [
      ...lines,
      "100,,00010,,No number,100,1000,1010,0001,ROH1,,10.000,ST,ST,1,1,25.00,1,250.00,,,0,X,X,",
      "100,4500000008,00010,,Text,100,1000,1010,0001,ROH1,,10.000,ST,ST,1,1,25.00,1,2 50,,,0,X,X,",
    ]);
    writeFileSync(
      join(folder, "landing/PLKO.csv"),
      readFileSync(join(folder, "landing/PLKO.csv"), "latin1").slice(0, 3),
    );
    run = await events(folder);
  }, 300_000);

  it("rows that cannot be read are set aside, with the reason", async () => {
    const items = await aside(folder, "extract.ekpo");
    expect(items.map((row) => [row["ebeln"], row["txz01"], row["_status"]]).sort()).toEqual([
      [null, "No number", "INVALID_PRIMARY_KEY"],
      ["4500000008", "Text", "MALFORMED_AMOUNT"],
    ]);
  });

  it("an extract of which most cannot be read is not published, nor what needs it; the rest goes on", async () => {
    expect(run.code).toBe(4);
    expect(JSON.stringify(run.events)).toContain("QUALITY_GATE_CLOSED");
    await expect(readTable(folder, "silver.batch_release_external")).rejects.toThrow();
    expect(having(await readTable(folder, "gold.fact_purchase_order"), { client: "100" })).toHaveLength(8);
    expect(await readTable(folder, "gold.fact_inventory")).toHaveLength(7);
  });
});

describe("with faults in planning, stock and inspection lots", () => {
  const folder = supplyChain();
  const gold = tableReader(() => folder);
  let run: Awaited<ReturnType<typeof events>>;
  const failed = (dataset: string, rule: string): number =>
    Number(
      new RegExp(`"name":"${rule}","dataset":"[^"]*${dataset}"[^}]*"failed_records":(\\d+)`).exec(
        JSON.stringify(run.events),
      )?.[1],
    );

  beforeAll(async () => {
    const add = (extract: string, ...lines: string[]) => change(folder, extract, (before) => [...before, ...lines]);
    // A market and a material that nobody has described, and more shipped than asked for.
    add("DEMAND_ACTUAL", "2026-03,202603,X9,ES,5.000,50.00,1,9.000,5.000,0.000,5.000,50.00,0.00,50.00,100.00");
    add("DEMAND_FORECAST", `2026-00,202600,M1,DE,${"1,".repeat(26)}1`);
    add("MASTER_LOCATION_PRODUCT", "NOWH,M1,Valve,,");
    change(folder, "MCHB", (lines) => lines.map((line) => line.replace("2026,03,100.000", "2026,03,-5.000")));
    add(
      "MARD",
      "100,X9,1010,0001,20250501,2026,03,3.000,0.000,0.000,0.000,0.000,0.000",
      "100,M2,1010,,20250501,2026,03,1.000,0.000,0.000,0.000,0.000,0.000",
    );
    // A lot of a plant and a batch that are not there; a decision on no lot, and one on no day.
    add(
      "QALS",
      "100,000010000003,9999,01,01,M1,B9,,0001,,,00000,20260320,00000000,20260320,20260327,1.000,ST,1.000,0,0,ST",
    );
    add("QAVE", "100,000010000099,L,000001,A1,A,SCHULZ,20260304", "100,000010000002,L,000001,A1,A,SCHULZ,20260230");
    run = await events(folder);
  }, 300_000);

  it("what cannot be read is set aside, and all else goes on", async () => {
    expect(run.code).toBe(0);
    const found = ["demand_forecast", "mard", "qave"].map(async (extract) =>
      (await aside(folder, `extract.${extract}`)).map((row) => row["_status"]),
    );
    expect(await Promise.all(found)).toEqual([["INVALID_PERIOD"], ["INVALID_PRIMARY_KEY"], ["INVALID_DATE"]]);
    expect(await gold("gold.fact_demand_forecast")).toHaveLength(7);
  });

  it("what nobody has described stays, is counted, and has a row in its dimension", async () => {
    expect(only(await gold("gold.fact_demand_actual"), { market: "ES" })).toMatchObject({ actual_qty: "5.000" });
    expect([failed("silver.demand_actual", "known_market"), failed("silver.demand_actual", "known_material")]).toEqual([
      1, 1,
    ]);
    const inferred = { is_inferred: true };
    expect(only(await gold("gold.dim_customer"), { market: "ES" })).toMatchObject(inferred);
    expect(only(await gold("gold.dim_product"), { client: "100", material: "X9" })).toMatchObject(inferred);
    expect(only(await gold("gold.dim_location"), { client: "100", plant: "NOWH" })).toMatchObject(inferred);
    expect(only(await gold("gold.dim_location"), { client: "100", plant: "9999" })).toMatchObject(inferred);
    expect(only(await gold("gold.dim_batch"), { client: "100", batch: "B9" })).toMatchObject(inferred);
    // Stock without a price has a quantity and no value.
    expect(only(await gold("gold.fact_inventory"), { material: "X9" })).toMatchObject({
      total_stock_qty: "3.000",
      total_stock_value: null,
    });
  });

  it("what contradicts itself is told", () => {
    expect(failed("silver.demand_actual", "shipped")).toBe(1);
    expect(failed("silver.inventory", "not_negative")).toBe(1);
    // Both batches of the location and the valuation area.
    expect(failed("silver.inventory", "batches_match")).toBe(2);
    expect(failed("silver.inventory", "value_matches")).toBe(2);
  });

  it("a lot whose decision cannot be read is open", async () => {
    const lots = await gold("gold.fact_batch_release_external");
    expect(lots.map((lot) => [lot["inspection_lot"], lot["is_open"]])).toEqual([
      ["000010000001", false],
      ["000010000002", true],
      ["000010000003", true],
    ]);
  });
});
