import {
  config,
  createAutoCdcFlow,
  createStreamingTable,
  materializedView,
  readFiles,
  sql,
  table,
  temporaryView,
} from "ingot";
import { financeRules } from "./rules";

const BSEG =
  "mandt STRING, bukrs STRING, belnr STRING, gjahr STRING, buzei STRING, budat STRING, dmbtr STRING, shkzg STRING";
const ODQ = "odq_changemode STRING, odq_entitycntr INT, txn BIGINT, unit INT, record INT";

export const bronze = table("bronze_sap.bseg", {
  comment: "ODQ changes of BSEG as they arrived; new columns are taken",
  tableProperties: { "delta.enableChangeDataFeed": true, "delta.enableDeletionVectors": true },
  backfill: { source: readFiles(`${config("history")}/bseg`, { format: "parquet" }), chunkBy: "gjahr" },
  query: sql`
    SELECT *, _metadata.file_path AS source_file
    FROM STREAM ${readFiles(`${config("landing")}/bseg`, { format: "parquet", schemaEvolutionMode: "addNewColumns" })}`,
});

const checked = temporaryView("bseg_checked", {
  schema: `${BSEG}, ${ODQ}`,
  expectations: financeRules,
  quarantine: "quarantine_sap.bseg_quarantine",
  gate: { maxFailedShare: 0.01 },
  drift: { added: "notify", retyped: "quarantine" },
  query: sql`SELECT * FROM STREAM ${bronze}`,
});

export const bseg = createAutoCdcFlow({
  target: createStreamingTable("silver_sap.bseg", { clusterBy: ["mandt", "bukrs", "gjahr"] }),
  source: checked,
  keys: ["mandt", "bukrs", "belnr", "gjahr", "buzei"],
  sequenceBy: ["txn", "unit", "record"],
  applyAsDeletes: "odq_changemode = 'D'",
  exceptColumnList: ["odq_changemode", "odq_entitycntr", "txn", "unit", "record"],
  onArchiveDelete: "keep",
  maxDeleteShare: 0.2,
}).target;

export const periodBalance = materializedView(
  "gold_fi_period_balance",
  sql`
  SELECT mandt, bukrs, gjahr, sum(CASE shkzg WHEN 'H' THEN -1 ELSE 1 END * CAST(dmbtr AS DECIMAL(15,2))) AS balance
  FROM ${bseg}
  GROUP BY mandt, bukrs, gjahr`,
);
