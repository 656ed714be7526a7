import { salesOrder, sapTable } from "ingot/sap";

salesOrder(
  {
    header: sapTable("VBAK", { changeFormat: "odq", clusterBy: ["mandt", "vbeln"] }),
    items: sapTable("VBAP", { changeFormat: "odq" }),
    partners: sapTable("VBPA", { changeFormat: "odq" }),
    flow: sapTable("VBFA", { changeFormat: "odq" }),
    business: sapTable("VBKD", { changeFormat: "odq" }),
  },
  { partnerRoles: ["WE"] },
);
sapTable("MAKT");
