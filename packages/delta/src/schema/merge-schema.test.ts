import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definition, field, listOf, mapOf, struct, typeNamed } from "../testing/test-schema.js";
import { fieldsWithin, formatPath } from "./field-path.js";
import { mergeSchema } from "./merge-schema.js";
import type { DataType, StructType } from "./schema.js";

const ON = { "delta.enableTypeWidening": "true" };
const TABLE = struct(
  field("id", "long", { nullable: false, metadata: { comment: "key" } }),
  field("s", struct(field("x", "string"))),
  field("l", listOf(struct(field("y", "integer")))),
  field("m", mapOf(typeNamed("string"), struct(field("z", "decimal(5,2)")))),
);

describe("mergeSchema", () => {
  it("puts new columns at the end, at every depth, nullable, without marks of another table", () => {
    const incoming = struct(
      field("n", "date", {
        nullable: false,
        metadata: { comment: "new", "delta.columnMapping.id": 7, "delta.invariants": "{}", CURRENT_DEFAULT: "1" },
      }),
      field("M", mapOf(typeNamed("string"), struct(field("new", "long"), field("z", "decimal(5,2)")))),
      field("l", listOf(struct(field("new", struct(field("deep", "long", { nullable: false })))))),
      field("S", struct(field("new", "long"))),
    );
    expect(mergeSchema(definition(TABLE), incoming)).toEqual(
      struct(
        field("id", "long", { nullable: false, metadata: { comment: "key" } }),
        field("s", struct(field("x", "string"), field("new", "long"))),
        field("l", listOf(struct(field("y", "integer"), field("new", struct(field("deep", "long")))))),
        field("m", mapOf(typeNamed("string"), struct(field("z", "decimal(5,2)"), field("new", "long")))),
        field("n", "date", { metadata: { comment: "new" } }),
      ),
    );
  });

  it("is the table's schema for rows with fewer columns, or with none", () => {
    expect(mergeSchema(definition(TABLE), struct(field("ID", "long")))).toEqual(TABLE);
    expect(mergeSchema(definition(TABLE), struct())).toEqual(TABLE);
  });

  it.each([
    ["byte", "integer"],
    ["short", "integer"],
    ["byte", "short"],
    ["void", "long"],
    ["void", "decimal(5,2)"],
  ])("takes rows of %s into %s", (incoming, table) => {
    const schema = struct(field("x", table));
    expect(mergeSchema(definition(schema), struct(field("x", incoming)))).toEqual(schema);
  });

  it("widens within a family where the table allows, and notes it", () => {
    const incoming = struct(
      field("l", listOf(struct(field("y", "long")))),
      field("m", mapOf(typeNamed("string"), struct(field("z", "decimal(7,3)")))),
    );
    const merged = mergeSchema(definition(TABLE, ON), incoming);
    expect(merged.fields.slice(2)).toEqual([
      field(
        "l",
        listOf(
          struct(field("y", "long", { metadata: { "delta.typeChanges": [{ fromType: "integer", toType: "long" }] } })),
        ),
      ),
      field(
        "m",
        mapOf(
          typeNamed("string"),
          struct(
            field("z", "decimal(7,3)", {
              metadata: { "delta.typeChanges": [{ fromType: "decimal(5,2)", toType: "decimal(7,3)" }] },
            }),
          ),
        ),
      ),
    ]);
  });

  it.each<[string, string, object, string]>([
    ["integer", "long", {}, "integer; the rows to write have long"],
    ["integer", "double", ON, "integer; the rows to write have double"],
    ["long", "integer", ON, "long; the rows to write have integer"],
    // Case V52: a decimal that is wider than the column.
    ["decimal(4,1)", "decimal(9,3)", {}, "decimal(4,1); the rows to write have decimal(9,3)"],
    ["string", "long", ON, "string; the rows to write have long"],
  ])("refuses rows whose type does not fit: %s and %s", (table, incoming, configuration, message) => {
    expect(() =>
      mergeSchema(
        definition(struct(field("s", struct(field("x", table)))), configuration as Record<string, string>),
        struct(field("s", struct(field("x", incoming)))),
      ),
    ).toThrow(
      expect.objectContaining({
        code: "DELTA_FAILED_TO_MERGE_FIELDS",
        message: expect.stringMatching(new RegExp(`s\\.x.*${message.replace(/[()]/g, "\\$&")}`)),
      }),
    );
  });

  it("refuses a struct for a list, a name twice, and names that the table cannot have", () => {
    const merge = (incoming: ReturnType<typeof struct>) => () => mergeSchema(definition(TABLE), incoming);
    expect(merge(struct(field("l", struct(field("y", "integer")))))).toThrow(
      expect.objectContaining({ code: "DELTA_FAILED_TO_MERGE_FIELDS" }),
    );
    expect(merge(struct(field("n", "long"), field("N", "long")))).toThrow(
      expect.objectContaining({ code: "DELTA_DUPLICATE_COLUMNS_FOUND" }),
    );
    expect(merge(struct(field("a b", "long")))).toThrow(
      expect.objectContaining({ code: "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES" }),
    );
  });

  it("does not widen a column of a constraint", () => {
    const table = definition(struct(field("x", "integer")), { ...ON, "delta.constraints.c": "x > 0" });
    expect(() => mergeSchema(table, struct(field("x", "long")))).toThrow(
      expect.objectContaining({ code: "DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE" }),
    );
  });
});

describe("any two schemas", () => {
  const type = fc.letrec<{ type: DataType; struct: StructType }>((tie) => ({
    type: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom("short", "long", "float", "double", "decimal(5,2)", "decimal(9,4)", "void").map(typeNamed),
      tie("struct"),
      tie("type").map(listOf),
    ),
    struct: fc
      .uniqueArray(fc.tuple(fc.constantFrom("a", "B", "c", "D"), tie("type")), {
        selector: ([name]) => name,
        minLength: 1,
        maxLength: 4,
      })
      .map((fields) => struct(...fields.map(([name, of]) => field(name, of)))),
  })).struct;
  const paths = (schema: StructType) => [...fieldsWithin(schema)].map(({ path }) => formatPath(path));

  it("merge to one that has all columns of both, the table's first, and that takes the same rows again", () => {
    let merges = 0;
    fc.assert(
      fc.property(type, type, (table, incoming) => {
        let merged: StructType;
        try {
          merged = mergeSchema(definition(table, ON), incoming);
        } catch (error) {
          expect(error).toMatchObject({ code: "DELTA_FAILED_TO_MERGE_FIELDS" });
          return;
        }
        merges += 1;
        expect(paths(merged)).toEqual(expect.arrayContaining([...paths(table), ...paths(incoming)]));
        expect(merged.fields.slice(0, table.fields.length).map(({ name }) => name)).toEqual(
          table.fields.map(({ name }) => name),
        );
        expect(mergeSchema(definition(merged, ON), incoming)).toEqual(merged);
        expect(mergeSchema(definition(merged, ON), struct())).toEqual(merged);
      }),
      { numRuns: 300 },
    );
    expect(merges).toBeGreaterThan(30);
  });
});
