import type { DictionaryField, DictionaryTable } from "../../packages/ingot/src/sap/dictionary/table.js";
import type { Row, Truth } from "./sap-truth.js";

/** What the tables of the example have to be, computed by plain loops over the generator's final state. */

type Value = string | number | null;

/** Decimals of the currencies that have not two, and with how many amounts are told. */
const CURRENCIES = new Map([
  ["HUF", 0],
  ["JPY", 0],
  ["KRW", 0],
  ["TND", 3],
]);
const AMOUNT_DECIMALS = 3;

/** A row of a snapshot with typed columns. */
export function snapshotRow(row: Row, { fields }: DictionaryTable): Record<string, Value> {
  return Object.fromEntries(fields.map((field) => [field.name.toLowerCase(), typed(row, field)]));
}

function typed(row: Row, { name, type, decimals = 0, reference }: DictionaryField): Value {
  const text = row[name] ?? "";
  if (text.trim() === "") return null;
  switch (type) {
    case "DATS":
      return text === "00000000" ? null : date(text);
    case "TIMS":
      return text.replace(/(..)(..)(..)/, "$1:$2:$3");
    case "CURR":
      return decimal(amount(text, row[reference?.field ?? ""] ?? ""), AMOUNT_DECIMALS);
    case "QUAN":
    case "DEC":
      return decimal(units(text, decimals), decimals);
    case "FLTP":
      return Number(text);
    default:
      return text.trimEnd();
  }
}

export function tracker(truth: Truth): Record<string, Value>[] {
  const texts = index(truth, "MAKT", ["MANDT", "MATNR", "SPRAS"]);
  const status = index(truth, "VBUK", ["MANDT", "VBELN"]);
  return items(truth).map(({ header, item }) => {
    const key = [item["MANDT"], item["MATNR"]].join();
    const text = texts.get(`${key},E`) ?? texts.get(`${key},D`);
    const known = status.get([header["MANDT"], header["VBELN"]].join());
    const code = known?.["GBSTK"] ?? "";
    return {
      client: item["MANDT"] ?? null,
      sales_order: item["VBELN"] ?? null,
      item: item["POSNR"] ?? null,
      material: item["MATNR"] ?? null,
      material_text: text?.["MAKTX"] ?? null,
      text_language: text?.["SPRAS"] ?? null,
      delivery_date_ts: header["VDATU"] === "00000000" ? null : `${date(header["VDATU"] ?? "")} 00:00:00`,
      order_status:
        known === undefined
          ? null
          : code === "C"
            ? "CLOSE"
            : "AB".includes(code) && code !== ""
              ? "OPEN"
              : "NOT_RELEVANT",
    };
  });
}

export function fulfilment(truth: Truth): Record<string, Value>[] {
  const partners = index(truth, "VBPA", ["MANDT", "VBELN", "POSNR", "PARVW"]);
  const business = index(truth, "VBKD", ["MANDT", "VBELN", "POSNR"]);
  const customers = index(truth, "KNA1", ["MANDT", "KUNNR"]);
  return items(truth).map(({ item }) => {
    const { MANDT: client = "", VBELN: order = "", POSNR: position = "" } = item;
    const partner = partners.get(`${client},${order},${position},WE`) ?? partners.get(`${client},${order},000000,WE`);
    const data = business.get(`${client},${order},${position}`) ?? business.get(`${client},${order},000000`);
    const ordered = halfUp(units(item["KWMENG"] ?? "", 3) * BigInt(item["UMVKZ"] ?? "1"), BigInt(item["UMVKN"] ?? "1"));
    let [delivered, billed] = [0n, 0n];
    for (const link of truth.get("VBFA") ?? []) {
      if (link["MANDT"] !== client || link["VBELV"] !== order || link["POSNV"] !== position) continue;
      const sign = link["PLMIN"] === "-" || link["VBTYP_N"] === "N" ? -1n : 1n;
      const quantity = sign * units(link["RFMNG"] ?? "", 3);
      if (link["VBTYP_N"] === "J" && link["STUFE"] === "00") delivered += quantity;
      if (link["VBTYP_N"] === "M" || link["VBTYP_N"] === "N") billed += quantity;
    }
    const isDone = item["ABGRU"] !== "" || delivered >= ordered;
    return {
      client,
      sales_order: order,
      item: position,
      ship_to: blank(partner?.["KUNNR"]),
      ship_to_name: blank(customers.get(`${client},${partner?.["KUNNR"]}`)?.["NAME1"]),
      payment_terms: blank(data?.["ZTERM"]),
      incoterms: blank(data?.["INCO1"]),
      unit: blank(item["MEINS"]),
      ordered: decimal(ordered, 3),
      delivered: decimal(delivered, 3),
      billed: decimal(billed, 3),
      to_deliver: decimal(isDone ? 0n : ordered - delivered, 3),
    };
  });
}

export function backlog(truth: Truth): Record<string, Value>[] {
  const customers = index(truth, "KNA1", ["MANDT", "KUNNR"]);
  const status = index(truth, "VBUP", ["MANDT", "VBELN", "POSNR"]);
  const groups = new Map<string, { orders: Set<string>; items: number; value: bigint; due: string; of: string[] }>();
  for (const { header, item } of items(truth)) {
    const { MANDT: client = "", VBELN: order = "", POSNR: position = "", WAERK: currency = "" } = item;
    const code = status.get(`${client},${order},${position}`)?.["GBSTA"];
    if ((code !== "A" && code !== "B") || item["ABGRU"] !== "") continue;
    const of = [client, header["KUNNR"] ?? "", currency];
    const group = groups.get(of.join()) ?? { orders: new Set(), items: 0, value: 0n, due: "99999999", of };
    groups.set(of.join(), group);
    group.orders.add(order);
    group.items += 1;
    group.value += amount(item["NETWR"] ?? "", currency);
    if (header["VDATU"] !== "00000000" && (header["VDATU"] ?? "") < group.due) group.due = header["VDATU"] ?? "";
  }
  return [...groups.values()].map(({ orders, items, value, due, of: [client = "", customer = "", currency = ""] }) => ({
    client,
    customer,
    customer_name: blank(customers.get(`${client},${customer}`)?.["NAME1"]),
    currency,
    orders: String(orders.size),
    items: String(items),
    open_value: decimal(value, AMOUNT_DECIMALS),
    first_due: due === "99999999" ? null : date(due),
  }));
}

/** Items whose header is there. */
function items(truth: Truth): { header: Row; item: Row }[] {
  const headers = index(truth, "VBAK", ["MANDT", "VBELN"]);
  return (truth.get("VBAP") ?? []).flatMap((item) => {
    const header = headers.get([item["MANDT"], item["VBELN"]].join());
    return header === undefined ? [] : [{ header, item }];
  });
}

function index(truth: Truth, table: string, key: readonly string[]): Map<string, Row> {
  return new Map((truth.get(table) ?? []).map((row) => [key.map((name) => row[name]).join(), row]));
}

/** An amount in thousandths: stored with two decimals, whatever its currency has. */
function amount(text: string, currency: string): bigint {
  return units(text, 2) * 10n ** BigInt(AMOUNT_DECIMALS - (CURRENCIES.get(currency) ?? 2));
}

/** A number in units of its last decimal; the minus stands before or behind it. */
function units(text: string, decimals: number): bigint {
  const [whole = "", part = ""] = text.replace("-", "").split(".");
  const value = BigInt(whole + part.padEnd(decimals, "0").slice(0, decimals));
  return text.includes("-") ? -value : value;
}

function decimal(value: bigint, decimals: number): string {
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, "0");
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return value < 0n ? `-${text}` : text;
}

function halfUp(over: bigint, under: bigint): bigint {
  return (over * 2n + under) / (under * 2n);
}

function date(text: string): string {
  return text.replace(/(....)(..)(..)/, "$1-$2-$3");
}

function blank(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? null : text.trimEnd();
}
