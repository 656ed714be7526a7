import { describe, expect, it } from "vitest";
import { having, only, tableReader } from "./project.js";

/** What the reference gets wrong in stock, batches and inspection lots. */
export function describeStock(project: () => string): void {
  const table = tableReader(project);

  describe("corrections of stock", () => {
    it("E7 a batch number is of a material: the same number is two batches", async () => {
      const batches = having(await table("gold.dim_batch"), { client: "100", batch: "B1" });
      expect(batches.map((row) => [row["material"], row["expiration_date"]])).toEqual([
        ["M1", "2026-04-20"],
        ["M3", "2028-01-01"],
      ]);
    });

    it("E11 prices by the valuation area, its row without a type, per price unit", async () => {
      // Plant 1010 is valued in area 1000: 500.00 per 100; a valuation type costs 999.00.
      const stock = having(await table("silver.inventory"), { client: "100", material: "M1" });
      expect(stock.map((row) => row["unit_cost"])).toEqual(["5.00000", "5.00000"]);
      expect(stock.every((row) => row["value_matches"] === true)).toBe(true);
      // A past month has the price that it had.
      const january = only(await table("silver.inventory_month_end_stock"), { material: "H1", period_id: 202601 });
      expect(january).toMatchObject({ unit_cost: "2.00000", total_stock_value: "20.00" });
    });

    it("E14 a quiet month has its stock", async () => {
      const february = only(await table("silver.inventory_month_end_stock"), { material: "H1", period_id: 202602 });
      expect(february).toMatchObject({
        total_stock_qty: "17.000",
        total_stock_value: "34.00",
        is_current_period: false,
      });
    });

    it("E23 stock is batches, or what MARD has of others, at suppliers and in transit; never both sums", async () => {
      const stock = await table("silver.inventory");
      const categories = (client: string) =>
        having(stock, { client }).map((row) => [row["material"], row["stock_category"], row["total_stock_qty"]]);
      expect(categories("100")).toEqual([
        ["M1", "batch", "60.000"],
        ["M1", "batch", "100.000"],
        ["M2", "non_batch", "24.000"],
      ]);
      expect(categories("200").sort()).toEqual([
        ["H1", "non_batch", "13.000"],
        ["H2", "non_batch", "6.000"],
        ["V1", "transit", "5.000"],
        ["V1", "vendor", "7.000"],
      ]);
    });

    it("E24 restricted stock and stock in transfer are stock", async () => {
      expect(only(await table("silver.inventory"), { batch: "B1" })).toMatchObject({
        restricted_qty: "2.000",
        in_transfer_qty: "3.000",
        total_stock_qty: "60.000",
        returns_qty: "0.000",
      });
    });

    it("E25 keys have '' for none, and periods are numbers", async () => {
      const vendor = only(await table("gold.fact_inventory"), { stock_category: "vendor" });
      expect(vendor).toMatchObject({ storage_location: "", batch: "", owner: "0000200001" });
      const [row] = await table("gold.fact_inventory_month_end_stock");
      expect(row).toMatchObject({ period_id: 202602, year: 2026, month: 2 });
    });

    it("E31 usable is unrestricted stock alone; the figure with quality inspection keeps its name", async () => {
      expect(only(await table("silver.inventory"), { batch: "B1" })).toMatchObject({
        usable_stock_qty: "40.000",
        available_stock_qty: "50.000",
      });
    });

    it("a period before the first transit row is told as unknown", async () => {
      const transit = having(await table("silver.inventory_month_end_stock"), { stock_category: "transit" });
      expect(transit.map((row) => [row["period_id"], row["total_stock_qty"], row["is_start_unknown"]])).toEqual([
        [202601, "3.000", true],
        [202602, "3.000", false],
        [202603, "5.000", false],
        [202604, "5.000", false],
        [202605, "5.000", false],
      ]);
    });
  });

  describe("corrections of inspection lots", () => {
    it("E4 the decision on the lot is KZART L, the last one", async () => {
      const lot = only(await table("silver.batch_release_external"), { inspection_lot: "000010000001" });
      expect(lot).toMatchObject({
        ud_valuation: "R",
        ud_code: "R1",
        ud_made_by: "SCHULZ",
        release_days: 4,
        is_open: false,
      });
    });

    it("E6 a storage location is of a plant: no lot is there twice", async () => {
      const lots = await table("silver.batch_release_external");
      expect(lots.map((row) => [row["inspection_lot"], row["storage_location_desc"]])).toEqual([
        ["000010000001", "Main store"],
        ["000010000002", "Main store"],
      ]);
    });

    it("E22 supplied lots in one table, own ones in the other, recurring ones in none; with supplier and decision", async () => {
      const lots = async (release: string) =>
        (await table(`gold.fact_batch_release_${release}`)).map((row) => row["inspection_lot"]);
      expect(await lots("external")).toEqual(["000010000001", "000010000002"]);
      expect(await lots("internal")).toEqual(["000040000001"]);
      const [external] = await table("silver.batch_release_external");
      expect(external).toMatchObject({
        supplier_number: "0000101999",
        supplier_name: "Schmidt AG",
        released_on_time: true,
        inspection_type_desc: "Goods receipt inspection",
        inspection_type_origin_desc: "Goods receipt",
      });
      const [internal] = await table("silver.batch_release_internal");
      expect(internal).toMatchObject({ supplier_number: null, storage_location: "0001", released_on_time: false });
    });

    it("E30 what was inspected is in the sample's unit, the lot in its own", async () => {
      const lot = only(await table("silver.batch_release_external"), { inspection_lot: "000010000001" });
      expect(lot).toMatchObject({
        inspected_qty: "2.500",
        sample_unit: "KG",
        actual_lot_qty: "100.000",
        defective_qty: "3.000",
        lot_unit: "ST",
      });
    });
  });
}
