import { expect, it } from "vitest";
import { type DataType, formatType, sameType } from "./data-type.js";

const struct = (nullable: boolean, comment?: string): DataType => ({
  kind: "struct",
  fields: [{ name: "a", type: { kind: "int" }, nullable, ...(comment === undefined ? {} : { comment }) }],
});

// Spark's DataType.simpleString.
it.each<[DataType, string]>([
  [{ kind: "timestamp_ntz" }, "timestamp_ntz"],
  [{ kind: "decimal", precision: 10, scale: 2 }, "decimal(10,2)"],
  [{ kind: "array", element: { kind: "string" }, containsNull: true }, "array<string>"],
  [{ kind: "map", key: { kind: "int" }, value: struct(true), valueContainsNull: true }, "map<int,struct<a:int>>"],
])("formatType of %# is %s", (type, text) => {
  expect(formatType(type)).toBe(text);
});

it("sameType passes by nullability and comments", () => {
  expect(sameType(struct(true), struct(false, "why"))).toBe(true);
  expect(sameType({ kind: "int" }, { kind: "bigint" })).toBe(false);
});
