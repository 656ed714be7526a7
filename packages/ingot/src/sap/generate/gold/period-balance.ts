import { decimal } from "../decimal.js";
import { type EntityRows, type FactTable, units } from "./fact-table.js";

/** A row for each account and period: its lines by their signs, in the company's currency as it is stored. */
export const periodBalance: FactTable = {
  name: "period_balance",
  columns: ["MANDT", "BUKRS", "GJAHR", "MONAT", "HKONT", "LINES", "BALANCE"],
  reads: { BKPF: "BUKRS BELNR GJAHR MONAT", BSEG: "MANDT BUKRS BELNR GJAHR HKONT SHKZG DMBTR" },
  sum: () => {
    const balances = new Map<string, { lines: number; balance: number }>();
    const take = (rows: EntityRows) => {
      for (const { BUKRS, BELNR, GJAHR, MONAT } of rows.get("BKPF") ?? [])
        for (const line of rows.get("BSEG") ?? []) {
          if (line.BUKRS !== BUKRS || line.BELNR !== BELNR || line.GJAHR !== GJAHR) continue;
          const key = [line.MANDT, BUKRS, GJAHR, MONAT, line.HKONT].join("\t");
          const known = balances.get(key) ?? { lines: 0, balance: 0 };
          balances.set(key, known);
          known.lines++;
          known.balance += line.SHKZG === "H" ? -units(line.DMBTR) : units(line.DMBTR);
        }
    };
    const facts = () =>
      [...balances]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, { lines, balance }]) => [...key.split("\t"), `${lines}`, decimal(balance, 2)]);
    return { take, facts };
  },
};
