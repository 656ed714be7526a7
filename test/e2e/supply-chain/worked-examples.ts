import { beforeAll, describe, expect, it } from "vitest";
import { having, only, type Row, readReports, readTable } from "./project.js";

const [A, B, C, D, E, F] = [1, 2, 3, 4, 5, 6].map((number) => `450000000${number}`);

/** The worked examples of the specification's section 4, with the numbers printed there. */
export function describeWorkedExamples(project: () => string): void {
  describe("the worked examples", () => {
    let reports: Record<string, Row[]> = {};
    const view = (name: string) => reports[name] ?? [];

    beforeAll(async () => {
      reports = await readReports(project(), [
        "purchase_order_item",
        "purchase_order_measures",
        "purchase_order_supplier",
        "inventory_stock",
        "inventory_measures",
        "inventory_sellable",
        "inventory_trend",
        "inventory_coverage",
        "inventory_open_lot",
        "demand_comparison",
        "demand_accuracy",
        "demand_trend",
        "demand_revenue",
      ]);
    }, 300_000);

    it.each([
      ["A/10", A, 4, 6, 150, "overdue"],
      ["B/10", B, 400, 600, 37.2, "due_30"],
      ["C/10", C, 50, 0, 0, undefined],
      ["D/10", D, 3, 0, 0, undefined],
      ["E/10", E, 1680, 1680, 10228.68, "overdue"],
      ["F/10", F, 0, 2, 199.8, "due_7"],
    ])("purchase order %s", (_name, order, delivered, open, value, due) => {
      const item = only(view("purchase_order_item"), { client: "100", purchase_order: order });
      expect(item).toMatchObject({
        item: "00010",
        delivered_quantity: delivered,
        quantity_to_be_delivered: open,
        open_value: value,
      });
      expect(item["due_status"]).toBe(due);
    });

    it("open value 10,615.68, of which 10,378.68 is overdue: 97.8 %", () => {
      const [total] = having(view("purchase_order_measures"), { client: "100", level: "total" });
      expect(total).toMatchObject({
        report_currency: "EUR",
        open_value: 10615.68,
        overdue_value: 10378.68,
        overdue_share: 0.9777, // 97.8 %
        ordered_value: 21369.16,
        open_items: 4,
        items_without_rate: 0,
      });
      const types = having(view("purchase_order_measures"), { client: "100", level: "po_type" });
      expect(Object.fromEntries(types.map((row) => [row["po_type"], row["open_value"]]))).toEqual({
        direct: 10415.88,
        indirect: 199.8,
        sto: 0,
      });
    });

    it("ordered not invoiced and received not invoiced are two numbers", () => {
      const item = (order: string | undefined) =>
        only(view("purchase_order_item"), { client: "100", purchase_order: order });
      expect(item(A)).toMatchObject({
        quantity_to_be_invoiced: 6,
        ordered_not_invoiced_value: 150,
        received_not_invoiced_quantity: 0,
      });
      expect(item(E)).toMatchObject({
        quantity_to_be_invoiced: 2360,
        ordered_not_invoiced_value: 14368.86,
        received_not_invoiced_quantity: 680,
        received_not_invoiced_converted_value: 4140.18,
      });
      expect(item(D)).toMatchObject({ quantity_to_be_invoiced: 0, received_not_invoiced_quantity: 0 });
    });

    it("on time in full 33.3 %, on-time quantity 37.5 %, average delay 2.0 days", () => {
      expect(only(view("purchase_order_supplier"), { client: "200" })).toMatchObject({
        lines_due: 3,
        otif: 0.3333,
        on_time_quantity_share: 0.375,
        average_delay_days: 2,
        open_lines: 1,
      });
    });

    it("stock of 1,100.00: M1 160 pieces for 800.00, M2 24 for 300.00", () => {
      const level = (of: string) => having(view("inventory_measures"), { client: "100", level: of });
      expect(only(level("total"), {})).toMatchObject({ stock_value: 1100, value_at_risk: 300, expired_value: 0 });
      expect(only(level("material"), { material: "M1" })).toMatchObject({
        stock_quantity: 160,
        stock_value: 800,
        unrestricted_value: 700,
        quality_value: 50,
        blocked_value: 25,
        restricted_value: 10,
        in_transfer_value: 15,
      });
      expect(only(level("material"), { material: "M2" })).toMatchObject({ stock_quantity: 24, stock_value: 300 });
    });

    it("batches B1 with 20 days left and B2 with 365, of which a market that wants 180 takes 100 pieces", () => {
      const batch = (name: string) => only(view("inventory_stock"), { client: "100", batch: name });
      expect(batch("B1")).toMatchObject({ days_to_expiry: 20, remaining_shelf_life: 0.0548, expiry_bucket: "0-30" });
      expect(batch("B2")).toMatchObject({ days_to_expiry: 365, expiry_bucket: "181-365" });
      expect(only(view("inventory_sellable"), { market: "DE" })).toMatchObject({ sellable_quantity: 100 });
    });

    it("month ends look forward, with the price of their period", async () => {
      const stock = await readTable(project(), "gold.fact_inventory_month_end_stock");
      const of = (material: string) =>
        having(stock, { client: "200", material }).map((row) => [
          row["period_id"],
          row["total_stock_qty"],
          row["unit_cost"],
          row["total_stock_value"],
        ]);
      // The client's current period is 05, in which H1 has not moved.
      expect(of("H1")).toEqual([
        [202601, "10.000", "2.00000", "20.00"],
        [202602, "17.000", "2.00000", "34.00"],
        [202603, "17.000", "2.50000", "42.50"],
        [202604, "13.000", "2.50000", "32.50"],
        [202605, "13.000", "2.50000", "32.50"],
      ]);
      // Created in 03: before that there is no stock, so no row.
      expect(of("H2").map(([period, quantity]) => [period, quantity])).toEqual([
        [202603, "8.000"],
        [202604, "8.000"],
        [202605, "6.000"],
      ]);
    });

    it("demand: MAPE 17.92 %, WMAPE 25.81 %, accuracy 74.19 %, bias +20, tracking signal 1.5", () => {
      const accuracy = (values: Row) => only(view("demand_accuracy"), values);
      expect(accuracy({ level: "total" })).toMatchObject({
        actual: 310,
        absolute_error: 80,
        bias: 20,
        mape: 0.1792,
        rows_without_demand: 2,
        wmape: 0.2581,
        accuracy: 0.7419,
        bias_share: 0.0645,
        tracking_signal: 1.5,
        forecast_version: "fcst_snapshot_1",
        grain: "material_market",
      });
      expect(accuracy({ level: "market", market: "DE" })).toMatchObject({ wmape: 0.1818, bias_share: 0 });
      expect(accuracy({ level: "market", market: "FR" })).toMatchObject({ wmape: 0.4444, bias_share: 0.2222 });
    });

    it("summed over markets first the errors cancel: that is another grain, 6.45 %", () => {
      // The three closed periods' totals, whose errors are 0, 0 and 20.
      const totals = having(view("demand_trend"), { level: "total", is_closed: true });
      const sum = (of: (row: Row) => number) => totals.reduce((total, row) => total + of(row), 0);
      const wmape =
        sum((row) => Math.abs(Number(row["forecast"]) - Number(row["actual"]))) / sum((row) => Number(row["actual"]));
      expect(wmape.toFixed(4)).toBe("0.0645");
      expect(totals.map((row) => row["change_to_previous"])).toEqual([undefined, -0.2, -0.667]);
    });

    it("the open period is in the outlook and not in the accuracy", () => {
      expect(having(view("demand_comparison"), { period_id: 202604 })).toMatchObject([{ is_closed: false, actual: 7 }]);
      expect(having(view("demand_accuracy"), { period_id: 202604 })).toEqual([]);
    });
  });
}
