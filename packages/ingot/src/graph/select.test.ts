import { describe, expect, it } from "vitest";
import type { Dataset } from "../model/definition.js";
import { type Refresh, selectTables } from "./select.js";
import { DEFAULTS, dataset, keyOf, thrown } from "./test-builders.js";

const LOCKED = { "pipelines.reset.allowed": "FALSE" };
const PROJECT = [
  dataset("orders"),
  dataset("spend", "materialized-view"),
  dataset("silver.items", "streaming-table", { properties: LOCKED }),
  dataset("v", "temporary-view"),
];

function select(options: Partial<Refresh>, datasets: readonly Dataset[] = PROJECT) {
  const definitions = { datasets, flows: [], externals: [], notices: [] };
  return selectTables(definitions, DEFAULTS, { refresh: [], fullRefresh: [], fullRefreshAll: false, ...options });
}

const keys = (...names: string[]) => new Set(names.map(keyOf));

describe("selectTables", () => {
  it("takes all tables where nothing is asked for", () => {
    expect(select({})).toEqual({
      selected: keys("orders", "spend", "silver.items"),
      reset: new Set(),
      protectedTables: [],
    });
  });

  it.each(["orders", "ORDERS", "default.orders", "Spark_Catalog.Default.Orders"])(
    "takes %s alone, neither what it reads nor what reads it",
    (name) => {
      expect(select({ refresh: [name] })).toMatchObject({ selected: keys("orders"), reset: new Set() });
    },
  );

  it("takes both lists together, the second to start again", () => {
    expect(select({ refresh: ["silver.items"], fullRefresh: ["orders", "orders"] })).toMatchObject({
      selected: keys("orders", "silver.items"),
      reset: keys("orders"),
    });
  });

  it("starts all tables again but those that forbid it, which it tells", () => {
    expect(select({ fullRefreshAll: true })).toEqual({
      selected: keys("orders", "spend", "silver.items"),
      reset: keys("orders", "spend"),
      protectedTables: [keyOf("silver.items")],
    });
  });

  it("refuses a full refresh of a table that forbids it, by name", () => {
    const error = thrown(() => select({ fullRefresh: ["silver.items"] }));
    expect(error).toMatchObject({ code: "TABLE_NOT_RESETTABLE", object: "spark_catalog.silver.items" });
  });

  it.each([
    { refresh: ["orders"], fullRefresh: ["default.orders"] },
    { refresh: ["orders"], fullRefreshAll: true },
    { fullRefresh: ["orders"], fullRefreshAll: true },
  ])("refuses %j", (options) => {
    expect(thrown(() => select(options)).code).toBe("CONFLICTING_PIPELINE_REFRESH_OPTIONS");
  });

  it.each([
    ["order", "Did you mean orders?"],
    ["silver.item", "Did you mean silver.items?"],
    ["xyz", "Tables: orders, spend, silver.items."],
    // A view is computed when it is read: there is nothing to refresh.
    ["v", "Tables: orders, spend, silver.items."],
    ["a.spark_catalog.default.orders", "Did you mean spark_catalog.default.orders?"],
  ])("refuses the unknown name %s: %s", (name, hint) => {
    expect(thrown(() => select({ refresh: [name] }))).toMatchObject({ code: "UNKNOWN_SELECTION", object: name, hint });
  });
});
