import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadDefinitionsOf } from "../../packages/ingot/src/define/project.js";
import type { Definitions } from "../../packages/ingot/src/model/definition.js";
import { formatName } from "../../packages/ingot/src/model/name.js";
import { printStatements } from "../../packages/ingot/src/sql/print-statements.js";
import { parseSqlFile } from "../../packages/ingot/src/sql/sql-file.js";

const DEFAULTS = { catalog: "spark_catalog", schema: "default" };

function loadExample(name: string, files: readonly string[], disk?: string): Promise<Definitions> {
  const root = fileURLToPath(new URL(`examples/${name}/`, import.meta.url));
  const paths = files.map((file) => root + file);
  return loadDefinitionsOf({
    root,
    sqlFiles: paths.filter((file) => file.endsWith(".sql")),
    tsFiles: paths.filter((file) => file.endsWith(".ts")),
    configuration: { history: "history", landing: "landing", config_path: "config.json" },
    defaults: DEFAULTS,
    ...(disk === undefined ? {} : { disk }),
  });
}

/** The model without the places of its texts, in one order. */
function modelOf({ datasets, flows }: Definitions): string[] {
  const hidden = new Set(["segments", "at"]);
  const texts = [...datasets, ...flows].map((value) =>
    JSON.stringify(value, (key, inner: unknown) => (hidden.has(key) ? undefined : sortKeys(inner))),
  );
  return texts.sort();
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("the examples", () => {
  it.each([
    ["shop", ["bronze.ts", "silver.ts", "gold.sql"], ["bronze_orders", "customer_spend", "orders"]],
    ["finance", ["bseg.ts"], ["bronze_sap.bseg", "bseg_checked", "gold_fi_period_balance", "silver_sap.bseg"]],
    ["o2c", ["silver-plain.ts"], ["silver_sd_sales_order", "vbak_cdf", "vbak_cur", "vbap_cur"]],
  ])("%s declares its datasets, which its SQL declares too", async (name, files, datasets) => {
    const made = await loadExample(name, files);
    const names = made.datasets.map((d) => formatName(d.name).replace(/^spark_catalog\.(default\.)?/, ""));
    expect(names.sort()).toEqual(datasets);

    const text = printStatements(made, DEFAULTS);
    const again = parseSqlFile({ file: "printed.sql", text, configuration: {}, defaults: DEFAULTS }).definitions;
    expect(printStatements(again, DEFAULTS)).toBe(text);
    expect(modelOf(again)).toEqual(modelOf(made));
  });

  it("supply reads its settings and leaves missing extracts out with a notice", async () => {
    const disk = mkdtempSync(join(tmpdir(), "ingot-test-"));
    onTestFinished(() => rmSync(disk, { recursive: true }));
    mkdirSync(join(disk, "raw"));
    writeFileSync(join(disk, "raw/LFA1.csv"), "MANDT,LIFNR\n");
    const settings = { bronze_tables: ["LFA1", "EKKO"], bronze_source_relative_path: "raw" };
    writeFileSync(join(disk, "config.json"), JSON.stringify(settings));
    const made = await loadExample("supply", ["bronze.ts", "gold.ts", "silver.sql"], disk);
    expect(made.datasets.map((d) => `${d.name.schema}.${d.name.table}`).sort()).toEqual([
      "bronze.lfa1",
      "gold.dim_customer",
      "gold.dim_customer_product",
      "gold.dim_storage",
      "gold.dim_supplier",
      "silver.supplier",
    ]);
    expect(made.notices.map((n) => n.message)).toEqual(["raw/EKKO.csv is missing: bronze.ekko is left out"]);
  });
});
