import { describe, expect, it } from "vitest";
import { definition, field, listOf, mapOf, struct, typeNamed } from "../testing/test-schema.js";
import { changeColumn } from "./change-column.js";
import { formatSchema } from "./schema.js";
import { assertReadableTypeChanges, canWiden, canWidenByWrite } from "./type-widening.js";

const ON = { "delta.enableTypeWidening": "true" };
const TYPES = [
  "byte",
  "short",
  "integer",
  "long",
  "float",
  "double",
  "date",
  "timestamp",
  "timestamp_ntz",
  "string",
  "binary",
  "boolean",
  "decimal(6,2)",
  "decimal(10,0)",
  "decimal(10,4)",
  "decimal(12,2)",
  "decimal(20,0)",
  "decimal(22,2)",
];

/** By the protocol's list in "Type Widening", written out by hand. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  byte: ["short", "integer", "long", "double", "decimal(10,0)", "decimal(12,2)", "decimal(20,0)", "decimal(22,2)"],
  short: ["integer", "long", "double", "decimal(10,0)", "decimal(12,2)", "decimal(20,0)", "decimal(22,2)"],
  integer: ["long", "double", "decimal(10,0)", "decimal(12,2)", "decimal(20,0)", "decimal(22,2)"],
  long: ["decimal(20,0)", "decimal(22,2)"],
  float: ["double"],
  date: ["timestamp_ntz"],
  "decimal(6,2)": ["decimal(10,4)", "decimal(12,2)", "decimal(22,2)"],
  "decimal(10,0)": ["decimal(12,2)", "decimal(20,0)", "decimal(22,2)"],
  "decimal(10,4)": [],
  "decimal(12,2)": ["decimal(22,2)"],
  "decimal(20,0)": ["decimal(22,2)"],
};

describe("canWiden", () => {
  it.each(TYPES)("%s", (from) => {
    expect(TYPES.filter((to) => canWiden(typeNamed(from), typeNamed(to)))).toEqual(WIDER[from] ?? []);
  });

  it("leaves what crosses families to ALTER TABLE", () => {
    const byWrite = TYPES.filter((to) => canWidenByWrite(typeNamed("short"), typeNamed(to)));
    expect(byWrite).toEqual(["integer", "long"]);
    expect(canWidenByWrite(typeNamed("float"), typeNamed("double"))).toBe(true);
    expect(canWidenByWrite(typeNamed("decimal(6,2)"), typeNamed("decimal(10,4)"))).toBe(true);
  });
});

describe("changeColumn to a wider type", () => {
  // The three examples of the protocol, "Type Change Metadata".
  it("notes each change of a column", () => {
    const short = definition(struct(field("e", "short")), ON);
    const int = { ...short, schema: changeColumn(short, ["E"], { type: typeNamed("integer") }).schema ?? short.schema };
    expect(
      JSON.parse(formatSchema(changeColumn(int, ["e"], { type: typeNamed("long") }).schema ?? int.schema)),
    ).toEqual({
      type: "struct",
      fields: [
        {
          name: "e",
          type: "long",
          nullable: true,
          metadata: {
            "delta.typeChanges": [
              { fromType: "short", toType: "integer" },
              { fromType: "integer", toType: "long" },
            ],
          },
        },
      ],
    });
  });

  it("notes the key of a map and a value within a list at the field around", () => {
    const table = definition(
      struct(
        field("e", mapOf(typeNamed("float"), typeNamed("integer"))),
        field("f", listOf(mapOf(typeNamed("string"), typeNamed("decimal(6,2)")))),
      ),
      ON,
    );
    const key = changeColumn(table, ["e", "key"], { type: typeNamed("double") }).schema;
    expect(key?.fields[0]?.metadata).toEqual({
      "delta.typeChanges": [{ fromType: "float", toType: "double", fieldPath: "key" }],
    });
    const value = changeColumn(table, ["f", "element", "value"], { type: typeNamed("decimal(10,4)") }).schema;
    expect(value?.fields[1]?.metadata).toEqual({
      "delta.typeChanges": [{ fromType: "decimal(6,2)", toType: "decimal(10,4)", fieldPath: "element.value" }],
    });
  });

  it("notes a field of a struct at the field itself, and the version where the preview is used", () => {
    const protocol = {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: ["typeWidening-preview"],
      writerFeatures: ["typeWidening-preview"],
    };
    const table = definition(struct(field("l", listOf(struct(field("x", "byte"))))), ON, { protocol });
    expect(changeColumn(table, ["l", "element", "x"], { type: typeNamed("short") }).schema).toEqual(
      struct(
        field(
          "l",
          listOf(
            struct(
              field("x", "short", {
                metadata: { "delta.typeChanges": [{ tableVersion: 4n, fromType: "byte", toType: "short" }] },
              }),
            ),
          ),
        ),
      ),
    );
  });

  it.each([
    ["decimal(15,3)", "decimal(4,1)", ON],
    ["integer", "string", ON],
    ["integer", "long", {}],
  ])("refuses %s to %s", (from, to, configuration) => {
    const table = definition(struct(field("x", from)), configuration);
    expect(() => changeColumn(table, ["x"], { type: typeNamed(to) })).toThrow(
      expect.objectContaining({ code: "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP" }),
    );
  });

  it("gives a void column any type, without the feature and without a record", () => {
    const table = definition(struct(field("x", "void")));
    expect(changeColumn(table, ["x"], { type: typeNamed("string") }).schema).toEqual(struct(field("x", "string")));
  });

  it.each([
    [struct(field("y", "long")), "DELTA_CANNOT_UPDATE_STRUCT_FIELD"],
    [listOf(typeNamed("long")), "DELTA_CANNOT_UPDATE_ARRAY_FIELD"],
    [mapOf(typeNamed("string"), typeNamed("long")), "DELTA_CANNOT_UPDATE_MAP_FIELD"],
  ])("refuses to set a nested type as a whole", (type, code) => {
    expect(() => changeColumn(definition(struct(field("x", type)), ON), ["x"], { type: typeNamed("long") })).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe("assertReadableTypeChanges", () => {
  const changed = (...changes: object[]) =>
    struct(field("l", listOf(struct(field("x", "long", { metadata: { "delta.typeChanges": changes } as never })))));

  it("passes changes of the protocol, and strings that differ in length", () => {
    const { schema } = {
      schema: changed(
        { fromType: "decimal(6, 2)", toType: "decimal(10, 4)" },
        { fromType: "varchar(3)", toType: "string" },
        // As in kernel-rs' public table type-widening, by Spark.
        { fromType: "byte", toType: "decimal(4,1)" },
      ),
    };
    expect(() => assertReadableTypeChanges(schema)).not.toThrow();
  });

  it.each([
    [{ fromType: "long", toType: "integer" }, "the type change of l.element.x from long to integer"],
    [{ fromType: "integer", toType: "string" }, "the type change of l.element.x from integer to string"],
    [{ fromType: "integer", toType: "nothing" }, "unknown type nothing"],
    [{ fromType: "short", toType: "decimal(4,1)" }, "from short to decimal(4,1)"],
    [{ fromType: "integer" }, "from integer to undefined"],
  ])("names another: %j", (change, message) => {
    expect(() => assertReadableTypeChanges(changed({ fromType: "short", toType: "integer" }, change))).toThrow(message);
  });
});
