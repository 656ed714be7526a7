import { beforeAll, describe, expect, it } from "vitest";
import { rows } from "../cli.js";
import { only, type Row } from "./project.js";

/**
 * The visuals that the specification's section 4 names, each with its one query, and a row that it must show: of the
 * worked examples where they have it.
 */
const VISUALS: readonly (readonly [visual: string, query: string, row: Row])[] = [
  [
    "cards of purchase orders",
    "SELECT client, open_value, overdue_value, overdue_share, open_items FROM report.purchase_order_cards",
    { client: "100", open_value: 10615.68, overdue_value: 10378.68, overdue_share: 0.9777, open_items: 4 },
  ],
  [
    "card of on time in full",
    "SELECT client, otif, on_time_quantity_share, average_delay_days FROM report.purchase_order_cards",
    { client: "200", otif: 0.3333, on_time_quantity_share: 0.375, average_delay_days: 2 },
  ],
  [
    "open value by month and due status",
    "SELECT due_month, due_status, open_value FROM report.purchase_order_measures WHERE level = 'due_month' AND client = '100'",
    { due_month: "2026-03", due_status: "overdue", open_value: 10378.68 },
  ],
  [
    "donut of types",
    "SELECT po_type, open_value FROM report.purchase_order_measures WHERE level = 'po_type' AND client = '100'",
    { po_type: "direct", open_value: 10415.88 },
  ],
  [
    "bar of sub-types",
    "SELECT po_sub_type, open_value FROM report.purchase_order_measures WHERE level = 'po_sub_type' AND client = '100'",
    { po_sub_type: "subcontract po", open_value: 10228.68 },
  ],
  [
    "delivery status by plant",
    "SELECT plant, delivery_status, open_value FROM report.purchase_order_measures WHERE level = 'plant' AND client = '100'",
    { delivery_status: "not_delivered", open_value: 199.8 },
  ],
  [
    "suppliers by open value",
    `SELECT client, supplier_id, ordered_value, open_value, overdue_value, otif, average_delay_days, rejection_share
       FROM report.purchase_order_supplier ORDER BY open_value DESC`,
    { client: "200", otif: 0.3333, average_delay_days: 2 },
  ],
  [
    "ageing of what is overdue",
    "SELECT overdue_days, overdue_value FROM report.purchase_order_measures WHERE level = 'overdue_days' AND client = '100'",
    // 11 and 21 days
    { overdue_days: "8-30", overdue_value: 10378.68 },
  ],
  [
    "items in detail",
    "SELECT purchase_order, item, open_value, days_overdue FROM report.purchase_order_item WHERE client = '100'",
    { purchase_order: "4500000001", item: "00010", open_value: 150, days_overdue: 21 },
  ],
  [
    "cards of stock",
    "SELECT client, stock_value, blocked_value, value_at_risk, expired_value FROM report.inventory_measures WHERE level = 'total'",
    // 5 of M1 at 5.00, 4 of M2 at 12.50
    { client: "100", stock_value: 1100, blocked_value: 75, value_at_risk: 300, expired_value: 0 },
  ],
  [
    "stock by plant and type",
    `SELECT plant, stock_category, unrestricted_value, quality_value, blocked_value, restricted_value, in_transfer_value
       FROM report.inventory_measures WHERE level = 'plant' AND client = '100'`,
    { stock_category: "batch", unrestricted_value: 700, quality_value: 50, blocked_value: 25, restricted_value: 10 },
  ],
  [
    "month ends by plant",
    "SELECT plant, period_id, stock_value, is_to_date FROM report.inventory_trend WHERE client = '100'",
    { period_id: 202603, stock_value: 1100, is_to_date: true },
  ],
  [
    "histogram of expiry",
    "SELECT expiry_bucket, stock_value FROM report.inventory_measures WHERE level = 'expiry_bucket' AND client = '100'",
    { expiry_bucket: "0-30", stock_value: 300 },
  ],
  [
    "batches",
    `SELECT plant, storage_location, material, batch, unrestricted_qty, shelf_life_expiration_date, days_to_expiry, expiry_bucket
       FROM report.inventory_stock WHERE client = '100'`,
    { material: "M1", batch: "B1", unrestricted_qty: 40, days_to_expiry: 20, expiry_bucket: "0-30" },
  ],
  [
    "plants by material group",
    "SELECT plant, material_group, stock_value FROM report.inventory_measures WHERE level = 'plant_group' AND client = '100'",
    {},
  ],
  [
    "map of plants",
    "SELECT client, plant, latitude, longitude, stock_value FROM report.inventory_map",
    { client: "100", stock_value: 1100 },
  ],
  [
    "open inspection lots",
    "SELECT inspection_lot, age_days, inspection_lot_qty, quality_inspection_qty FROM report.inventory_open_lot WHERE client = '100'",
    {},
  ],
  [
    "demand, forecast and budget by period",
    "SELECT period_id, actual, forecast, budget, is_closed FROM report.demand_trend WHERE level = 'total'",
    { period_id: 202603, actual: 40, forecast: 60, is_closed: true },
  ],
  [
    "bias by market",
    "SELECT market, bias, bias_share FROM report.demand_accuracy WHERE level = 'market'",
    { market: "FR", bias: 20, bias_share: 0.2222 },
  ],
  [
    "heat map of markets and periods",
    "SELECT market, period_id, wmape FROM report.demand_accuracy WHERE level = 'market_period'",
    { market: "DE", period_id: 202602, wmape: 0.1667 },
  ],
  [
    "Pareto of materials",
    "SELECT material, absolute_error FROM report.demand_accuracy WHERE level = 'material' ORDER BY absolute_error DESC",
    { material: "M1", absolute_error: 80 },
  ],
  [
    "trends of markets",
    "SELECT market, period_id, actual, moving_average, share FROM report.demand_trend WHERE level = 'market'",
    { market: "DE", period_id: 202602, actual: 120, share: 1 },
  ],
  [
    "trends of materials",
    "SELECT material, period_id, actual, change_to_previous FROM report.demand_trend WHERE level = 'material'",
    { material: "M1", period_id: 202602, actual: 120, change_to_previous: -0.2 },
  ],
  [
    "best and worst accuracy",
    "SELECT market, accuracy FROM report.demand_accuracy WHERE level = 'market' ORDER BY accuracy DESC",
    { market: "DE", accuracy: 0.8182 },
  ],
  [
    "waterfall of revenue",
    "SELECT actual_revenue, returns_value, discounts, final_revenue FROM report.demand_revenue WHERE is_total",
    {},
  ],
];

export function describeVisuals(project: () => string): void {
  describe("each visual is one query", () => {
    const shown = new Map<string, Row[]>(VISUALS.map(([visual]) => [visual, []]));

    beforeAll(async () => {
      const queries = VISUALS.map(
        ([visual, query]) => `SELECT '${visual}' AS visual, to_json(struct(t.*)) AS row FROM (${query}) AS t`,
      );
      for (const { visual, row } of await rows(project(), queries.join(" UNION ALL ")))
        shown.get(String(visual))?.push(JSON.parse(String(row)) as Row);
    }, 300_000);

    it.each(VISUALS)("%s", (visual, _query, row) => {
      const all = shown.get(visual) ?? [];
      if (Object.keys(row).length === 0) expect(all.length).toBeGreaterThan(0);
      else expect(only(all, row)).toMatchObject(row);
    });
  });
}
