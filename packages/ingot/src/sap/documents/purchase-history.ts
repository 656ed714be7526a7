import {
  aliasOf,
  decodedOf,
  equalIn,
  firstReason,
  type Joined,
  type Part,
  requireColumns,
  timesOf,
  type Value,
} from "./part.js";

const KEY = ["mandt", "ebeln", "ebelp"];
/** VGABE: goods receipt, invoice receipt. */
const [RECEIPT, INVOICE] = ["'1'", "'2'"];

/**
 * Received and invoiced quantities of EKBE, signed by SHKZG; those of a returns item count the other way. NULL where a row
 * cannot be read.
 */
export function purchaseHistory(
  history: Part,
  items: Part,
): Joined & { readonly received: string; readonly invoiced: string } {
  requireColumns(history, [...KEY, "vgabe", "shkzg"]);
  requireColumns(items, ["retpo"]);
  const quantity = decodedOf(history, "menge");
  const [ekbe, ekpo] = [aliasOf(history), aliasOf(items)];
  const reason = `coalesce(${firstReason([quantity])}, CASE WHEN coalesce(shkzg, '') NOT IN ('S', 'H') THEN 'UNKNOWN_SIGN' END)`;
  const sum = (name: string) =>
    `CASE WHEN ${ekbe}.reason IS NULL THEN coalesce(CASE WHEN ${ekpo}.retpo = 'X' THEN -${ekbe}.${name} ELSE ${ekbe}.${name} END, 0) END`;
  const [received, invoiced] = [sum("received"), sum("invoiced")];
  return {
    joins: [
      `LEFT JOIN (
  SELECT ${KEY.join(", ")},
    sum(CASE WHEN vgabe = ${RECEIPT} THEN quantity END) AS received,
    sum(CASE WHEN vgabe = ${INVOICE} THEN quantity END) AS invoiced,
    max(reason) AS reason${history.timed ? ",\n    max(event_ts) AS event_ts" : ""}
  FROM (
    SELECT *, CASE shkzg WHEN 'H' THEN -${quantity.sql} ELSE ${quantity.sql} END AS quantity, ${reason} AS reason
    FROM ${history.relation}
    WHERE vgabe IN (${RECEIPT}, ${INVOICE})
  )
  GROUP BY ${KEY.join(", ")}
) AS ${ekbe}
  ON ${equalIn(ekbe, ekpo, KEY)}`,
    ],
    columns: [
      { name: `received_${ekbe}`, sql: received },
      { name: `invoiced_${ekbe}`, sql: invoiced },
      { name: `reason_${ekbe}`, sql: `${ekbe}.reason` },
    ],
    times: timesOf(history),
    received,
    invoiced,
  };
}

/** The schedule of EKET: what is scheduled and delivered in all, and the next date with something open. */
export function purchaseSchedule(schedule: Part, items: Part): Joined {
  requireColumns(schedule, KEY);
  const [scheduled, delivered, date]: [Value, Value, Value] = [
    decodedOf(schedule, "menge"),
    decodedOf(schedule, "wemng"),
    decodedOf(schedule, "eindt"),
  ];
  const [eket, ekpo] = [aliasOf(schedule), aliasOf(items)];
  const reason = firstReason([scheduled, delivered, date]);
  const known = (name: string) => `CASE WHEN ${eket}.reason IS NULL THEN ${eket}.${name} END`;
  return {
    joins: [
      `LEFT JOIN (
  SELECT ${KEY.join(", ")},
    sum(scheduled) AS scheduled,
    sum(delivered) AS delivered,
    min(CASE WHEN scheduled > coalesce(delivered, 0) THEN date END) AS next_date,
    max(reason) AS reason${schedule.timed ? ",\n    max(event_ts) AS event_ts" : ""}
  FROM (
    SELECT *, ${scheduled.sql} AS scheduled, ${delivered.sql} AS delivered, ${date.sql} AS date, ${reason} AS reason
    FROM ${schedule.relation}
  )
  GROUP BY ${KEY.join(", ")}
) AS ${eket}
  ON ${equalIn(eket, ekpo, KEY)}`,
    ],
    columns: [
      { name: `scheduled_${eket}`, sql: known("scheduled") },
      { name: `delivered_${eket}`, sql: known("delivered") },
      { name: `next_date_${eket}`, sql: known("next_date") },
      { name: `reason_${eket}`, sql: `${eket}.reason` },
    ],
    times: timesOf(schedule),
  };
}
