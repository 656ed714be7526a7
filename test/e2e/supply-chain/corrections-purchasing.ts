import { describe, expect, it } from "vitest";
import { having, only, type Row, tableReader } from "./project.js";

/** What the reference gets wrong in purchase orders: section 1 of the specification, by its numbers. */
export function describePurchasing(project: () => string): void {
  describe("corrections of purchase orders", () => {
    const table = tableReader(project);
    const item = async (order: number, position = "00010"): Promise<Row> =>
      only(await table("silver.purchase_order"), {
        client: "100",
        purchase_order: `450000000${order}`,
        item: position,
      });

    it("E1 texts are in the wanted language, exact in its case, else in E, the company's, the lowest", async () => {
      // Of the bolt there are E, e and D; of the seal F and P alone.
      expect(await item(1)).toMatchObject({ material_name: "Bolt M8", text_language: "E" });
      expect(await item(2)).toMatchObject({ material_name: "Joint", text_language: "F" });
      expect(await item(1)).toMatchObject({ material_group_description: "Raw" });
      const products = await table("silver.product");
      expect(only(products, { material: "M2" })).toMatchObject({
        material_description: "Dichtung",
        text_language: "D",
      });
      expect(only(products, { material: "M3" })).toMatchObject({ material_description: null, material_label: "M3" });
    });

    it("E2 NB, ZARB and UB, as SAP writes them, by a table of the project", async () => {
      expect((await item(1))["po_type"]).toBe("direct");
      expect((await item(6))["po_type"]).toBe("indirect");
      expect((await item(3))["po_type"]).toBe("sto");
    });

    it("E3 subcontracting is 3 in PSTYP; blank and 0 are standard", async () => {
      expect((await item(5))["po_sub_type"]).toBe("subcontract po");
      expect((await item(1))["po_sub_type"]).toBe("standard");
      expect((await item(2))["po_sub_type"]).toBe("standard");
      expect((await item(3))["po_sub_type"]).toBe("stock transfer");
    });

    it("E9 an item's value is its own, not the target value of a contract's header", async () => {
      expect((await item(1))["net_order_value"]).toBe("250.00");
      const contract = only(await table("silver.purchase_order"), { purchase_order: "4600000001" });
      expect(contract).toMatchObject({ document_category: "K", net_order_value: "0.00" });
    });

    it("E10 the open value is NETWR × open / ordered: price units and the price's unit are in it", async () => {
      // 3,360 pieces at 205 per 100 KG, 297 KG per 100 pieces; quantity × price would be 344,400.
      expect(await item(5)).toMatchObject({
        value_to_be_delivered: "10228.68",
        net_order_price: "205.00000",
        price_per: 100,
      });
      // 10.00 per 100, stored of a currency without decimals: 1,000.
      expect(await item(2)).toMatchObject({ value_to_be_delivered: "6000.00", net_order_price: "1000.00000" });
    });

    it("E12 what is to be invoiced comes from the invoices; debits without a quantity add a value alone", async () => {
      expect(await item(5)).toMatchObject({
        invoiced_quantity: "1000.000",
        quantity_to_be_invoiced: "2360.000",
        invoiced_value: "6100.00",
      });
      expect((await item(1))["quantity_to_be_invoiced"]).toBe("6.000");
    });

    it("E13 deletion, completed deliveries and final invoices come first", async () => {
      expect(await item(1, "00020")).toMatchObject({ po_status: "deleted", quantity_to_be_delivered: "0.000" });
      expect(await item(4)).toMatchObject({ po_status: "closed", delivery_status: "short_closed" });
      expect(await item(1)).toMatchObject({ po_status: "open", delivery_status: "partial", invoice_status: "partial" });
      expect(await item(3)).toMatchObject({ po_status: "closed", invoice_status: "not_relevant" });
    });

    it("E17 the next date is the earliest of the lines that are still open", async () => {
      // Lines of 5 March (received), 20 March and 10 May.
      expect((await item(5))["next_schedule_line_date"]).toBe("2026-03-20");
      expect((await item(3))["next_schedule_line_date"]).toBeNull();
    });

    it("E18 to be delivered is what is open, not all that is scheduled", async () => {
      expect(await item(5)).toMatchObject({ scheduled_quantity: "3360.000", quantity_to_be_delivered: "1680.000" });
      expect(await item(4)).toMatchObject({ scheduled_quantity: "5.000", quantity_to_be_delivered: "0.000" });
    });

    it("E20 the order unit and the price's unit are two", async () => {
      expect(await item(5)).toMatchObject({ order_unit: "ST", price_unit: "KG" });
    });

    it("E21 info record, supplying plant and the order's own supplier", async () => {
      expect((await item(1))["purchasing_info_record"]).toBe("5300000001");
      expect(await item(3)).toMatchObject({
        supplying_plant: "1020",
        supplying_plant_name: "Bremen",
        supplier_id: null,
      });
      expect(await item(2)).toMatchObject({ supplier_id: "0000102000", supplier_name: "Tanaka KK" });
      expect(await item(3)).toMatchObject({ sourcing_type: "Internal Mfg" });
    });

    it("the local currency goes by the document's rate and the factors of its pair", async () => {
      const fact = only(await table("gold.fact_purchase_order"), { purchase_order: "4500000002" });
      expect(fact).toMatchObject({
        net_order_value: "10000.00",
        net_order_value_lc: "62.00",
        value_to_be_delivered_lc: "37.20",
        exchange_rate: "0.620000000",
      });
      expect(having(await table("gold.fact_purchase_order"), { client: "100" })).toHaveLength(8);
    });
  });
}
