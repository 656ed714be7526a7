import { describe, expect, it } from "vitest";
import { externalsByKey, resolveRelation, unknownTable } from "./resolve.js";
import { at, csvRead, DEFAULTS, dataset, keyOf, PLACES, tableName, thrown } from "./test-builders.js";

const read = { id: "r0", stream: false, at: at(3) };
const table = (name: string) => ({ ...read, kind: "table", name: name.split(".") }) as const;
const datasets = new Map(
  [dataset("orders"), dataset("silver.items"), dataset("v", "temporary-view"), dataset("silver.v")].map((d) => [
    keyOf(`${d.name.schema}.${d.name.table}`),
    d,
  ]),
);
const externals = externalsByKey([
  { name: tableName("sap.vbak"), path: "landing/vbak", at: at() },
  { name: tableName("sap.vbap"), at: at() },
]);
const names = { datasets, externals, places: PLACES };
const resolve = (name: string, defaults = DEFAULTS) => resolveRelation(table(name), defaults, names);

describe("resolveRelation", () => {
  it.each(["orders", "ORDERS", "default.orders", "spark_catalog.default.Orders"])("finds the dataset %s", (name) => {
    expect(resolve(name)).toEqual({ kind: "dataset", key: keyOf("orders") });
  });

  it("completes a name by the schema of its file", () => {
    expect(resolve("items", { ...DEFAULTS, schema: "silver" })).toEqual({
      kind: "dataset",
      key: keyOf("silver.items"),
    });
  });

  it("takes a name of one part for a temporary view first, as Spark does", () => {
    const silver = { ...DEFAULTS, schema: "silver" };
    expect(resolve("V", silver)).toEqual({ kind: "dataset", key: keyOf("v") });
    expect(resolve("silver.v", silver)).toEqual({ kind: "dataset", key: keyOf("silver.v") });
  });

  it("looks for other tables in the warehouse, or where an external table says", () => {
    const name = (of: string) => `spark_catalog.${of}`;
    expect(resolve("a.b")).toEqual({ kind: "folder", location: "/p/tables/a/b", name: name("a.b") });
    expect(resolve("sap.vbak")).toEqual({ kind: "folder", location: "/p/landing/vbak", name: name("sap.vbak") });
    expect(resolve("sap.vbap")).toEqual({ kind: "folder", location: "/p/tables/sap/vbap", name: name("sap.vbap") });
  });

  it("reads Delta folders relative to the spec, and files as they are", () => {
    const path = { ...read, kind: "path", path: "data/x" } as const;
    expect(resolveRelation(path, DEFAULTS, names)).toEqual({
      kind: "folder",
      location: "/p/data/x",
      name: "delta.`data/x`",
    });
    expect(resolveRelation({ ...read, kind: "files", files: csvRead("l") }, DEFAULTS, names)).toEqual({
      kind: "files",
    });
  });

  it("refuses four parts and unknown catalogs where they stand", () => {
    expect(thrown(() => resolve("a.b.c.d"))).toMatchObject({ code: "INVALID_IDENTIFIER", at: at(3) });
    expect(thrown(() => resolve("spark_catlog.b.c"))).toMatchObject({
      code: "UNKNOWN_CATALOG",
      at: at(3),
      hint: expect.stringContaining("Did you mean `spark_catalog`?"),
    });
  });
});

it.each([
  ["ordrs", "Did you mean `orders`?"],
  ["sap.vbka", "Did you mean `sap.vbak`?"],
  ["nothing_like_it", /^No dataset of the project declares spark_catalog\.default\.nothing_like_it/],
])("unknownTable teaches what %s may be", (name, hint) => {
  const error = unknownTable(table(name), tableName(name), names);
  expect(error).toMatchObject({ code: "UNKNOWN_TABLE", sqlState: "42P01", object: name, at: at(3) });
  expect(error.hint).toMatch(hint);
});
