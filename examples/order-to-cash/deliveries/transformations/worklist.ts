import { externalTable, materializedView, sql } from "ingot";

const orders = externalTable("sales.default.gold_sd_fulfilment");
const items = externalTable("sales.default.silver_sd_sales_order");

export const worklist = materializedView("gold_le_worklist", {
  comment: "What each plant has to send, by day and ship-to party",
  clusterBy: ["client", "plant"],
  query: sql`
    SELECT
      i.mandt_vbak AS client,
      i.werks_vbap AS plant,
      i.vdatu_vbak AS due,
      o.ship_to,
      o.unit,
      count(*) AS items,
      sum(o.to_deliver) AS quantity
    FROM ${items} AS i
    JOIN ${orders} AS o ON o.client = i.mandt_vbak AND o.sales_order = i.vbeln_vbak AND o.item = i.posnr_vbap
    WHERE o.to_deliver > 0
    GROUP BY i.mandt_vbak, i.werks_vbap, i.vdatu_vbak, o.ship_to, o.unit`,
});
