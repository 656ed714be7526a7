import { aliasOf, decodedOf, equalIn, firstReason, type Joined, type Part, requireColumns, timesOf } from "./part.js";

const KEY = "mandt, vbelv, posnv";
/** Delivery, invoice, cancelled invoice. */
const [DELIVERY, INVOICE, CANCELLED] = ["'J'", "'M'", "'N'"];

/**
 * What followed the items of a sales document, one row an item: delivered and billed quantities in the unit of VBFA. A
 * quantity is NULL where one of its rows cannot be read or has another unit.
 */
export function documentFlow(flow: Part, items: Part): Joined {
  requireColumns(flow, ["mandt", "vbelv", "posnv", "vbeln", "posnn", "vbtyp_n", "meins", "plmin", "stufe"]);
  const quantity = decodedOf(flow, "rfmng");
  const vbfa = aliasOf(flow);
  const vbap = aliasOf(items);
  const known = (name: string) => `CASE WHEN ${vbfa}.reason IS NULL THEN coalesce(${vbfa}.${name}, 0) END`;
  return {
    joins: [
      `LEFT JOIN (
  SELECT ${KEY},
    sum(CASE WHEN vbtyp_n = ${DELIVERY} THEN quantity END) AS delivered,
    sum(CASE WHEN vbtyp_n IN (${INVOICE}, ${CANCELLED}) THEN quantity END) AS billed,
    max(meins) AS meins,
    coalesce(max(reason), CASE WHEN min(meins) < max(meins) THEN 'MIXED_UNITS' END) AS reason${flow.timed ? ",\n    max(event_ts) AS event_ts" : ""}
  FROM (
    SELECT *,
      CASE WHEN plmin = '-' OR vbtyp_n = ${CANCELLED} THEN -abs(${quantity.sql}) ELSE abs(${quantity.sql}) END AS quantity,
      ${firstReason([quantity])} AS reason
    FROM ${followers(flow)}
    WHERE vbtyp_n = ${DELIVERY} AND coalesce(trim(stufe), '') IN ('', '0', '00') OR vbtyp_n IN (${INVOICE}, ${CANCELLED})
  )
  GROUP BY ${KEY}
) AS ${vbfa}
  ON ${equalIn(vbfa, vbap, ["mandt"])} AND ${vbfa}.vbelv = ${vbap}.vbeln AND ${vbfa}.posnv = ${vbap}.posnr`,
    ],
    columns: [
      { name: `delivered_${vbfa}`, sql: known("delivered") },
      { name: `billed_${vbfa}`, sql: known("billed") },
      { name: `meins_${vbfa}`, sql: `CASE WHEN ${vbfa}.reason IS NULL THEN ${vbfa}.meins END` },
      { name: `reason_${vbfa}`, sql: `${vbfa}.reason` },
    ],
    times: timesOf(flow),
  };
}

/**
 * The rows of the flow with each follower of an item once. ECC stores what follows the followers, too; S/4HANA did not
 * at first (1511, 1610), so that invoices are looked for behind the deliveries as well.
 */
function followers(flow: Part): string {
  if (flow.system.conventions.release === "ecc") return flow.relation;
  const values = ["rfmng", "meins", "plmin", "stufe", ...(flow.timed ? ["event_ts"] : [])];
  const behind = (before: string, type: string, steps: number) =>
    `SELECT a.mandt, a.vbelv, a.posnv, b.vbeln, b.posnn, b.vbtyp_n, ${values.map((name) => `b.${name}`).join(", ")}, ${steps} AS steps
        FROM ${before} AS a
        JOIN ${flow.relation} AS b ON b.mandt = a.mandt AND b.vbelv = a.vbeln AND b.posnv = a.posnn AND b.vbtyp_n = ${type}`;
  const stored = (type: string) => `(SELECT * FROM ${flow.relation} WHERE vbtyp_n = ${type})`;
  const invoices = behind(stored(DELIVERY), INVOICE, 1);
  const steps = [
    `SELECT ${KEY}, vbeln, posnn, vbtyp_n, ${values.join(", ")}, 0 AS steps FROM ${flow.relation}`,
    invoices,
    behind(stored(INVOICE), CANCELLED, 1),
    behind(`(${invoices})`, CANCELLED, 2),
  ];
  return `(
      SELECT * FROM (
        SELECT *, row_number() OVER (PARTITION BY ${KEY}, vbeln, posnn, vbtyp_n ORDER BY steps) AS nth
        FROM (
        ${steps.join("\n        UNION ALL\n        ")}
        )
      ) WHERE nth = 1
    )`;
}
