import { decimal } from "../decimal.js";
import { type EntityRows, type FactTable, type Fields, units } from "./fact-table.js";

/** Words of an overall status; blank is neither. */
const WORDS: Readonly<Record<string, string>> = { A: "OPEN", B: "OPEN", C: "CLOSE" };

/** A row for each item of a sales order: its partners and terms by the rule of fallback, what was delivered and billed. */
export const orderItems: FactTable = {
  name: "sales_order_items",
  columns: [
    "MANDT",
    "VBELN",
    "POSNR",
    "MATNR",
    "SHIP_TO",
    "ZTERM",
    "INCO2",
    "DELIVERED",
    "BILLED",
    "REQUESTED",
    "GBSTK",
    "ORDER_STATUS",
  ],
  reads: {
    VBAK: "VDATU GBSTK",
    VBAP: "MANDT VBELN POSNR MATNR",
    VBPA: "POSNR PARVW KUNNR",
    VBKD: "POSNR ZTERM INCO2",
    VBFA: "VBELV POSNV VBTYP_N STUFE PLMIN RFMNG",
    VBUK: "VBELN GBSTK",
  },
  of: (rows) => (rows.get("VBAK") ?? []).flatMap((header) => itemsOf(header, rows)),
};

function itemsOf(header: Fields, rows: EntityRows): string[][] {
  const facts: string[][] = [];
  for (const item of rows.get("VBAP") ?? []) {
    const { MANDT = "", VBELN = "", POSNR = "", MATNR = "" } = item;
    const partner = (position: string) =>
      rows.get("VBPA")?.find((row) => row.POSNR === position && row.PARVW === "WE")?.KUNNR;
    const business = (position: string) => rows.get("VBKD")?.find((row) => row.POSNR === position);
    const terms = business(POSNR) ?? business("000000");
    let [delivered, billed] = [0, 0];
    for (const row of rows.get("VBFA") ?? []) {
      if (row.VBELV !== VBELN || row.POSNV !== POSNR) continue;
      const quantity = (row.PLMIN === "-" ? -1 : 1) * units(row.RFMNG);
      if (row.VBTYP_N === "J" && row.STUFE === "00") delivered += quantity;
      if (row.VBTYP_N === "M") billed += quantity;
    }
    const status = header.GBSTK ?? rows.get("VBUK")?.find((row) => row.VBELN === VBELN)?.GBSTK ?? "";
    facts.push([
      MANDT,
      VBELN,
      POSNR,
      MATNR,
      partner(POSNR) ?? partner("000000") ?? "",
      terms?.ZTERM ?? "",
      terms?.INCO2 ?? "",
      decimal(delivered, 3),
      decimal(billed, 3),
      header.VDATU ?? "",
      status,
      WORDS[status] ?? "",
    ]);
  }
  return facts;
}
