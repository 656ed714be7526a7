import { beforeAll, describe, expect, it } from "vitest";
import { type GeneratedFiles, generateFiles, groups, type RowObject } from "./generate-fixture.js";
import { units } from "./gold/fact-table.js";

// Rules of the specification on the state at the end, each computed from the rows alone.

const SYSTEMS = [
  { seed: "1", release: "ecc", clients: ["100"] },
  { seed: "two", release: "s4", clients: ["100"] },
  { seed: "3", release: "ecc", clients: ["100", "200"] },
] as const;

/** Values of columns of `from` that no row of `to` has; blanks and zeros refer to nothing. */
function dangling(data: GeneratedFiles, from: string, columns: string[], to: string, keys: string[]): string[] {
  const known = new Set(data.truth(to).map((row) => keys.map((key) => row[key]).join("/")));
  return data
    .truth(from)
    .map((row) => columns.map((column) => row[column]).join("/"))
    .filter((key) => !known.has(key));
}

const sum = (rows: readonly RowObject[], column: string) => rows.reduce((total, row) => total + units(row[column]), 0);
const signed = (rows: readonly RowObject[], column: string) =>
  rows.reduce((total, row) => total + (row.SHKZG === "S" ? 1 : -1) * units(row[column]), 0);

describe.each(SYSTEMS)("what is generated of $release with seed $seed", ({ seed, release, clients }) => {
  let data: GeneratedFiles;
  beforeAll(async () => {
    data = await generateFiles({ seed, release, clients, scale: 2000, history: 100, days: 1, batches: 4 });
  });

  it("refers to nothing that is not there (rule 1)", () => {
    const references = [
      ["VBAP", ["MANDT", "VBELN"], "VBAK", ["MANDT", "VBELN"]],
      ["VBAP", ["MANDT", "MATNR"], "MARA", ["MANDT", "MATNR"]],
      ["VBAP", ["MANDT", "WERKS"], "T001W", ["MANDT", "WERKS"]],
      ["VBAP", ["MANDT", "MATNR", "WERKS"], "MARC", ["MANDT", "MATNR", "WERKS"]],
      ["VBAK", ["MANDT", "KUNNR"], "KNA1", ["MANDT", "KUNNR"]],
      ["VBPA", ["MANDT", "KUNNR"], "KNA1", ["MANDT", "KUNNR"]],
      ["VBEP", ["MANDT", "VBELN", "POSNR"], "VBAP", ["MANDT", "VBELN", "POSNR"]],
      ["LIPS", ["MANDT", "VGBEL", "VGPOS"], "VBAP", ["MANDT", "VBELN", "POSNR"]],
      ["VBRP", ["MANDT", "AUBEL", "AUPOS"], "VBAP", ["MANDT", "VBELN", "POSNR"]],
      ["VBRP", ["MANDT", "VBELN"], "VBRK", ["MANDT", "VBELN"]],
      ["EKPO", ["MANDT", "EBELN"], "EKKO", ["MANDT", "EBELN"]],
      ["EKPO", ["MANDT", "MATNR", "WERKS"], "MARC", ["MANDT", "MATNR", "WERKS"]],
      ["EKPO", ["MANDT", "WERKS", "LGORT"], "T001L", ["MANDT", "WERKS", "LGORT"]],
      ["EKKO", ["MANDT", "LIFNR"], "LFA1", ["MANDT", "LIFNR"]],
      ["EKBE", ["MANDT", "EBELN", "EBELP"], "EKPO", ["MANDT", "EBELN", "EBELP"]],
      ["MARC", ["MANDT", "MATNR"], "MARA", ["MANDT", "MATNR"]],
      ["MAKT", ["MANDT", "MATNR"], "MARA", ["MANDT", "MATNR"]],
      ["T001W", ["MANDT", "BWKEY"], "T001K", ["MANDT", "BWKEY"]],
      ["T001K", ["MANDT", "BUKRS"], "T001", ["MANDT", "BUKRS"]],
      ["BSEG", ["MANDT", "BUKRS", "BELNR", "GJAHR"], "BKPF", ["MANDT", "BUKRS", "BELNR", "GJAHR"]],
      ["MARD", ["MANDT", "MATNR", "WERKS"], "MARC", ["MANDT", "MATNR", "WERKS"]],
      ["MARD", ["MANDT", "WERKS", "LGORT"], "T001L", ["MANDT", "WERKS", "LGORT"]],
      ["MARDH", ["MANDT", "MATNR", "WERKS", "LGORT"], "MARD", ["MANDT", "MATNR", "WERKS", "LGORT"]],
      ["MARCH", ["MANDT", "MATNR", "WERKS"], "MARC", ["MANDT", "MATNR", "WERKS"]],
      ["MCHB", ["MANDT", "MATNR", "CHARG"], "MCH1", ["MANDT", "MATNR", "CHARG"]],
      ["MCHB", ["MANDT", "MATNR", "WERKS", "LGORT"], "MARD", ["MANDT", "MATNR", "WERKS", "LGORT"]],
      ["MBEW", ["MANDT", "BWKEY"], "T001K", ["MANDT", "BWKEY"]],
      ["MSLB", ["MANDT", "LIFNR"], "LFA1", ["MANDT", "LIFNR"]],
      ["QALS", ["MANDANT", "MATNR", "WERK"], "MARC", ["MANDT", "MATNR", "WERKS"]],
      ["QAVE", ["MANDANT", "PRUEFLOS"], "QALS", ["MANDANT", "PRUEFLOS"]],
      ["DEMAND_ACTUAL", ["MATERIAL"], "MARA", ["MATNR"]],
      ["DEMAND_ACTUAL", ["MARKET"], "MASTER_CUSTOMER", ["CUSTOMER_ID"]],
      ["DEMAND_FORECAST", ["MATERIAL", "MARKET"], "MASTER_CUSTOMER_PRODUCT", ["PRODUCT_ID", "CUSTOMER_ID"]],
      ["MASTER_LOCATION", ["LOCATION_ID"], "T001W", ["WERKS"]],
    ] as const;
    for (const [from, columns, to, keys] of references) {
      expect(data.truth(from).length, from).toBeGreaterThan(0);
      expect(dangling(data, from, [...columns], to, [...keys]), `${from} → ${to}`).toEqual([]);
    }
  });

  it("has the stock of a material's batches in its storage location", () => {
    const stores = groups(data.truth("MARD"), "MANDT", "MATNR", "WERKS", "LGORT");
    for (const [place, batches] of groups(data.truth("MCHB"), "MANDT", "MATNR", "WERKS", "LGORT")) {
      const total = sum(batches, "CLABS") + sum(batches, "CINSM") + sum(batches, "CSPEM");
      const store = stores.get(place) ?? [];
      expect(sum(store, "LABST") + sum(store, "INSME") + sum(store, "SPEME"), place).toBe(total);
    }
  });

  it("values what a plant has, at suppliers and on its way too, at its price", () => {
    const areas = groups(data.truth("MBEW"), "MANDT", "MATNR", "BWKEY");
    const own = groups(data.truth("MARD"), "MANDT", "MATNR", "WERKS");
    const away = groups(data.truth("MSLB"), "MANDT", "MATNR", "WERKS");
    const onItsWay = groups(data.truth("MARC"), "MANDT", "MATNR", "WERKS");
    for (const [place, stores] of own) {
      const columns = ["LABST", "INSME", "SPEME", "EINME", "UMLME"].map((column) => sum(stores, column));
      const others = ["LBLAB", "LBINS", "LBEIN", "LBUML"].map((column) => sum(away.get(place) ?? [], column));
      const transit = ["UMLMC", "TRAME"].map((column) => sum(onItsWay.get(place) ?? [], column));
      const [area] = areas.get(place) ?? [];
      expect(units(area?.LBKUM), place).toBe(
        [...columns, ...others, ...transit].reduce((total, quantity) => total + quantity, 0),
      );
    }
  });

  it.each([
    ["MARD", ["MANDT", "MATNR", "WERKS", "LGORT"]],
    ["MARC", ["MANDT", "MATNR", "WERKS"]],
  ])("has history of periods before the current one of %s alone", (table, keys) => {
    const current = groups(data.truth(table), ...keys);
    const period = ({ LFGJA, LFMON }: RowObject) => `${LFGJA}${LFMON}`;
    for (const row of data.truth(`${table}H`)) {
      const [now] = current.get(keys.map((key) => row[key]).join("/")) ?? [];
      expect(period(row) < period(now ?? {}), JSON.stringify(row)).toBe(true);
    }
  });

  it("has the quantities of demand one within the other", () => {
    for (const row of data.truth("DEMAND_ACTUAL")) {
      const [actual, shipped, delivered, returned] = ["ACTUAL", "SHIPPED", "DELIVERED", "RETURNS"].map((name) =>
        units(row[`${name}_QTY`]),
      );
      expect([actual, shipped, delivered, returned].toSorted((a = 0, b = 0) => b - a)).toEqual([
        actual,
        shipped,
        delivered,
        returned,
      ]);
      expect(units(row.FINAL_REVENUE)).toBe(units(row.NET_REVENUE) - units(row.DISCOUNTS));
    }
  });

  it("has the value of an order in its items, and theirs in price and quantity (rule 2)", () => {
    const items = groups(data.truth("VBAP"), "MANDT", "VBELN");
    for (const order of data.truth("VBAK")) {
      const kept = items.get(`${order.MANDT}/${order.VBELN}`)?.filter(({ ABGRU }) => ABGRU === "") ?? [];
      expect(units(order.NETWR), order.VBELN).toBe(sum(kept, "NETWR"));
    }
    for (const { NETPR, KWMENG, KPEIN, NETWR } of data.truth("VBAP")) {
      const exact = (BigInt(units(NETPR)) * BigInt(units(KWMENG)) * 2n) / (1000n * BigInt(units(KPEIN)));
      expect(BigInt(units(NETWR))).toBe((exact + 1n) / 2n);
    }
  });

  it("has the four partners and the business data at each header (rule 3)", () => {
    const partners = groups(data.truth("VBPA"), "MANDT", "VBELN", "POSNR");
    const business = groups(data.truth("VBKD"), "MANDT", "VBELN", "POSNR");
    for (const { MANDT, VBELN } of data.truth("VBAK")) {
      const roles = partners.get(`${MANDT}/${VBELN}/000000`)?.map(({ PARVW }) => PARVW);
      expect(roles?.sort()).toEqual(["AG", "RE", "RG", "WE"]);
      expect(business.get(`${MANDT}/${VBELN}/000000`)).toHaveLength(1);
    }
    const own = (rows: RowObject[]) => rows.filter(({ POSNR }) => POSNR !== "000000").length;
    const items = data.truth("VBAP").length;
    expect(own(data.truth("VBPA")) / items).toBeGreaterThan(0.03);
    expect(own(data.truth("VBPA")) / items).toBeLessThan(0.2);
    expect(own(data.truth("VBKD")) / items).toBeGreaterThan(0.01);
  });

  it("delivers what is ordered, bills what is delivered, and says so in the statuses (rule 4)", () => {
    const flow = groups(
      data.truth("VBFA").filter(({ STUFE }) => STUFE === "00"),
      "MANDT",
      "VBELV",
      "POSNV",
    );
    const indirect = groups(
      data.truth("VBFA").filter(({ STUFE, VBTYP_N }) => STUFE === "01" && VBTYP_N === "M"),
      "MANDT",
      "VBELV",
      "POSNV",
    );
    const statuses = groups(data.truth(release === "ecc" ? "VBUP" : "VBAP"), "MANDT", "VBELN", "POSNR");
    let cancellations = 0;
    for (const item of data.truth("VBAP")) {
      const key = `${item.MANDT}/${item.VBELN}/${item.POSNR}`;
      const followers = flow.get(key) ?? [];
      const deliveries = followers.filter(({ VBTYP_N }) => VBTYP_N === "J");
      const cancelled = deliveries.filter(({ PLMIN }) => PLMIN === "-");
      const delivered = sum(deliveries, "RFMNG") - 2 * sum(cancelled, "RFMNG");
      cancellations += cancelled.length;
      const ordered = units(item.KWMENG);
      expect(delivered).toBeLessThanOrEqual(ordered * 1.1);
      expect(sum(indirect.get(key) ?? [], "RFMNG")).toBeLessThanOrEqual(delivered);
      if (item.PSTYV !== "TAN" || item.ABGRU !== "") continue;
      const wanted = delivered === 0 ? "A" : delivered < ordered ? "B" : "C";
      expect(statuses.get(key)?.map(({ LFSTA, GBSTA }) => [LFSTA, GBSTA])).toEqual([[wanted, wanted]]);
    }
    expect(cancellations).toBeGreaterThan(0);
    if (release === "s4") expect(data.truth("VBUK")).toEqual([]);
    else {
      const headers = groups(data.truth("VBUK"), "MANDT", "VBELN");
      for (const { MANDT, VBELN } of data.truth("VBAK")) expect(headers.get(`${MANDT}/${VBELN}`)).toHaveLength(1);
      expect(data.truth("VBAK")[0]).not.toHaveProperty("GBSTK");
    }
  });

  it("has schedule lines, receipts and invoices that fit their purchase orders (rule 5)", () => {
    const lines = groups(data.truth("EKET"), "MANDT", "EBELN", "EBELP");
    const events = groups(data.truth("EKBE"), "MANDT", "EBELN", "EBELP");
    for (const item of data.truth("EKPO")) {
      const key = `${item.MANDT}/${item.EBELN}/${item.EBELP}`;
      const history = events.get(key) ?? [];
      const received = signed(
        history.filter(({ VGABE }) => VGABE === "1"),
        "MENGE",
      );
      const invoiced = signed(
        history.filter(({ VGABE }) => VGABE === "2"),
        "MENGE",
      );
      expect(sum(lines.get(key) ?? [], "MENGE")).toBe(units(item.MENGE));
      expect(sum(lines.get(key) ?? [], "WEMNG")).toBe(received);
      expect(invoiced).toBeLessThanOrEqual(received);
      expect(item.ELIKZ).toBe(received >= units(item.MENGE) ? "X" : "");
    }
  });

  it("balances every document of accounting but parked ones (rule 6)", () => {
    const lines = groups(data.truth("BSEG"), "MANDT", "BUKRS", "BELNR", "GJAHR");
    const documents = groups(data.truth("BKPF"), "MANDT", "BUKRS", "BELNR", "GJAHR");
    let [reversed, foreign] = [0, 0];
    for (const [key, [header]] of documents) {
      const own = lines.get(key) ?? [];
      expect(own.map(({ BUZEI }) => Number(BUZEI))).toEqual(own.map((_, i) => i + 1));
      if (header?.BSTAT === "V") continue;
      expect(signed(own, "WRBTR"), key).toBe(0);
      expect(signed(own, "DMBTR"), key).toBe(0);
      if (["RV", "KR", "DR", "RE"].includes(header?.BLART ?? ""))
        expect(own.some(({ KOART }) => KOART === "D" || KOART === "K")).toBe(true);
      if (header?.WAERS !== header?.HWAER) foreign++;
      if (header?.STBLG === "") continue;
      reversed++;
      const [other] = documents.get(`${header?.MANDT}/${header?.BUKRS}/${header?.STBLG}/${header?.STJAH}`) ?? [];
      expect([other?.STBLG, other?.STJAH]).toEqual([header?.BELNR, header?.GJAHR]);
    }
    expect([reversed, foreign].every((count) => count > 0)).toBe(true);
    const invoices = new Set(data.truth("VBRK").map(({ MANDT, VBELN }) => `${MANDT}/${VBELN}`));
    for (const { MANDT, AWTYP, AWKEY } of data.truth("BKPF"))
      if (AWTYP === "VBRK") expect(invoices.has(`${MANDT}/${AWKEY}`)).toBe(true);
  });

  it("has each posted line in the universal journal, by its sign, in S/4HANA alone", () => {
    const parked = new Set(
      data
        .truth("BKPF")
        .flatMap(({ BSTAT, BUKRS, BELNR, GJAHR }) => (BSTAT === "V" ? [`${BUKRS}/${BELNR}/${GJAHR}`] : [])),
    );
    const posted = data.truth("BSEG").filter(({ BUKRS, BELNR, GJAHR }) => !parked.has(`${BUKRS}/${BELNR}/${GJAHR}`));
    const lines = posted.map(({ MANDT, BUKRS, BELNR, GJAHR, BUZEI, HKONT, SHKZG, DMBTR, KUNNR }) =>
      [MANDT, BUKRS, BELNR, GJAHR, BUZEI, HKONT, (SHKZG === "S" ? 1 : -1) * units(DMBTR), KUNNR].join(),
    );
    const journal = data
      .truth("ACDOCA")
      .map(({ RCLNT, RBUKRS, BELNR, GJAHR, BUZEI, RACCT, HSL, KUNNR }) =>
        [RCLNT, RBUKRS, BELNR, GJAHR, BUZEI, RACCT, units(HSL), KUNNR].join(),
      );
    expect(journal).toEqual(release === "s4" ? lines : []);
  });

  it("has daily rates of six pairs, one indirect and one inverse, and a ratio that changes (rule 9)", () => {
    const rates = groups(data.truth("TCURR"), "FCURR", "TCURR");
    expect([...rates.keys()].sort()).toEqual(["CHF/EUR", "EUR/HUF", "GBP/EUR", "JPY/EUR", "TND/EUR", "USD/EUR"]);
    expect(rates.get("CHF/EUR")?.every(({ UKURS }) => units(UKURS) < 0)).toBe(true);
    const ratios = data.truth("TCURF").filter(({ MANDT, FCURR }) => MANDT === "100" && FCURR === "JPY");
    expect(ratios.map(({ FFACT }) => FFACT).sort()).toEqual(["100", "1000"]);
  });
});
