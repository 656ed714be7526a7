import { describe, expect, it } from "vitest";
import { definition, field, listOf, mapOf, struct, typeNamed } from "../testing/test-schema.js";
import type { Definition } from "./definition.js";
import { fieldsWithin } from "./field-path.js";
import { prepareDefinition } from "./prepare-definition.js";
import type { StructType } from "./schema.js";

const NAME = { "delta.columnMapping.mode": "name" };
const LONG = typeNamed("long");
const SCHEMA = struct(
  field("a", "long"),
  field("s", struct(field("x", "string"), field("l", listOf(struct(field("y", "date")))))),
  field("m", mapOf(struct(field("k", "integer")), struct(field("v", "integer")))),
);

const marks = (schema: StructType) =>
  [...fieldsWithin(schema)].map(({ path, field: { metadata } }) => [
    path.join("."),
    metadata["delta.columnMapping.id"],
    metadata["delta.columnMapping.physicalName"],
  ]);

/** As a commit leaves it. */
function committed(table: Definition, previous?: Definition, isReplaced = false): Definition {
  const { schema, configuration } = prepareDefinition(table, previous, isReplaced);
  return { ...table, schema, metadata: { ...table.metadata, configuration } };
}

describe("a new table with column mapping", () => {
  it.each(["name", "id"])("gives every field at every depth an id and a physical name: %s", (mode) => {
    const table = committed(definition(SCHEMA, { "delta.columnMapping.mode": mode }));
    const given = marks(table.schema);
    expect(given.map(([path]) => path)).toEqual(["a", "s", "s.x", "s.l", "s.l.element.y", "m", "m.key.k", "m.value.v"]);
    expect(given.map(([, id]) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const [, , name] of given) expect(name).toMatch(/^col-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(table.metadata.configuration).toMatchObject({ "delta.columnMapping.maxColumnId": "8" });
  });

  it("takes names that Parquet in Spark does not", () => {
    const odd = struct(
      field("Key Id", "long"),
      field("Prod.Id", "long"),
      field("a/b", "long"),
      field("{x}=;,", "long"),
    );
    expect(committed(definition(odd, NAME)).schema.fields.map(({ name }) => name)).toEqual(
      odd.fields.map(({ name }) => name),
    );
    expect(() => prepareDefinition(definition(odd))).toThrow(
      expect.objectContaining({
        code: "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES",
        message: expect.stringContaining("`Key Id`, `{x}=;,`"),
      }),
    );
  });

  it("keeps odd names that a table without column mapping has from another writer", () => {
    const odd = definition(struct(field("Key Id", "long")));
    expect(
      prepareDefinition({ ...odd, schema: struct(...odd.schema.fields, field("n", "long")) }, odd).schema.fields,
    ).toHaveLength(2);
  });

  it("drops marks of another table where there is no column mapping", () => {
    const mapped = committed(definition(SCHEMA, NAME));
    expect(prepareDefinition({ ...mapped, metadata: { ...mapped.metadata, configuration: {} } }).schema).toEqual(
      SCHEMA,
    );
  });

  it("refuses a mode that is unknown", () => {
    expect(() => prepareDefinition(definition(SCHEMA, { "delta.columnMapping.mode": "position" }))).toThrow(
      expect.objectContaining({ code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE" }),
    );
  });
});

describe("an existing table", () => {
  it("keeps its names as physical names when it gets the mode name", () => {
    const plain = definition(SCHEMA);
    const given = marks(committed(definition(SCHEMA, NAME), plain).schema);
    expect(given.map(([path, id, name]) => [path, id, name])).toEqual([
      ["a", 1, "a"],
      ["s", 2, "s"],
      ["s.x", 3, "x"],
      ["s.l", 4, "l"],
      ["s.l.element.y", 5, "y"],
      ["m", 6, "m"],
      ["m.key.k", 7, "k"],
      ["m.value.v", 8, "v"],
    ]);
  });

  it.each([
    ["none", "id"],
    ["name", "none"],
    ["name", "id"],
    ["id", "name"],
  ])("does not change its mode from %s to %s", (from, to) => {
    const before = committed(definition(SCHEMA, { "delta.columnMapping.mode": from }));
    const after = { ...before, metadata: { ...before.metadata, configuration: { "delta.columnMapping.mode": to } } };
    expect(() => prepareDefinition(after, before)).toThrow(
      expect.objectContaining({ code: "DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE" }),
    );
    expect(prepareDefinition(after, before, true).configuration["delta.columnMapping.mode"]).toBe(to);
  });

  it("gets the mode name in a commit that leaves the schema alone", () => {
    expect(() =>
      prepareDefinition(definition(struct(...SCHEMA.fields, field("n", "long")), NAME), definition(SCHEMA)),
    ).toThrow(expect.objectContaining({ code: "DELTA_UNSUPPORTED_COLUMN_MAPPING_SCHEMA_CHANGE" }));
  });

  it("keeps ids and physical names where a schema comes without them, and gives new columns new ones", () => {
    const before = committed(definition(SCHEMA, NAME));
    const wanted = struct(
      field("new", "long"),
      field("A", "long"),
      field("s", struct(field("x", "string"), field("z", "long"))),
    );
    const after = committed(definition(wanted, NAME), before);
    const old = new Map(marks(before.schema).map(([path, ...mark]) => [path, mark]));
    const now = new Map(marks(after.schema).map(([path, ...mark]) => [path, mark]));
    expect(now.get("A")).toEqual(old.get("a"));
    expect(now.get("s")).toEqual(old.get("s"));
    expect(now.get("s.x")).toEqual(old.get("s.x"));
    expect([now.get("new")?.[0], now.get("s.z")?.[0]]).toEqual([9, 10]);
    expect(after.metadata.configuration["delta.columnMapping.maxColumnId"]).toBe("10");
  });

  it("gives no id twice, not even that of a column which is gone", () => {
    const before = committed(definition(struct(field("a", "long"), field("b", "long")), NAME));
    const without = committed({ ...before, schema: struct(...before.schema.fields.slice(0, 1)) }, before);
    const again = committed({ ...without, schema: struct(...without.schema.fields, field("b", "long")) }, without);
    expect(marks(again.schema).map(([, id]) => id)).toEqual([1, 3]);
    expect(marks(again.schema)[1]?.[2]).not.toBe(marks(before.schema)[1]?.[2]);
  });

  it("gives a column of another type under an old name a new physical name", () => {
    const before = committed(definition(struct(field("a", "string")), NAME));
    const after = committed(definition(struct(field("a", LONG)), NAME), before, true);
    expect(marks(after.schema)[0]?.[1]).toBe(2);
  });

  it("does not take a new column for one that goes on under another name", () => {
    const before = committed(definition(struct(field("a", "long")), NAME));
    const [a] = before.schema.fields;
    if (a === undefined) throw new Error("no column");
    const after = committed({ ...before, schema: struct({ ...a, name: "b" }, field("a", "long")) }, before);
    expect(marks(after.schema).map(([path, id]) => [path, id])).toEqual([
      ["b", 1],
      ["a", 2],
    ]);
  });

  it("refuses two columns with one id", () => {
    const before = committed(definition(struct(field("a", "long")), NAME));
    const [a] = before.schema.fields;
    if (a === undefined) throw new Error("no column");
    expect(() => prepareDefinition({ ...before, schema: struct(a, { ...a, name: "b" }) }, before)).toThrow(
      expect.objectContaining({ code: "DELTA_INVALID_COMMIT" }),
    );
  });

  it("keeps the record of type changes", () => {
    const changes = [{ fromType: "short", toType: "long" }];
    const before = definition(struct(field("a", "long", { metadata: { "delta.typeChanges": changes } })));
    expect(prepareDefinition({ ...before, schema: struct(field("a", "long")) }, before).schema).toEqual(before.schema);
  });
});

describe("names", () => {
  it("are kept as they are, though they hold capitals, blanks, dots, digits, dashes (case V51)", () => {
    const names = ["Key Id", "Prod.Id", "1inch", "y--1", "UPPER", "upper_x"];
    const schema = struct(...names.map((name) => field(name, "string")));
    expect(committed(definition(schema, NAME)).schema.fields.map(({ name }) => name)).toEqual(names);
    const plain = struct(...schema.fields.slice(1));
    expect(prepareDefinition(definition(plain)).schema).toEqual(plain);
  });

  it.each([
    [struct(field("a", "long"), field("A", "long"))],
    [struct(field("l", listOf(struct(field("x", "long"), field("X", "long")))))],
  ])("refuses columns that differ in case only", (schema) => {
    expect(() => prepareDefinition(definition(schema, NAME))).toThrow(
      expect.objectContaining({ code: "DELTA_DUPLICATE_COLUMNS_FOUND" }),
    );
  });

  it("refuses names of the change data feed where there is one", () => {
    const schema = struct(field("_change_type", "string"));
    expect(() => prepareDefinition(definition(schema, { "delta.enableChangeDataFeed": "true" }))).toThrow(
      expect.objectContaining({ code: "DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS" }),
    );
    expect(prepareDefinition(definition(schema)).schema).toEqual(schema);
  });
});
