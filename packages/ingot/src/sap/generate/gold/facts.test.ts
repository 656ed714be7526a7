import { describe, expect, it } from "vitest";
import { generateFiles, groups } from "../generate-fixture.js";
import { type EntityRows, type Fields, units } from "./fact-table.js";
import { openPurchases } from "./open-purchases.js";
import { orderItems } from "./order-items.js";

/** Facts of rows that are written down here, by the names of their columns. */
function factsOf(table: typeof orderItems, rows: Readonly<Record<string, readonly Fields[]>>): Fields[] {
  const facts = table.of?.(new Map(Object.entries(rows)) as EntityRows) ?? [];
  return facts.map((values) => Object.fromEntries(table.columns.map((name, i) => [name, values[i] ?? ""])));
}

// Golden cases of the specification, small enough to read.

describe("sales order items", () => {
  const order = { MANDT: "100", VBELN: "4711" };
  const items = ["000010", "000020"].map((POSNR) => ({ ...order, POSNR, MATNR: "M" }));
  const rows = { VBAK: [{ ...order, VDATU: "20250102" }], VBAP: items, VBUK: [{ ...order, GBSTK: "B" }] };
  const partner = (POSNR: string, KUNNR: string) => ({ ...order, POSNR, PARVW: "WE", KUNNR });
  const flow = (RFMNG: string, PLMIN: string) => ({
    ...{ VBELV: "4711", POSNV: "000010", VBTYP_N: "J", STUFE: "00" },
    ...{ RFMNG, PLMIN },
  });

  it("have the header's partner where they have none (case 1)", () => {
    const shipTo = (...partners: Fields[]) =>
      factsOf(orderItems, { ...rows, VBPA: partners }).map(({ SHIP_TO }) => SHIP_TO);
    expect(shipTo(partner("000000", "C1"), partner("000020", "C2"))).toEqual(["C1", "C2"]);
    expect(shipTo(partner("000000", "C1"))).toEqual(["C1", "C1"]);
    expect(shipTo(partner("000000", "C3"))).toEqual(["C3", "C3"]);
    expect(shipTo()).toEqual(["", ""]);
  });

  it("add up deliveries and cancellations, one row an item (case 2)", () => {
    const facts = factsOf(orderItems, { ...rows, VBFA: [flow("4.000", "+"), flow("6.000", "+"), flow("6.000", "-")] });
    expect(facts.map(({ POSNR, DELIVERED }) => [POSNR, DELIVERED])).toEqual([
      ["000010", "4.000"],
      ["000020", "0.000"],
    ]);
  });

  it("are open by A and B, closed by C, and neither where the status is blank", () => {
    const word = (GBSTK: string) => factsOf(orderItems, { ...rows, VBUK: [{ ...order, GBSTK }] })[0]?.ORDER_STATUS;
    expect(["A", "B", "C", ""].map(word)).toEqual(["OPEN", "OPEN", "CLOSE", ""]);
  });
});

describe("open purchases", () => {
  it("know what came, went back and was billed (case 6)", () => {
    const event = (VGABE: string, SHKZG: string, MENGE: string) => ({ EBELP: "00010", VGABE, SHKZG, MENGE });
    const facts = factsOf(openPurchases, {
      EKPO: [{ MANDT: "100", EBELN: "45", EBELP: "00010", MENGE: "10.000" }],
      EKBE: [event("1", "S", "6.000"), event("1", "H", "2.000"), event("2", "S", "4.000")],
    });
    expect(facts).toEqual([
      {
        ...{ MANDT: "100", EBELN: "45", EBELP: "00010", ORDERED: "10.000" },
        ...{ RECEIVED: "4.000", INVOICED: "4.000", TO_DELIVER: "6.000", NOT_INVOICED: "6.000" },
      },
    ]);
  });
});

describe("facts of what is generated", () => {
  it("are one row an item, and balance over all accounts of a company", async () => {
    const data = await generateFiles();
    expect(data.rows("truth/gold/sales_order_items.json")).toHaveLength(data.truth("VBAP").length);
    expect(data.rows("truth/gold/open_purchases.json")).toHaveLength(data.truth("EKPO").length);
    const document = ["BUKRS", "BELNR", "GJAHR"];
    const parked = groups(
      data.truth("BKPF").filter(({ BSTAT }) => BSTAT === "V"),
      ...document,
    );
    const companies = groups(data.rows("truth/gold/period_balance.json"), "BUKRS");
    expect([...companies.keys()].sort()).toEqual(["1000", "2000"]);
    for (const [company, balances] of companies) {
      // Only what is parked may be out of balance.
      const open = data
        .truth("BSEG")
        .filter((line) => line.BUKRS === company && parked.has(document.map((name) => line[name]).join("/")))
        .reduce((sum, { SHKZG, DMBTR }) => sum + (SHKZG === "S" ? 1 : -1) * units(DMBTR), 0);
      expect(balances.reduce((sum, { BALANCE }) => sum + units(BALANCE), 0)).toBe(open);
    }
  });
});
