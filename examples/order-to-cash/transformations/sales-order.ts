import { salesOrder } from "ingot/sap";
import { vbak, vbap, vbfa, vbkd, vbpa, vbuk, vbup } from "./tables";

/** The silver table that all domains share: one row an item, with the ship-to party that holds for it. */
export const orders = salesOrder(
  { header: vbak, items: vbap, partners: vbpa, business: vbkd, flow: vbfa, status: vbuk, itemStatus: vbup },
  {
    comment: "Sales orders, one row an item",
    partnerRoles: ["WE"],
    columnList: [
      "kunnr_vbak",
      "vdatu_vbak",
      "gbstk_vbak",
      "status_source",
      "matnr_vbap",
      "werks_vbap",
      "abgru_vbap",
      "kwmeng_vbap",
      "umvkz_vbap",
      "umvkn_vbap",
      "meins_vbap",
      "netwr_vbap",
      "waerk_vbap",
      "gbsta_vbap",
      "kunnr_vbpa",
      "reason_vbpa",
      "zterm_vbkd",
      "inco1_vbkd",
      "delivered_vbfa",
      "billed_vbfa",
      "reason_vbfa",
      "event_ts",
    ],
  },
);
