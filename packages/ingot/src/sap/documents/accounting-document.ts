import { amountOf, columnsWithAmounts, reasonColumn } from "./amounts.js";
import type { DocumentQuery } from "./document-query.js";
import { aliasOf, columnsOf, equalIn, freshness, type Part, requireColumns, timesOf, type Value } from "./part.js";

/** The tables of an accounting document. */
export interface AccountingDocumentParts {
  readonly header: Part;
  readonly items: Part;
}

const KEY = ["mandt", "bukrs", "belnr", "gjahr"];

/** Amounts that get a sign, and the field of the header with their currency. */
const SIGNED = [
  ["dmbtr", "hwaer"],
  ["wrbtr", "waers"],
] as const;

/**
 * An accounting document, one row a line. Amounts that SAP stores without a sign have it in columns of their own, debit
 * positive. A line waits for its header.
 *
 * @throws DocumentFault
 */
export function accountingDocument({ header, items }: AccountingDocumentParts): DocumentQuery {
  requireColumns(header, [...KEY, "stblg", "stjah", "bstat", "hwaer", "waers"]);
  requireColumns(items, [...KEY, "buzei", "shkzg"]);
  const [bkpf, bseg] = [aliasOf(header), aliasOf(items)];
  const own = columnsWithAmounts(items, header);
  const signed = SIGNED.map(([name, currency]) => {
    return { name: `signed_${name}_${bseg}`, ...signedAmount(bseg, amountOf(items, header, name, currency)) };
  });
  return {
    columns: [
      ...columnsOf(header),
      { name: `posted_${bkpf}`, sql: `coalesce(trim(${bkpf}.bstat), '') = ''` },
      { name: `reversed_${bkpf}`, sql: `coalesce(trim(${bkpf}.stblg), '') <> '' OR reversal.stblg IS NOT NULL` },
      ...own.columns,
      ...signed.map(({ name, sql }) => ({ name, sql })),
      reasonColumn(items, [...own.amounts, ...signed]),
      ...freshness(timesOf(header, items)),
    ],
    from: [
      `FROM ${header.relation} AS ${bkpf}`,
      `JOIN ${items.relation} AS ${bseg}\n  ON ${equalIn(bseg, bkpf, KEY)}`,
      // Both documents of a reversal are marked, also where only one of them names the other.
      `LEFT JOIN (SELECT DISTINCT mandt, bukrs, stblg, stjah FROM ${header.relation} WHERE trim(stblg) <> '') AS reversal
  ON ${equalIn("reversal", bkpf, ["mandt", "bukrs"])} AND reversal.stblg = ${bkpf}.belnr AND reversal.stjah = ${bkpf}.gjahr`,
    ],
    keys: ["mandt_bkpf", "bukrs_bkpf", "belnr_bkpf", "gjahr_bkpf", "buzei_bseg"],
  };
}

/** S is debit, H credit; by another sign there is no amount. */
function signedAmount(bseg: string, { sql, reason }: Value): Value {
  const unknown = `CASE WHEN coalesce(${bseg}.shkzg, '') NOT IN ('S', 'H') THEN 'UNKNOWN_SIGN' END`;
  return {
    sql: `CASE ${bseg}.shkzg WHEN 'S' THEN ${sql} WHEN 'H' THEN -${sql} END`,
    reason: reason === undefined ? unknown : `coalesce(${reason}, ${unknown})`,
  };
}
