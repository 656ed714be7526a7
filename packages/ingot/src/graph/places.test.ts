import { sep } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameKey, type TableName } from "../model/name.js";
import { definitionPath, folderName, partOf, privateFolder, tableFolder } from "./places.js";
import { at, PLACES, tableName, thrown } from "./test-builders.js";

const places = { ...PLACES, catalogs: { other: "/p/other" } };

// Parts of names as people and machines make them; an empty one is refused when it is read.
const part = fc.oneof(
  fc.string({ unit: "binary", minLength: 1 }),
  fc.stringMatching(/^[.a-cA-C/\\%~' _-]{1,4}$/),
  fc.constantFrom("..", ".", "a/b", "%2e", "ä", "a\u0308", "İ", "constructor"),
);
const name: fc.Arbitrary<TableName> = fc.record({
  catalog: fc.constantFrom("spark_catalog", "OTHER"),
  schema: part,
  table: part,
});

describe("tableFolder", () => {
  it("is <warehouse>/<schema>/<table> in lower case", () => {
    expect(tableFolder(tableName("Bronze.Orders"), places)).toBe("/p/tables/bronze/orders");
    expect(tableFolder(tableName("Other.a.b"), places)).toBe("/p/other/a/b");
    expect(privateFolder(tableName("Bronze.Orders"), places)).toBe("/p/state/_private/spark_catalog/bronze/orders");
  });

  it.each([
    ["..", "%2e%2e"],
    [".hidden", "%2ehidden"],
    ["a/b", "a%2Fb"],
    ["a b", "a%20b"],
    ["100%", "100%25"],
    ["Überblick", "%C3%BCberblick"],
  ])("writes the part %s as %s", (text, folder) => {
    expect(folderName(text)).toBe(folder);
    expect(partOf(folder)).toBe(text.toLowerCase());
  });

  it("gives two tables one folder only where their names are one", () => {
    for (const folderOf of [tableFolder, privateFolder]) {
      fc.assert(
        fc.property(name, name, (a, b) => {
          expect(folderOf(a, places) === folderOf(b, places)).toBe(nameKey(a) === nameKey(b));
        }),
        { numRuns: 500 },
      );
    }
  });

  it("never leaves the warehouse, and never hides a folder", () => {
    fc.assert(
      fc.property(name, (n) => {
        const [schema, table, ...more] = tableFolder(n, places).split(sep).slice(3);
        expect(more).toEqual([]);
        for (const folder of [schema, table]) expect(folder).toMatch(/^[^./\\][^./\\]*$/);
      }),
    );
  });

  it("refuses a catalog that the spec does not map, with what to write", () => {
    const error = thrown(() => tableFolder(tableName("othr.a.b"), places, at(4)));
    expect(error).toMatchObject({ code: "UNKNOWN_CATALOG", object: "othr.a.b", at: at(4) });
    expect(error.hint).toBe("Did you mean `other`? Map it in the spec: catalogs: { othr: path/to/its/warehouse }.");
    expect(thrown(() => tableFolder(tableName("constructor.a.b"), places)).code).toBe("UNKNOWN_CATALOG");
  });
});

it("partOf passes by folders that no name gives", () => {
  expect(["100%", "A", ".DS_Store", "%2E"].map(partOf)).toEqual([undefined, undefined, undefined, undefined]);
});

it.each([
  ["x/y", "/p/x/y"],
  ["/x", "/x"],
  ["file:///x y", "/x y"],
  ["FILE:/x", "/x"],
])("definitionPath reads %s as %s", (path, expected) => {
  expect(definitionPath(path, places)).toBe(expected);
});

it("definitionPath refuses other schemes by name", () => {
  expect(thrown(() => definitionPath("s3://bucket/x", places))).toMatchObject({
    code: "NOT_SUPPORTED",
    object: "s3://bucket/x",
  });
});
