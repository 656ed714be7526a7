import type { DictionaryTable } from "../../packages/ingot/src/sap/dictionary/table.js";
import type { Row, Truth } from "./sap-truth.js";

/** What the tables of the example have to be, computed by plain loops over the generator's final state. */

type Value = string | null;

/** Columns that the example takes; of purchasing it takes all. */
export const ACCOUNTING = {
  BKPF: "MANDT BUKRS BELNR GJAHR BLART BUDAT MONAT TCODE XBLNR STBLG BKTXT WAERS HWAER BSTAT AWKEY",
  BSEG: "MANDT BUKRS BELNR GJAHR BUZEI BSCHL KOART SHKZG HKONT KUNNR LIFNR DMBTR WRBTR PSWSL AUGDT AUGBL SGTXT",
};

/** A row of silver whose amounts are as SAP stores them, with some of its columns. */
export function storedRow(row: Row, { fields }: DictionaryTable, columns?: string): Record<string, Value> {
  const taken = columns?.split(" ");
  const kept = fields.filter(({ name }) => taken?.includes(name) !== false);
  return Object.fromEntries(
    kept.map(({ name, type }) => [name.toLowerCase(), type === "DATS" ? date(row[name] ?? "") : row[name] || null]),
  );
}

function date(text: string): Value {
  return text === "00000000" ? null : text.replace(/(....)(..)(..)/, "$1-$2-$3");
}

/** Decimals of the currencies that have not two. */
const DECIMALS = new Map([
  ["HUF", 0],
  ["JPY", 0],
  ["KRW", 0],
  ["TND", 3],
]);

/** A stored amount in thousandths of its true value. */
function thousandths(stored: string, currency: string): bigint {
  return BigInt(stored.replace(".", "")) * 10n ** BigInt(3 - (DECIMALS.get(currency) ?? 2));
}

function decimal(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(4, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

export function periodBalance(truth: Truth): Record<string, string>[] {
  const key = (row: Row) => [row["MANDT"], row["BUKRS"], row["BELNR"], row["GJAHR"]].join();
  const posted = new Map((truth.get("BKPF") ?? []).filter((row) => row["BSTAT"] === "").map((row) => [key(row), row]));
  const accounts = new Map<string, { of: Record<string, string>; lines: number; debit: bigint; credit: bigint }>();
  for (const line of truth.get("BSEG") ?? []) {
    const document = posted.get(key(line));
    if (document === undefined) continue;
    const currency = document["HWAER"] ?? "";
    const [mandt = "", bukrs = "", gjahr = "", hkont = ""] = ["MANDT", "BUKRS", "GJAHR", "HKONT"].map((f) => line[f]);
    const of = { mandt, bukrs, gjahr, monat: document["MONAT"] ?? "", hkont, currency };
    const account = accounts.get(JSON.stringify(of)) ?? { of, lines: 0, debit: 0n, credit: 0n };
    accounts.set(JSON.stringify(of), account);
    account.lines += 1;
    account[line["SHKZG"] === "H" ? "credit" : "debit"] += thousandths(line["DMBTR"] ?? "", currency);
  }
  return [...accounts.values()].map(({ of, lines, debit, credit }) => ({
    ...of,
    lines: String(lines),
    debit: decimal(debit),
    credit: decimal(credit),
    balance: decimal(debit - credit),
  }));
}

export function purchaseValue(truth: Truth): Record<string, string>[] {
  const orders = new Map((truth.get("EKKO") ?? []).map((row) => [`${row["MANDT"]} ${row["EBELN"]}`, row]));
  const suppliers = new Map<string, { of: Record<string, string>; items: number; value: bigint }>();
  for (const item of truth.get("EKPO") ?? []) {
    const order = orders.get(`${item["MANDT"]} ${item["EBELN"]}`);
    if (order === undefined || item["LOEKZ"] !== "" || item["ELIKZ"] !== "") continue;
    const of = { mandt: order["MANDT"] ?? "", lifnr: order["LIFNR"] ?? "", currency: order["WAERS"] ?? "" };
    const supplier = suppliers.get(JSON.stringify(of)) ?? { of, items: 0, value: 0n };
    suppliers.set(JSON.stringify(of), supplier);
    supplier.items += 1;
    supplier.value += thousandths(item["NETWR"] ?? "", of.currency);
  }
  return [...suppliers.values()].map(({ of, items, value }) => ({
    ...of,
    items: String(items),
    value: decimal(value),
  }));
}
