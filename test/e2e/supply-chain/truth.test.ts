import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type GeneratedFiles,
  generateFiles,
  groups,
  type RowObject,
} from "../../../packages/ingot/src/sap/generate/generate-fixture.js";
import { run } from "../cli.js";
import { only, readReports, readTable, supplyChain } from "./project.js";

const D = "2025-01-02";

/** A decimal text in its smallest units. */
const units = (text: string | undefined) => BigInt((text ?? "").replace(".", "") || "0");
const halfUp = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor);
const most = (a: bigint, b: bigint) => (a > b ? a : b);
const decimal = (value: bigint, digits: number) => {
  const text = `${value}`.padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};
const key = (row: RowObject, ...columns: string[]) => columns.map((column) => row[column]).join("/");
const sumOf = (rows: readonly RowObject[] | undefined, of: (row: RowObject) => bigint) =>
  (rows ?? []).reduce((sum, row) => sum + of(row), 0n);

/** An extract as a file: what breaks lines and columns is quoted. */
function csv(rows: readonly RowObject[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return lines.map((line) => `${line.map(cell).join(",")}\n`).join("");
}

/** What the items of purchase orders come to, by plain loops: the rules of the specification's section 3.12. */
function purchaseItems(data: GeneratedFiles) {
  const headers = groups(data.truth("EKKO"), "EBELN");
  const lines = groups(data.truth("EKET"), "EBELN", "EBELP");
  const history = groups(data.truth("EKBE"), "EBELN", "EBELP");
  const decimals = new Map(data.truth("TCURX").map((row) => [row["CURRKEY"], Number(row["CURRDEC"])]));
  return data.truth("EKPO").map((item) => {
    const [header] = headers.get(key(item, "EBELN")) ?? [];
    const isDeleted = header?.["LOEKZ"] !== "" || item["LOEKZ"] === "L";
    const [ordered, value] = [units(item["MENGE"]), units(item["NETWR"])];
    const own = lines.get(key(item, "EBELN", "EBELP"));
    const delivered = sumOf(own, (line) => units(line["WEMNG"]));
    const invoiced = sumOf(history.get(key(item, "EBELN", "EBELP")), (event) =>
      event["VGABE"] === "2" ? (event["SHKZG"] === "H" ? -1n : 1n) * units(event["MENGE"]) : 0n,
    );
    const isClosed = isDeleted || item["LOEKZ"] === "S" || item["ELIKZ"] === "X";
    const open = isClosed ? 0n : most(ordered - delivered, 0n);
    const basis = item["ELIKZ"] === "X" ? delivered : ordered;
    const toInvoice = isDeleted || item["EREKZ"] === "X" ? 0n : most(basis - invoiced, 0n);
    const currency = header?.["WAERS"] ?? "";
    const shift = 10n ** BigInt(2 - Math.min(2, decimals.get(currency) ?? 2));
    const dates = (own ?? [])
      .filter((line) => units(line["MENGE"]) > units(line["WEMNG"]))
      .map((line) => line["EINDT"] ?? "");
    return {
      key: key(item, "EBELN", "EBELP"),
      isDeleted,
      currency,
      delivered,
      invoiced,
      open,
      toInvoice,
      openValue: ordered === 0n ? 0n : halfUp(open * value, ordered) * shift,
      next: dates.sort()[0],
    };
  });
}

/** Hundredths of a currency in hundredths of another by type M at a day; undefined without a rate. */
function converter(data: GeneratedFiles, to: string, day: string) {
  const inverted = 99_999_999 - Number(day.replaceAll("-", ""));
  const valid = (table: string, from: string, target: string) =>
    data
      .truth(table)
      .filter(
        (row) =>
          row["KURST"] === "M" && row["FCURR"] === from && row["TCURR"] === target && Number(row["GDATU"]) >= inverted,
      )
      .sort((a, b) => Number(a["GDATU"]) - Number(b["GDATU"]))[0];
  const rate = (from: string, target: string): readonly [bigint, bigint] | undefined => {
    const quote = valid("TCURR", from, target);
    if (quote === undefined) return undefined;
    const factors = valid("TCURF", from, target);
    const [ffact, tfact] = [units(factors?.["FFACT"]) || 1n, units(factors?.["TFACT"]) || 1n];
    const ukurs = units(quote["UKURS"]?.replace("-", ""));
    const isIndirect = quote["UKURS"]?.includes("-") === true;
    return isIndirect ? [100_000n * tfact, ukurs * ffact] : [ukurs * tfact, 100_000n * ffact];
  };
  return (amount: bigint, from: string): bigint | undefined => {
    if (from === to) return amount;
    const direct = rate(from, to);
    const inverse = direct === undefined ? rate(to, from) : undefined;
    const [dividend, divisor] = direct ?? (inverse === undefined ? [] : [inverse[1], inverse[0]]);
    return dividend === undefined || divisor === undefined ? undefined : halfUp(amount * dividend, divisor);
  };
}

const TYPES = {
  MCHB: "CLABS CINSM CSPEM CEINM CUMLM",
  MARD: "LABST INSME SPEME EINME UMLME",
  MSLB: "LBLAB LBINS LBEIN LBUML",
  MARC: "UMLMC TRAME",
};
const total = (table: keyof typeof TYPES, row: RowObject) =>
  TYPES[table].split(" ").reduce((sum, column) => sum + units(row[column]), 0n);

describe("the small system of the generator, loaded twice", () => {
  const folder = supplyChain();
  let data: GeneratedFiles;

  beforeAll(async () => {
    const tables = (JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as { bronze_tables: string[] })
      .bronze_tables;
    data = await generateFiles({
      scale: "small",
      changes: "plain",
      batches: 2,
      tables: [...tables, "T006"],
      faults: "unknown_product",
    });
    const load = (state: "initial" | "truth") => {
      for (const table of tables)
        writeFileSync(join(folder, "landing", `${table}.csv`), csv(data.rows(`${state}/${table}.json`)));
    };
    writeFileSync(
      join(folder, "settings/report_parameters.csv"),
      `report,as_of_date,currency,forecast_version,grain,quantity_measure,risk_days\n${[
        "purchase_orders",
        "inventory_overview",
        "demand_analysis",
      ]
        .map((report) => `${report},${D},EUR,fcst_snapshot_1,material_market,actual_qty,30\n`)
        .join("")}`,
    );
    load("initial");
    await run(folder);
    load("truth");
    await run(folder);
  }, 600_000);

  it("has each item of each purchase order with what came, what was billed and what is open", async () => {
    const facts = await readTable(folder, "gold.fact_purchase_order");
    const found = facts.map((row) => [
      `${row["purchase_order"]}/${row["item"]}`,
      row["delivered_quantity"],
      row["invoiced_quantity"],
      row["quantity_to_be_delivered"],
      row["quantity_to_be_invoiced"],
      row["value_to_be_delivered"],
      row["next_schedule_line_date"],
    ]);
    const expected = purchaseItems(data).map((item) => [
      item.key,
      decimal(item.delivered, 3),
      decimal(item.invoiced, 3),
      decimal(item.open, 3),
      decimal(item.toInvoice, 3),
      decimal(item.openValue, 2),
      item.next === undefined ? null : item.next.replace(/(....)(..)(..)/, "$1-$2-$3"),
    ]);
    expect(expected.length).toBeGreaterThan(5_000);
    expect(found.sort()).toEqual(expected.sort());
  });

  it("has the open value in one currency, less what has no rate", async () => {
    const convert = converter(data, "EUR", D);
    let [open, missing] = [0n, 0];
    for (const item of purchaseItems(data)) {
      if (item.isDeleted) continue;
      const value = convert(item.openValue, item.currency);
      if (value === undefined) missing++;
      open += value ?? 0n;
    }
    const { purchase_order_measures } = await readReports(folder, ["purchase_order_measures"]);
    const row = only(purchase_order_measures ?? [], { level: "total" });
    expect([BigInt(Math.round(Number(row["open_value"]) * 100)), row["items_without_rate"]]).toEqual([open, missing]);
  });

  it("has the stock of each place, batches or the whole", async () => {
    const batched = new Set(
      data.truth("MARC").flatMap((row) => (row["XCHAR"] === "X" ? [key(row, "MATNR", "WERKS")] : [])),
    );
    const expected = [
      ...data.truth("MCHB").map((row) => [key(row, "MATNR", "WERKS", "LGORT", "CHARG"), "batch", total("MCHB", row)]),
      ...data
        .truth("MARD")
        .filter((row) => !batched.has(key(row, "MATNR", "WERKS")))
        .map((row) => [`${key(row, "MATNR", "WERKS", "LGORT")}/`, "non_batch", total("MARD", row)]),
      ...data.truth("MSLB").map((row) => [`${key(row, "MATNR", "WERKS")}//`, "vendor", total("MSLB", row)]),
      ...data
        .truth("MARC")
        .filter((row) => total("MARC", row) !== 0n)
        .map((row) => [`${key(row, "MATNR", "WERKS")}//`, "transit", total("MARC", row)]),
    ].map(([place, category, quantity]) => [place, category, decimal(quantity as bigint, 3)]);
    const facts = await readTable(folder, "gold.fact_inventory");
    const found = facts.map((row) => [
      ["material", "plant", "storage_location", "batch"].map((column) => row[column]).join("/"),
      row["stock_category"],
      row["total_stock_qty"],
    ]);
    expect(found.sort()).toEqual(expected.sort());
    const silver = await readTable(folder, "silver.inventory");
    expect(silver.filter((row) => row["value_matches"] !== true || row["batches_match"] !== true)).toEqual([]);
  });

  it("has the stock at the end of each month, with what it cost then", async () => {
    const period = (row: RowObject) => Number(`${row["LFGJA"]}${row["LFMON"]}`);
    const batched = new Set(
      data.truth("MARC").flatMap((row) => (row["XCHAR"] === "X" ? [key(row, "MATNR", "WERKS")] : [])),
    );
    const prices = groups([...data.truth("MBEWH"), ...data.truth("MBEW")], "MATNR", "BWKEY");
    const priceAt = (row: RowObject, at: number) => {
      const known = prices.get(key(row, "MATNR", "WERKS")) ?? [];
      const price =
        known.slice(0, -1).find((state) => period(state) >= at && at < period(known.at(-1) ?? {})) ?? known.at(-1);
      return {
        amount: units(price?.["VPRSV"] === "S" ? price["STPRS"] : price?.["VERPR"]),
        per: units(price?.["PEINH"]),
      };
    };
    const stocked = ["MCHB", "MCHBH", "MARD", "MARDH", "MSLB", "MSLBH", "MARC", "MARCH"];
    const first = stocked
      .flatMap((table) => data.truth(table).map(period))
      .reduce((least, at) => (at > 0 && at < least ? at : least));
    const PLACES = {
      MCHB: ["MATNR", "WERKS", "LGORT", "CHARG"],
      MARD: ["MATNR", "WERKS", "LGORT"],
      MARC: ["MATNR", "WERKS"],
    };
    const expected: string[][] = [];
    for (const table of ["MCHB", "MARD", "MARC"] as const) {
      const keys = PLACES[table];
      const history = groups(data.truth(`${table}H`), ...keys);
      for (const current of data.truth(table)) {
        if (table === "MARD" && batched.has(key(current, "MATNR", "WERKS"))) continue;
        // Stock in transit has no day of its creation.
        const created = table === "MARC" ? first : Number(current["ERSDA"]?.slice(0, 6));
        for (let at = created; at <= 202501; at += at % 100 === 12 ? 89 : 1) {
          const row =
            at >= period(current) ? current : history.get(key(current, ...keys))?.find((past) => period(past) >= at);
          const quantity = row === undefined ? 0n : total(table, row);
          if (quantity === 0n) continue;
          const { amount, per } = priceAt(current, at);
          const place = `${key(current, ...keys)}${"/".repeat(4 - keys.length)}`;
          expected.push([place, `${at}`, decimal(quantity, 3), decimal(halfUp(quantity * amount, per * 1000n), 2)]);
        }
      }
    }
    expect(data.truth("MARCH").length).toBeGreaterThan(300);
    const facts = (await readTable(folder, "gold.fact_inventory_month_end_stock")).filter(
      (row) => row["stock_category"] !== "vendor",
    );
    const found = facts.map((row) => [
      ["material", "plant", "storage_location", "batch"].map((column) => row[column]).join("/"),
      `${row["period_id"]}`,
      row["total_stock_qty"],
      row["total_stock_value"],
    ]);
    expect(expected.length).toBeGreaterThan(10_000);
    expect(found.sort()).toEqual(expected.sort());
  });

  it("has each lot in the table of its origin, with the decision on the lot", async () => {
    const decisions = new Map(
      data.truth("QAVE").flatMap((row) => (row["KZART"] === "L" ? [[row["PRUEFLOS"], row] as const] : [])),
    );
    for (const [release, origins] of [
      ["external", ["01"]],
      ["internal", ["03", "04", "13"]],
    ] as const) {
      const expected = data
        .truth("QALS")
        .filter((lot) => (origins as readonly string[]).includes(lot["HERKUNFT"] ?? ""))
        .map((lot) => [
          lot["PRUEFLOS"],
          decisions.get(lot["PRUEFLOS"])?.["VBEWERTUNG"] ?? null,
          !decisions.has(lot["PRUEFLOS"]),
        ]);
      const facts = await readTable(folder, `gold.fact_batch_release_${release}`);
      expect(expected.length).toBeGreaterThan(300);
      expect(facts.map((row) => [row["inspection_lot"], row["ud_valuation"], row["is_open"]])).toEqual(expected.sort());
    }
  });

  it("has a row of each product that the planning system knows alone, and all its rows", async () => {
    const known = new Set(data.truth("MARA").map((row) => row["MATNR"]));
    const planned = [
      ...data.truth("MASTER_LOCATION_PRODUCT").map((row) => row["PRODUCT_ID"]),
      ...data.truth("DEMAND_FORECAST").map((row) => row["MATERIAL"]),
    ];
    const unknown = [...new Set(planned)].filter((product) => !known.has(product)).sort();
    expect(unknown.length).toBeGreaterThan(0);
    expect(data.rows("faults.jsonl").map((fault) => fault["kind"])).toContain("unknown_product");
    const products = await readTable(folder, "gold.dim_product");
    const inferred = products.filter((row) => row["is_inferred"] === true).map((row) => row["material"]);
    expect(inferred.sort()).toEqual(expect.arrayContaining(unknown));
    const demand = await readTable(folder, "gold.fact_demand_actual");
    const ofUnknown = (rows: readonly { readonly [column: string]: unknown }[], column: string) =>
      rows.filter((row) => unknown.includes(String(row[column]))).length;
    expect(ofUnknown(demand, "material")).toBe(ofUnknown(data.truth("DEMAND_ACTUAL"), "MATERIAL"));
  });

  it("has the forecast's error of all closed months", async () => {
    const cells = new Map<string, { actual: bigint; forecast: bigint }>();
    const cell = (row: RowObject) => {
      const known = cells.get(key(row, "PERIOD_ID", "MATERIAL", "MARKET")) ?? { actual: 0n, forecast: 0n };
      cells.set(key(row, "PERIOD_ID", "MATERIAL", "MARKET"), known);
      return known;
    };
    for (const row of data.truth("DEMAND_ACTUAL")) cell(row).actual = units(row["ACTUAL_QTY"]);
    // January has not ended.
    for (const row of data.truth("DEMAND_FORECAST"))
      if (Number(row["PERIOD_ID"]) < 202501) cell(row).forecast = units(row["FCST_SNAPSHOT_1"]);
    let [absolute, actual] = [0n, 0n];
    for (const { actual: a, forecast: f } of cells.values()) {
      absolute += f > a ? f - a : a - f;
      actual += a;
    }
    const { demand_accuracy } = await readReports(folder, ["demand_accuracy"]);
    const row = only(demand_accuracy ?? [], { level: "total" });
    expect(row["wmape"]).toBe(Number(decimal(halfUp(absolute * 10_000n, actual), 4)));
    // Pieces, metres and kilograms are not added.
    expect([row["uom"], row["actual"]]).toEqual([undefined, undefined]);
  });
});
