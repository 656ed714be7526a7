import {
  changeFeed,
  createAutoCdcFlow,
  createStreamingTable,
  externalTable,
  materializedView,
  ref,
  sql,
  temporaryView,
} from "ingot";

const VBAK = "mandt STRING, vbeln STRING, kunnr STRING, vdatu STRING, gbstk STRING, event_ts TIMESTAMP";
const vbak = externalTable("sap.bronze.vbak", { schema: VBAK });

const vbakCdf = temporaryView("vbak_cdf", {
  schema: `${VBAK}, _change_type STRING, _commit_version BIGINT, _commit_timestamp TIMESTAMP`,
  query: sql`
    SELECT mandt, vbeln, kunnr, CAST(vdatu AS STRING) AS vdatu, gbstk, event_ts,
           _change_type, _commit_version, _commit_timestamp
    FROM STREAM ${changeFeed(vbak, { startingVersion: 0 })}`,
});

export const vbakCur = createAutoCdcFlow({
  target: createStreamingTable("vbak_cur", { comment: "Type 1 snapshot of VBAK, SAP sales order header" }),
  source: vbakCdf,
  keys: ["mandt", "vbeln"], // SAP's real primary key, client included
  sequenceBy: "_commit_version",
  applyAsDeletes: "_change_type = 'delete'",
  exceptColumnList: ["_change_type", "_commit_version", "_commit_timestamp"],
}).target;

// Without a view between: a change feed is a source. No schema here, so column names are plain strings.
export const vbapCur = createAutoCdcFlow({
  target: createStreamingTable("vbap_cur"),
  source: changeFeed(externalTable("sap.bronze.vbap")),
  keys: ["mandt", "vbeln", "posnr"],
  sequenceBy: "_commit_version",
  applyAsDeletes: "_change_type = 'delete'",
  exceptColumnList: ["_change_type", "_commit_version", "_commit_timestamp"],
}).target;

// VBFA and VBKD join like VBPA.
export const salesOrder = materializedView("silver_sd_sales_order", {
  comment: "Consolidated SAP SD sales order",
  query: sql`
    SELECT vbak.mandt AS mandt_vbak, vbak.vbeln AS vbeln_vbak, vbap.posnr AS posnr_vbap, vbap.matnr AS matnr_vbap,
           vbak.vdatu AS vdatu_vbak, vbak.gbstk AS gbstk_vbak, vbpa.kunnr AS kunnr_vbpa,
           greatest(vbak.event_ts, coalesce(vbap.event_ts, vbak.event_ts), coalesce(vbpa.event_ts, vbak.event_ts)) AS event_ts
    FROM ${vbakCur} AS vbak
    JOIN ${vbapCur} AS vbap USING (mandt, vbeln)
    LEFT JOIN ${ref("vbpa_we_cur")} AS vbpa USING (mandt, vbeln, posnr)`,
});
