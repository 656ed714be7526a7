import { materializedView, sql } from "ingot";
import { changeTable } from "./change-table";
import { validAmounts, validCurrency, validKey, validPostingDate } from "./rules";

const DOCUMENT = ["mandt", "bukrs", "belnr", "gjahr"] as const;

export const bkpf = changeTable("bkpf", {
  keys: DOCUMENT,
  rules: [validKey(DOCUMENT), validPostingDate, validCurrency(["waers", "hwaer"])],
  columns: sql`
    mandt, bukrs, belnr, gjahr, blart, sap_posting_date(budat) AS budat, monat, tcode, xblnr, stblg, bktxt, waers, hwaer,
    bstat, awkey`,
});

export const bseg = changeTable("bseg", {
  keys: [...DOCUMENT, "buzei"],
  rules: [
    validKey([...DOCUMENT, "buzei"]),
    validAmounts(["dmbtr", "wrbtr", "pswbt", "dmbe2"]),
    validCurrency(["pswsl"]),
  ],
  columns: sql`
    mandt, bukrs, belnr, gjahr, buzei, bschl, koart, shkzg, hkont, kunnr, lifnr,
    sap_number(dmbtr, 15, 2) AS dmbtr, sap_number(wrbtr, 15, 2) AS wrbtr, pswsl,
    sap_date(augdt) AS augdt, augbl, sgtxt`,
});

/** Other than the blank of BSTAT are parked documents and the like, which are no postings. */
export const periodBalance = materializedView("gold_fi_period_balance", {
  comment: "Debit, credit and balance of each account by period, in the company's currency",
  query: sql`
    SELECT mandt, bukrs, gjahr, monat, hkont, hwaer AS currency, count(*) AS lines,
      sum(CASE shkzg WHEN 'S' THEN amount ELSE 0 END) AS debit,
      sum(CASE shkzg WHEN 'H' THEN amount ELSE 0 END) AS credit,
      sum(CASE shkzg WHEN 'H' THEN -amount ELSE amount END) AS balance
    FROM (
      SELECT line.*, document.monat, document.hwaer, sap_curr(line.dmbtr, document.hwaer) AS amount
      FROM ${bseg} AS line
      JOIN ${bkpf} AS document USING (mandt, bukrs, belnr, gjahr)
      WHERE document.bstat IS NULL)
    GROUP BY mandt, bukrs, gjahr, monat, hkont, hwaer`,
});
