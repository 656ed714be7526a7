import { decimal } from "../decimal.js";
import { type FactTable, units } from "./fact-table.js";

/** A row for each item of a purchase order: what came, what was billed, what is open. */
export const openPurchases: FactTable = {
  name: "open_purchases",
  columns: ["MANDT", "EBELN", "EBELP", "ORDERED", "RECEIVED", "INVOICED", "TO_DELIVER", "NOT_INVOICED"],
  reads: { EKPO: "MANDT EBELN EBELP MENGE", EKBE: "EBELP VGABE SHKZG MENGE" },
  of: (rows) => {
    const facts: string[][] = [];
    for (const { MANDT = "", EBELN = "", EBELP = "", MENGE } of rows.get("EKPO") ?? []) {
      let [received, invoiced] = [0, 0];
      for (const event of rows.get("EKBE") ?? []) {
        if (event.EBELP !== EBELP) continue;
        const quantity = (event.SHKZG === "H" ? -1 : 1) * units(event.MENGE);
        if (event.VGABE === "1") received += quantity;
        if (event.VGABE === "2") invoiced += quantity;
      }
      const ordered = units(MENGE);
      const numbers = [ordered, received, invoiced, ordered - received, ordered - invoiced];
      facts.push([MANDT, EBELN, EBELP, ...numbers.map((number) => decimal(number, 3))]);
    }
    return facts;
  },
};
