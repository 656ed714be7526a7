import { describe, expect, it } from "vitest";
import { ingot, rows } from "../cli.js";
import { having, only, tableReader } from "./project.js";

/** What the reference gets wrong in master data, demand and the star itself. */
export function describeMaster(project: () => string): void {
  describe("corrections of master data, demand and the star", () => {
    const table = tableReader(project);
    const types = async (name: string): Promise<Record<string, string>> => {
      const path = `${project()}/storage/warehouse/${name.replace(".", "/")}`;
      const { stdout } = await ingot(["query", `SELECT * FROM delta.\`${path}\` LIMIT 0`, "--json"], { cwd: "/" });
      const { columns } = JSON.parse(stdout) as { columns: { name: string; type: string }[] };
      return Object.fromEntries(columns.map(({ name: column, type }) => [column, type]));
    };

    it("E5 the language is chosen before the join: one row a material", async () => {
      const products = having(await table("silver.product"), { client: "100" });
      expect(products.map((row) => row["material"])).toEqual([
        "000000000000000100",
        "000000000000000101",
        "000000000000000102",
        "M1",
        "M2",
        "M3",
      ]);
    });

    it("E8 a supplier is one row, its roles are rows of their own", async () => {
      const supplier = { client: "100", supplier_number: "0000101999" };
      expect(having(await table("gold.dim_supplier"), supplier)).toHaveLength(1);
      const purchasing = having(await table("silver.supplier_purchasing"), supplier);
      expect(purchasing.map((row) => [row["purchasing_org"], row["terms_of_payment"]])).toEqual([
        ["1000", "0001"],
        ["1100", "0002"],
      ]);
      // LFB1 lost its zeros, and is of the same supplier.
      const company = having(await table("silver.supplier_company"), supplier);
      expect(company.map((row) => row["supplier_email"])).toEqual(["rechnung@schmidt.example", "nord@schmidt.example"]);
    });

    it("E15 the client is in every key: one number of two clients is two documents", async () => {
      const documents = having(await table("gold.fact_purchase_order"), {
        purchase_order: "4500000001",
        item: "00010",
      });
      expect(documents.map((row) => [row["client"], row["order_quantity"]])).toEqual([
        ["100", "10.000"],
        ["200", "40.000"],
      ]);
    });

    it("E16 a load has its time to the microsecond and its rows their numbers", async () => {
      const { _load_ts, _source_seq } = await types("silver.purchase_order");
      expect([_load_ts, _source_seq]).toEqual(["timestamp", "bigint"]);
    });

    it("E19 quantities, amounts, prices and rates are decimals, and nothing is a double", async () => {
      const columns = await types("silver.purchase_order");
      expect(columns).toMatchObject({
        order_quantity: "decimal(18,3)",
        net_order_value: "decimal(18,2)",
        net_order_price: "decimal(18,5)",
        unit_value: "decimal(18,9)",
        exchange_rate: "decimal(18,9)",
        is_deleted: "boolean",
        order_date: "date",
      });
      for (const name of [
        "fact_purchase_order",
        "fact_inventory",
        "fact_inventory_month_end_stock",
        "fact_demand_actual",
        "fact_demand_forecast",
      ])
        expect(Object.values(await types(`gold.${name}`))).not.toContain("double");
    });

    it("E26 PSTL2 is the postal code of the P.O. box, ADRNR the address's number", async () => {
      expect(only(await table("silver.supplier"), { supplier_number: "0000101999" })).toMatchObject({
        po_box_postal_code: "20001",
        po_box: "471100",
        address_number: "0000022001",
        postal_code: "20095",
      });
    });

    it("E27 units and currencies are all that facts use, with their decimals", async () => {
      const units = having(await table("gold.dim_uom"), { client: "100" });
      expect(units.map((row) => [row["uom"], row["uom_external"]])).toEqual([
        ["", null],
        ["KG", "KG"],
        ["ST", "PC"],
      ]);
      const currencies = having(await table("gold.dim_currency"), { client: "100" });
      expect(currencies.map((row) => [row["currency"], row["decimals"]])).toEqual([
        ["", null],
        ["EUR", 2],
        ["HUF", 0],
        ["JPY", 0],
        ["USD", 2],
      ]);
    });

    it("E28 demand has types, a unit and a currency", async () => {
      expect(await types("gold.fact_demand_actual")).toMatchObject({
        actual_qty: "decimal(18,3)",
        period_id: "int",
        actual_orders: "int",
      });
      const [row] = having(await table("gold.fact_demand_actual"), { market: "DE", period_id: 202601 });
      expect(row).toMatchObject({ uom: "ST", currency: "EUR", actual_qty: "100.000", service_level: "95.00" });
    });

    it("E32 no catalog, path or code of a company stands in the definitions", async () => {
      const { code, stderr } = await ingot(["dry-run", "--set", "config_path=other.json"], { cwd: project() });
      expect([code, stderr]).toEqual([6, expect.stringContaining("other.json")]);
    });

    it("each dimension has an unknown member, and each key of a fact its row", async () => {
      for (const dimension of ["product", "customer", "location", "batch", "supplier", "uom", "storage", "currency"]) {
        const unknown = (await table(`gold.dim_${dimension}`)).filter((row) =>
          Object.values(row).every(
            (value) => value === null || value === "" || value === true || /^[12]00$/.test(String(value)),
          ),
        );
        expect(unknown.map((row) => row["client"])).toEqual(["100", "200"]);
      }
      // A date has no blank; open-ended days are in orders alone.
      const days = await table("gold.dim_date");
      expect(having(days, { calendar_date: "1900-01-01" })).toMatchObject([
        { client: "100", year: null, is_inferred: true },
        { client: "200", year: null, is_inferred: true },
      ]);
      // Sold to a market that nobody has described.
      expect(only(await table("gold.dim_customer"), { market: "IT" })).toMatchObject({ is_inferred: true });
      const lost = await rows(
        project(),
        `SELECT f.purchase_order FROM gold.fact_purchase_order AS f
         LEFT ANTI JOIN gold.dim_supplier AS s ON s.client = f.client AND s.supplier_number = f.supplier_id
         UNION ALL SELECT f.purchase_order FROM gold.fact_purchase_order AS f
         LEFT ANTI JOIN gold.dim_storage AS s ON s.client = f.client AND s.plant = f.plant AND s.storage_location = f.storage_location
         UNION ALL SELECT f.purchase_order FROM gold.fact_purchase_order AS f
         LEFT ANTI JOIN gold.dim_date AS d ON d.client = f.client AND d.calendar_date = f.order_date_key
         UNION ALL SELECT f.purchase_order FROM gold.fact_purchase_order AS f
         LEFT ANTI JOIN gold.dim_date AS d ON d.client = f.client AND d.calendar_date = f.next_schedule_line_date_key
         UNION ALL SELECT f.material FROM gold.fact_inventory AS f
         LEFT ANTI JOIN gold.dim_batch AS b ON b.client = f.client AND b.material = f.material AND b.batch = f.batch`,
      );
      expect(lost).toEqual([]);
    });

    it("the calendar's first of January 2027 is in week 53 of 2026", async () => {
      expect(only(await table("gold.dim_date"), { client: "100", calendar_date: "2027-01-01" })).toMatchObject({
        week: 53,
        iso_year: 2026,
        day_of_week: 6,
        iso_day_of_week: 5,
        day_name: "Friday",
        period_id: 202701,
        month_end_date: "2027-01-31",
      });
    });
  });
}
