import { readFiles } from "ingot";
import { type SapName, salesOrder, sapTable } from "ingot/sap";

const landing = (table: SapName) => readFiles(`landing/${table}`, { format: "parquet" });
salesOrder(
  {
    header: sapTable("VBAK", { from: landing("VBAK"), changeFormat: "odq", clusterBy: ["mandt", "vbeln"] }),
    items: sapTable("VBAP", { from: landing("VBAP"), changeFormat: "odq" }),
    partners: sapTable("VBPA", { from: landing("VBPA"), changeFormat: "odq" }),
    flow: sapTable("VBFA", { from: landing("VBFA"), changeFormat: "odq" }),
    business: sapTable("VBKD", { from: landing("VBKD"), changeFormat: "odq" }),
  },
  { partnerRoles: ["WE"] },
);
sapTable("MAKT", { from: landing("MAKT") });
