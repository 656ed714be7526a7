// The same with the SAP library.
import { config, readFiles } from "ingot";
import { sapTable } from "ingot/sap";
import { financeRules } from "./rules";

export const bseg = sapTable("BSEG", {
  from: readFiles(`${config("landing")}/bseg`, { format: "parquet" }),
  changeFormat: "odq",
  expectations: financeRules,
  quarantine: "quarantine_sap.bseg_quarantine",
  drift: { added: "notify", retyped: "quarantine" },
  clusterBy: ["mandt", "bukrs", "gjahr"],
  backfill: { source: readFiles(`${config("history")}/bseg`, { format: "parquet" }), chunkBy: "gjahr" },
});
