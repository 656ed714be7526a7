import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { events, ingot } from "../cli.js";
import { aside, change, having, only, readTable, supplyChain } from "./project.js";

describe("without five of the files", () => {
  const folder = supplyChain();
  const MISSING = ["PLKO", "T161T", "QAVE", "MASTER_CUSTOMER_PRODUCT", "DEMAND_FORECAST"];
  let stderr = "";
  let code = -1;

  beforeAll(async () => {
    for (const name of MISSING) rmSync(join(folder, "landing", `${name}.csv`));
    ({ code, stderr } = await ingot(["run"], { cwd: folder }));
  }, 300_000);

  it("each is told, and what needs none of them is there", async () => {
    expect(code, stderr).toBe(0);
    for (const name of MISSING)
      expect(stderr).toContain(`landing/${name}.csv is missing: bronze.${name.toLowerCase()} is left out`);
    expect(having(await readTable(folder, "gold.fact_purchase_order"), { client: "100" })).toHaveLength(8);
    expect(await readTable(folder, "gold.dim_product")).toHaveLength(11);
  });

  it("a missing text is no text; what needs a missing extract is left out, not empty", async () => {
    const order = only(await readTable(folder, "gold.fact_purchase_order"), { purchase_order: "4500000002" });
    expect(order).toMatchObject({ order_type: "NB", order_type_text: null });
    expect(stderr).toContain(
      "gold.fact_batch_release_external is left out of the run: so is spark_catalog.default.fact_batch_release_external_snapshot",
    );
    await expect(readTable(folder, "gold.fact_batch_release_external")).rejects.toThrow();
  });

  it("a file that goes later leaves what it brought", async () => {
    rmSync(join(folder, "landing/EKBE.csv"));
    change(folder, "EKPO", (lines) => lines.map((line) => line.replace("Office chair", "Office chairs")));
    const later = await ingot(["run"], { cwd: folder });
    expect([later.code, later.stderr]).toEqual([0, expect.stringContaining("bronze.ekbe stays as it was loaded last")]);
    const orders = await readTable(folder, "gold.fact_purchase_order");
    expect(only(orders, { purchase_order: "4500000006" })["material_name"]).toBe("Office chairs");
    expect(only(orders, { purchase_order: "4500000005" })["invoiced_quantity"]).toBe("1000.000");
  }, 300_000);
});

describe("with extracts that are broken", () => {
  const folder = supplyChain();
  let run: Awaited<ReturnType<typeof events>>;

  beforeAll(async () => {
    // Nearly all days of the lots are none: the gate. One item without a number, and one with a text for an amount.
    change(folder, "QALS", (lines) =>
      lines.map((line) => line.replaceAll("20260301", "20260231").replaceAll("202603", "202613")),
    );
    change(folder, "EKPO", (lines) => [
      ...lines,
      "100,,00010,,No number,100,1000,1010,0001,ROH1,,10.000,ST,ST,1,1,25.00,1,250.00,,,0,X,X,",
      "100,4500000008,00010,,Text,100,1000,1010,0001,ROH1,,10.000,ST,ST,1,1,25.00,1,2 50,,,0,X,X,",
    ]);
    writeFileSync(
      join(folder, "landing/PLKO.csv"),
      readFileSync(join(folder, "landing/PLKO.csv"), "latin1").slice(0, 3),
    );
    run = await events(folder);
  }, 300_000);

  it("rows that cannot be read are set aside, with the reason", async () => {
    const items = await aside(folder, "extract.ekpo");
    expect(items.map((row) => [row["ebeln"], row["txz01"], row["_status"]]).sort()).toEqual([
      [null, "No number", "INVALID_PRIMARY_KEY"],
      ["4500000008", "Text", "MALFORMED_AMOUNT"],
    ]);
  });

  it("an extract of which most cannot be read is not published, nor what needs it; the rest goes on", async () => {
    expect(run.code).toBe(4);
    expect(JSON.stringify(run.events)).toContain("QUALITY_GATE_CLOSED");
    await expect(readTable(folder, "silver.batch_release_external")).rejects.toThrow();
    expect(having(await readTable(folder, "gold.fact_purchase_order"), { client: "100" })).toHaveLength(8);
    expect(await readTable(folder, "gold.fact_inventory")).toHaveLength(7);
  });
});
