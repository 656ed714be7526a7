import { describe, expect, it } from "vitest";
import { definition, field, listOf, mapOf, struct, typeNamed } from "../testing/test-schema.js";
import { addColumns, type NewColumn } from "./add-columns.js";
import { changeColumn } from "./change-column.js";
import type { Definition } from "./definition.js";
import { dropColumns } from "./drop-columns.js";
import { fieldsWithin, formatPath } from "./field-path.js";
import { prepareDefinition } from "./prepare-definition.js";
import { renameColumn } from "./rename-column.js";
import type { StructType } from "./schema.js";

const NAME = { "delta.columnMapping.mode": "name" };
const SCHEMA = struct(
  field("id", "long", { nullable: false }),
  field("day", "date"),
  field("s", struct(field("x", "string"), field("y", "integer"))),
  field("l", listOf(struct(field("z", "long"), field("w", "long")))),
  field("m", mapOf(typeNamed("string"), struct(field("v", "long"), field("u", "long")))),
);
const NULLABLE = struct(...SCHEMA.fields.slice(1));

/** As a commit has left it, with ids and physical names. */
function mapped(schema: StructType = SCHEMA, more: object = {}, partitionColumns: string[] = []): Definition {
  const wanted = definition(schema, { ...NAME, ...more }, { partitionColumns });
  const prepared = prepareDefinition(wanted);
  return { ...wanted, schema: prepared.schema, metadata: { partitionColumns, configuration: prepared.configuration } };
}

const paths = (schema: StructType | undefined) =>
  schema === undefined ? [] : [...fieldsWithin(schema)].map(({ path }) => formatPath(path));
const physical = (schema: StructType) =>
  [...fieldsWithin(schema)].map(({ field: f }) => f.metadata["delta.columnMapping.physicalName"]);
const code = (expected: string, message = "") =>
  expect.objectContaining({
    code: expected,
    table: "/t",
    version: 3n,
    message: expect.stringContaining(message),
    hint: expect.any(String),
  });
const add = (path: string[], more: Partial<NewColumn> = {}): NewColumn => ({ path, type: typeNamed("long"), ...more });

describe("addColumns", () => {
  it("adds at the end, first, behind another, and within structs, lists and maps", () => {
    const { schema } = addColumns(
      definition(SCHEMA),
      [
        add(["n"], { comment: "new" }),
        add(["f"], { position: "first" }),
        add(["d2"], { position: { after: "DAY" } }),
        add(["S", "q"], { position: { after: "x" } }),
        add(["l", "element", "q"]),
        add(["m", "value", "q"], { position: "first" }),
        add(["o"], { type: struct(field("p", "long")) }),
        add(["o", "r"]),
      ],
      false,
    );
    expect(paths(schema)).toEqual([
      "f",
      "id",
      "day",
      "d2",
      "s",
      "s.x",
      "s.q",
      "s.y",
      "l",
      "l.element.z",
      "l.element.w",
      "l.element.q",
      "m",
      "m.value.q",
      "m.value.v",
      "m.value.u",
      "n",
      "o",
      "o.p",
      "o.r",
    ]);
    expect(schema?.fields.find(({ name }) => name === "n")).toEqual(
      field("n", "long", { metadata: { comment: "new" } }),
    );
  });

  it.each<[string, NewColumn[], boolean, string]>([
    ["a name that is there", [add(["ID"])], false, "DELTA_DUPLICATE_COLUMNS_FOUND"],
    ["a name twice", [add(["n"]), add(["N"])], false, "DELTA_DUPLICATE_COLUMNS_FOUND"],
    ["a name with a space", [add(["n m"])], false, "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES"],
    ["a parent that is not there", [add(["t", "n"])], false, "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"],
    ["a parent that is no struct", [add(["id", "n"])], false, "DELTA_ADD_COLUMN_PARENT_NOT_STRUCT"],
    ["a list in place of its element", [add(["l", "n"])], false, "DELTA_ADD_COLUMN_PARENT_NOT_STRUCT"],
    [
      "a neighbour that is not there",
      [add(["n"], { position: { after: "o" } })],
      false,
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
    ],
    ["NOT NULL where rows are", [add(["n"], { nullable: false })], false, "DELTA_OPERATION_NOT_ALLOWED"],
    [
      "NOT NULL within, where rows are",
      [add(["n"], { type: struct(field("o", "long", { nullable: false })) })],
      false,
      "DELTA_OPERATION_NOT_ALLOWED",
    ],
    ["NOT NULL in a nullable struct", [add(["s", "n"], { nullable: false })], true, "DELTA_NOT_NULL_NESTED_FIELD"],
    ["NOT NULL in a list", [add(["l", "element", "n"], { nullable: false })], true, "DELTA_NESTED_NOT_NULL_CONSTRAINT"],
  ])("refuses %s", (_what, columns, isEmpty, expected) => {
    expect(() => addColumns(definition(SCHEMA), columns, isEmpty)).toThrow(code(expected));
  });

  it("adds NOT NULL while there are no rows", () => {
    const { schema } = addColumns(definition(SCHEMA), [add(["n"], { nullable: false })], true);
    expect(schema?.fields.at(-1)).toEqual(field("n", "long", { nullable: false }));
  });
});

describe("renameColumn", () => {
  it("keeps the physical name, at any depth", () => {
    const table = mapped();
    let { schema } = table;
    for (const [path, name] of [
      [["ID"], "Key Id"],
      [["s", "x"], "x.y/z"],
      [["l", "element", "z"], "zz"],
      [["m", "value", "v"], "vv"],
    ] as const)
      schema = renameColumn({ ...table, schema }, path, name).schema ?? schema;
    expect(paths(schema)).toEqual([
      "`Key Id`",
      "day",
      "s",
      "s.`x.y/z`",
      "s.y",
      "l",
      "l.element.zz",
      "l.element.w",
      "m",
      "m.value.vv",
      "m.value.u",
    ]);
    expect(physical(schema)).toEqual(physical(table.schema));
  });

  it("renames partition columns, and columns in the list of those with statistics", () => {
    const table = mapped(SCHEMA, { "delta.dataSkippingStatsColumns": "id, DAY ,s.x" }, ["day"]);
    const { partitionColumns, configuration } = renameColumn(table, ["day"], "The Day");
    expect(partitionColumns).toEqual(["The Day"]);
    expect(configuration?.["delta.dataSkippingStatsColumns"]).toBe("id,`The Day`,s.x");
    expect(renameColumn(table, ["s"], "t").configuration?.["delta.dataSkippingStatsColumns"]).toBe("id,DAY,t.x");
  });

  it("changes the case of a name", () => {
    expect(paths(renameColumn(mapped(), ["id"], "ID").schema)[0]).toBe("ID");
  });

  it.each<[string, Definition, string[], string, string]>([
    ["without column mapping", definition(SCHEMA), ["id"], "n", "DELTA_UNSUPPORTED_RENAME_COLUMN"],
    ["to a name that is there", mapped(), ["id"], "DAY", "DELTA_DUPLICATE_COLUMNS_FOUND"],
    ["of what is not there", mapped(), ["s", "z"], "n", "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"],
    ["of the element of a list", mapped(), ["l", "element"], "n", "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"],
    [
      "of a column of a constraint",
      mapped(SCHEMA, { "delta.constraints.c": "s.x <> ''" }),
      ["s"],
      "t",
      "DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE",
    ],
    [
      "of a column of a generated column",
      mapped(struct(field("a", "long"), field("g", "long", { metadata: { "delta.generationExpression": "a + 1" } }))),
      ["a"],
      "b",
      "DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE",
    ],
  ])("is refused %s", (_what, table, path, name, expected) => {
    expect(() => renameColumn(table, path, name)).toThrow(code(expected));
  });
});

describe("dropColumns", () => {
  it("drops columns and fields, and their place in the list of those with statistics", () => {
    const table = mapped(SCHEMA, { "delta.dataSkippingStatsColumns": "day,s.x,l" });
    const { schema, configuration } = dropColumns(
      table,
      [["day"], ["S", "X"], ["l", "element", "z"], ["m", "value", "u"]],
      [],
    );
    expect(paths(schema)).toEqual(["id", "s", "s.y", "l", "l.element.w", "m", "m.value.v"]);
    expect(configuration?.["delta.dataSkippingStatsColumns"]).toBe("l");
  });

  it("drops a generated column and one with an invariant of its own", () => {
    const table = mapped(
      struct(
        field("a", "long", { metadata: { "delta.invariants": '{"expression":{"expression":"a > 3"}}' } }),
        field("g", "long", { metadata: { "delta.generationExpression": "a + 1" } }),
        field("b", "long"),
      ),
    );
    expect(paths(dropColumns(table, [["g"], ["a"]], []).schema)).toEqual(["b"]);
  });

  it.each<[string, Definition, string[][], string]>([
    ["without column mapping", definition(SCHEMA), [["id"]], "DELTA_UNSUPPORTED_DROP_COLUMN"],
    ["of a partition column", mapped(SCHEMA, {}, ["day"]), [["DAY"]], "DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN"],
    ["of a clustering column", mapped(), [["id"]], "DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN"],
    ["of the struct around a clustering column", mapped(), [["s"]], "DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN"],
    [
      "of the last field of a struct",
      mapped(),
      [
        ["l", "element", "z"],
        ["l", "element", "w"],
      ],
      "DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA",
    ],
    [
      "of the element of a list",
      mapped(),
      [["l", "element"]],
      "DELTA_UNSUPPORTED_DROP_NESTED_COLUMN_FROM_NON_STRUCT_TYPE",
    ],
    ["of what is not there", mapped(), [["nothing"]], "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"],
    [
      "of all but the partition columns",
      mapped(struct(field("a", "long"), field("p", "long")), {}, ["p"]),
      [["a"]],
      "DELTA_NON_PARTITION_COLUMN_ABSENT",
    ],
    [
      "of a column of a constraint",
      mapped(SCHEMA, { "delta.constraints.c": "day > '2020-01-01'" }),
      [["day"]],
      "DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE",
    ],
  ])("is refused %s", (_what, table, columns, expected) => {
    expect(() => dropColumns(table, columns, [["id"], ["s", "y"]])).toThrow(code(expected));
  });
});

describe("changeColumn", () => {
  const protocol = { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ["allowColumnDefaults"] };

  it("drops NOT NULL, sets a comment and moves, and keeps the ids", () => {
    const table = mapped();
    const { schema } = changeColumn(table, ["ID"], { nullable: true, comment: "key", position: { after: "s" } });
    expect(schema?.fields.map(({ name }) => name)).toEqual(["day", "s", "id", "l", "m"]);
    expect(schema?.fields[2]).toEqual({
      ...table.schema.fields[0],
      nullable: true,
      metadata: { ...table.schema.fields[0]?.metadata, comment: "key" },
    });
    const back = changeColumn({ ...table, schema: schema ?? SCHEMA }, ["id"], { comment: null, position: "first" });
    expect(back.schema?.fields[0]).toEqual({ ...table.schema.fields[0], nullable: true });
  });

  it("sets and drops a default", () => {
    const table = definition(NULLABLE, {}, { protocol });
    const { schema = NULLABLE } = changeColumn(table, ["day"], { default: "current_date()" });
    expect(schema.fields[0]?.metadata).toEqual({ CURRENT_DEFAULT: "current_date()" });
    expect(changeColumn({ ...table, schema }, ["day"], { default: null }).schema).toEqual(NULLABLE);
  });

  it.each<[string, Definition, string[], object, string]>([
    [
      "a default without the feature",
      definition(SCHEMA),
      ["day"],
      { default: "1" },
      "WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED",
    ],
    [
      "a default of a VARIANT other than NULL",
      definition(struct(field("v", "variant")), {}, { protocol }),
      ["v"],
      { default: "1" },
      "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP",
    ],
    [
      "a default of a field",
      definition(SCHEMA, {}, { protocol }),
      ["s", "x"],
      { default: "1" },
      "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP",
    ],
    [
      "a place behind what is not there",
      definition(SCHEMA),
      ["day"],
      { position: { after: "q" } },
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
    ],
    [
      "a comment on an element",
      definition(SCHEMA),
      ["l", "element"],
      { comment: "c" },
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
    ],
    [
      "a wider type of a column of a constraint",
      definition(SCHEMA, { "delta.enableTypeWidening": "true", "delta.constraints.c": "s.y > 0" }),
      ["s", "y"],
      { type: typeNamed("long") },
      "DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE",
    ],
    [
      "a wider type of an identity column",
      definition(struct(field("i", "integer", { metadata: { "delta.identity.step": 1 } })), {
        "delta.enableTypeWidening": "true",
      }),
      ["i"],
      { type: typeNamed("long") },
      "DELTA_IDENTITY_COLUMNS_ALTER_COLUMN_NOT_SUPPORTED",
    ],
  ])("refuses %s", (_what, table, path, change, expected) => {
    expect(() => changeColumn(table, path, change)).toThrow(code(expected));
  });
});
