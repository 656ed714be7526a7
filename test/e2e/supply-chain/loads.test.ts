import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { events, run } from "../cli.js";
import { aside, change, having, only, type Row, readReports, readTable, supplyChain } from "./project.js";

const GOLD = [
  ..."batch currency customer customer_product date location location_product product storage supplier"
    .split(" ")
    .map((name) => `dim_${name}`),
  ..."supplier_company supplier_purchasing uom".split(" ").map((name) => `dim_${name}`),
  ..."batch_release_external batch_release_internal demand_actual demand_forecast inventory"
    .split(" ")
    .map((name) => `fact_${name}`),
  "fact_inventory_month_end_stock",
  "fact_purchase_order",
];

/** Several loads of one project, each after the one before. */
describe("loads one after the other", () => {
  const folder = supplyChain();
  const gold = (table: string) => readTable(folder, `gold.${table}`);
  let told: Awaited<ReturnType<typeof events>>["events"] = [];
  const metrics = (table: string): Row => {
    const done = told.findLast(
      (e) => e.origin.dataset_name?.endsWith(table) && JSON.stringify(e.details).includes("COMPLETED"),
    );
    return (done?.details as { flow_progress?: { metrics?: Row } } | undefined)?.flow_progress?.metrics ?? {};
  };

  beforeAll(async () => {
    await run(folder);
    // Archived in SAP: an item, a batch, a supplier; corrected: a month of demand. The chairs came.
    change(folder, "EKPO", (lines) => lines.filter((line) => !line.startsWith("100,4500000001,00020")));
    change(folder, "EKET", (lines) =>
      lines
        .filter((line) => !line.startsWith("100,4500000001,00020"))
        .map((line) =>
          line.replace(
            "100,4500000006,00010,0001,20260401,20260401,2.000,0.000",
            "100,4500000006,00010,0001,20260401,20260401,2.000,2.000",
          ),
        ),
    );
    change(folder, "EKBE", (lines) => [
      ...lines,
      "100,4500000006,00010,00,1,2026,5000000007,0001,E,20260330,2.000,199.80,EUR,S,0.000",
    ]);
    change(folder, "MCHB", (lines) => lines.filter((line) => !line.includes(",B2,")));
    change(folder, "LFA1", (lines) => lines.filter((line) => !line.startsWith("100,0000102000")));
    change(folder, "DEMAND_ACTUAL", (lines) => lines.filter((line) => !line.startsWith("2026-03,202603,M1,FR")));
    const parameters = join(folder, "settings/report_parameters.csv");
    writeFileSync(parameters, readFileSync(parameters, "utf8").replace("material_market", "material"));
    const { code, events: second } = await events(folder);
    expect(code).toBe(0);
    told = second;
  }, 300_000);

  it("E29 rows that SAP has no longer leave gold, changed rows are changed", async () => {
    const orders = having(await gold("fact_purchase_order"), { client: "100" });
    expect(having(orders, { purchase_order: "4500000001" }).map((row) => row["item"])).toEqual(["00010"]);
    expect(only(orders, { purchase_order: "4500000006" })).toMatchObject({
      po_status: "closed",
      delivery_status: "complete",
    });
    expect(having(await gold("fact_inventory"), { material: "M1" }).map((row) => row["batch"])).toEqual(["B1"]);
    expect(having(await gold("fact_demand_actual"), { period_id: 202603 }).map((row) => row["market"])).toEqual(["DE"]);
    // An order still names the supplier, so that its key stays, and nothing else.
    const supplier = only(await gold("dim_supplier"), { client: "100", supplier_number: "0000102000" });
    expect(supplier).toMatchObject({ supplier_name: null, is_inferred: true });
  });

  it("E29 rows that have not changed are not written again", () => {
    expect(metrics("gold.fact_purchase_order")).toMatchObject({ num_deleted_rows: 1, num_upserted_rows: 2 });
    expect(metrics("gold.fact_demand_actual")).toMatchObject({ num_deleted_rows: 1, num_upserted_rows: 0 });
    expect(metrics("gold.dim_supplier")).toMatchObject({ num_deleted_rows: 0, num_upserted_rows: 1 });
    // Its inputs were computed again, with the same rows.
    expect(metrics("gold.dim_product")).toMatchObject({ num_deleted_rows: 0, num_upserted_rows: 0 });
  });

  it("the reports follow: the chairs are no longer open, and demand is compared at its other grain", async () => {
    const { purchase_order_measures, demand_accuracy } = await readReports(folder, [
      "purchase_order_measures",
      "demand_accuracy",
    ]);
    expect(only(purchase_order_measures ?? [], { client: "100", level: "total" })).toMatchObject({
      open_value: 10415.88,
    });
    // Totals of the months 150, 120 and now 0 against 150, 120 and 60.
    expect(only(demand_accuracy ?? [], { level: "total" })).toMatchObject({
      grain: "material",
      wmape: 0.2222,
      bias: 60,
    });
  });

  describe("and a third one", () => {
    beforeAll(async () => {
      change(folder, "EKKO", (lines) => [
        ...lines,
        // The header of F a second time, with another type; and an order of a currency without a rate.
        "100,4500000006,1000,F,NB,,,20260206,MUELLER,0000101999,1000,001,EUR,1.00000,20260206,,0.00,05",
        "100,4500000007,1000,F,NB,,,20260302,MUELLER,0000101999,1000,001,KRW,0.70000,20260302,,0.00,05",
      ]);
      change(folder, "EKPO", (lines) => [
        ...lines,
        "100,4500000007,00010,,Chip,103,1000,1010,0001,,,10.000,ST,ST,1,1,50.00,1,500.00,,,0,X,X,",
      ]);
      change(folder, "EKET", (lines) => [...lines, "100,4500000007,00010,0001,20260501,20260501,10.000,0.000"]);
      change(folder, "DEMAND_ACTUAL", (lines) => [
        ...lines,
        "2026-03,202603,100,FR,8.000,80.00,1,8.000,8.000,0.000,8.000,80.00,0.00,80.00,100.00",
        "2026-13,202613,100,FR,8.000,80.00,1,8.000,8.000,0.000,8.000,80.00,0.00,80.00,100.00",
      ]);
      told = (await events(folder)).events;
    }, 300_000);

    it("of two rows of a key the last of the file counts, and the key is told", async () => {
      const order = only(await gold("fact_purchase_order"), { client: "100", purchase_order: "4500000006" });
      expect(order["order_type"]).toBe("NB");
      const rule = JSON.stringify(told).match(/"name":"one_row_a_key","dataset":"[^"]*extract\.ekko"[^}]*/)?.[0];
      expect(rule).toContain('"failed_records":1');
    });

    it("an amount without a rate is no part of the total, and is counted", async () => {
      const { purchase_order_measures } = await readReports(folder, ["purchase_order_measures"]);
      expect(only(purchase_order_measures ?? [], { client: "100", level: "total" })).toMatchObject({
        open_value: 10415.88,
        items_without_rate: 1,
        open_items: 4,
      });
    });

    it("a period that is none is set aside", async () => {
      expect(await aside(folder, "extract.demand_actual")).toMatchObject([
        { period: "2026-13", _status: "INVALID_PERIOD" },
      ]);
    });

    it("a full recomputation gives the same tables", async () => {
      const before = await Promise.all(GOLD.map(gold));
      await run(folder, "--full-refresh-all");
      const after = await Promise.all(GOLD.map(gold));
      expect(after.map((table) => table.length)).toEqual(before.map((table) => table.length));
      expect(after).toEqual(before);
    }, 300_000);
  });
});
