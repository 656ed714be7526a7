import { config, materializedView, readFiles, sql } from "ingot";
import { sapTable } from "ingot/sap";

/** A table of purchasing, by one call: keys, types and rules come from the dictionary. It has no year, so the client is its chunk. */
function purchasingTable(name: "EKKO" | "EKPO") {
  const csv = { format: "csv", header: true, options: { multiLine: "true" } } as const;
  return sapTable(name, {
    from: readFiles(`${config("landing")}/${name}`, { ...csv, onMissing: "skip" }),
    backfill: { source: readFiles(`${config("history")}/${name}.csv`, csv), chunkBy: "mandt" },
    changeFormat: "odq",
    sequenceBy: ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"],
    columns: "typed",
    names: { bronze: `bronze_sap.${name.toLowerCase()}`, snapshot: `silver_sap.${name.toLowerCase()}` },
    quarantine: `quarantine_sap.${name.toLowerCase()}_quarantine`,
  });
}

const ekko = purchasingTable("EKKO");
const ekpo = purchasingTable("EKPO");

export const purchaseValue = materializedView("gold_mm_purchase_value", {
  comment: "Value of the open items of each supplier, in the currency of the order",
  query: sql`
    SELECT o.mandt, o.lifnr, o.waers AS currency, count(*) AS items, sum(sap_curr(i.netwr, o.waers)) AS value
    FROM ${ekpo.snapshot} AS i
    JOIN ${ekko.snapshot} AS o USING (mandt, ebeln)
    WHERE i.loekz IS NULL AND i.elikz IS NULL
    GROUP BY o.mandt, o.lifnr, o.waers`,
});
