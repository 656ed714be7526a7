import { describe, expect, it } from "vitest";
import type { Field } from "../model/data-type.js";
import type { ColumnDefinition } from "../model/definition.js";
import { sqlText } from "../model/position.js";
import { targetSchema } from "./target-schema.js";
import { columns, dataset, tableState, thrown } from "./test-builders.js";

const notNull = (fields: readonly Field[]) => fields.map((f) => ({ ...f, nullable: false }));
const declare = (...of: (ColumnDefinition & { ddl?: string })[]) =>
  of.map(({ ddl, ...column }) => ({ ...column, ...(ddl === undefined ? {} : { type: sqlText(ddl) }) }));
const show = (fields: readonly Field[]) =>
  fields
    .map((f) => `${f.name} ${f.type.kind}${f.nullable ? "" : " NOT NULL"}${f.comment ? ` '${f.comment}'` : ""}`)
    .join(", ");

const table = (columns?: readonly ColumnDefinition[]) =>
  dataset("t", "streaming-table", columns === undefined ? {} : { columns });

describe("targetSchema", () => {
  it("takes the columns of all flows by name; each may be NULL, as Spark makes them", () => {
    const flows = [notNull(columns("id int, name string")), notNull(columns("ID int, note string"))];
    expect(show(targetSchema(table(), flows, undefined))).toBe("id int, name string, note string");
  });

  it("lets elements, values and fields be NULL whatever the query says, as Spark's CREATE TABLE AS does", () => {
    const [int, string] = [{ kind: "int" }, { kind: "string" }] as const;
    const fields = (nullable: boolean): Field[] => [
      { name: "tags", type: { kind: "array", element: string, containsNull: nullable }, nullable: true },
      { name: "m", type: { kind: "map", key: string, value: int, valueContainsNull: nullable }, nullable: true },
      { name: "s", type: { kind: "struct", fields: [{ name: "a", type: int, nullable }] }, nullable: true },
    ];
    expect(targetSchema(table(), [notNull(fields(false))], undefined)).toEqual(fields(true));
  });

  it("keeps the columns of a streaming table and puts new ones behind them", () => {
    const existing = tableState({ schema: columns("id int, old string") });
    expect(show(targetSchema(table(), [columns("new date, id int")], existing))).toBe("id int, old string, new date");
  });

  it("gives a materialized view the columns of its query alone", () => {
    const existing = tableState({ schema: columns("id string, old string") });
    expect(show(targetSchema(dataset("t", "materialized-view"), [columns("id int")], existing))).toBe("id int");
  });

  it("refuses another type of a column, in the table or in a second flow", () => {
    const existing = tableState({ schema: columns("id bigint") });
    const error = thrown(() => targetSchema(table(), [columns("ID int")], existing));
    expect(error).toMatchObject({ code: "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE", sqlState: "42825" });
    expect(error.message).toContain("the column id is bigint in the table and int in the query");
    expect(error.hint).toBe("Cast it: CAST(id AS BIGINT); or start the table again with --full-refresh t.");
    const flows = thrown(() => targetSchema(table(), [columns("id int"), columns("id date")], undefined));
    expect(flows.message).toContain("int in one flow and date in another");
    expect(flows.hint).toBe("Cast it: CAST(id AS INT).");
  });

  it("starts anew where there is no table: a reset may change a type", () => {
    expect(show(targetSchema(table(), [columns("id int")], undefined))).toBe("id int");
  });

  it("takes order, comments and NOT NULL from the declaration, and the types from the query", () => {
    const declared = declare({ name: "B", ddl: "STRING", comment: "note" }, { name: "a", notNull: true });
    expect(show(targetSchema(table(declared), [columns("a int, b string")], undefined))).toBe(
      "B string 'note', a int NOT NULL",
    );
  });

  it.each([
    [declare({ name: "a", ddl: "BIGINT" }), /declared bigint, and the query gives int/],
    [declare({ name: "a" }, { name: "b" }), /the column b is declared, and the query has none/],
    [declare({ name: "a" }, { name: "A" }), /the column A is declared, and the query has none/],
    [declare({ name: "x" }), /the column x is declared, and the query has none/],
  ])("refuses a declaration that is not the query's: %#", (declared, message) => {
    const error = thrown(() => targetSchema(table(declared), [columns("a int")], undefined));
    expect(error).toMatchObject({ code: "USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE", sqlState: "42KD9" });
    expect(error.message).toMatch(message);
  });

  it("refuses a column of the query that is not declared", () => {
    const error = thrown(() => targetSchema(table(declare({ name: "a" })), [columns("a int, b int")], undefined));
    expect(error.message).toContain("the query gives a column b that is not declared");
  });

  it("lets NOT NULL go at any time", () => {
    const existing = tableState({ schema: notNull(columns("a int, old int")) });
    expect(show(targetSchema(table(declare({ name: "a" })), [columns("a int")], existing))).toBe("a int, old int");
  });

  it("refuses a new NOT NULL over rows that may lack a value", () => {
    const declared = table(declare({ name: "a", notNull: true }));
    for (const schema of [columns("a int"), columns("b int")]) {
      const error = thrown(() => targetSchema(declared, [columns("a int")], tableState({ schema })));
      expect(error.message).toContain("the column a is declared NOT NULL, and the table may hold rows without it");
    }
    const kept = tableState({ schema: notNull(columns("a int")) });
    expect(show(targetSchema(declared, [columns("a int")], kept))).toBe("a int NOT NULL");
  });

  it.each(["a int, A int", "a int, a string"])("refuses a query with one name twice: %s", (query) => {
    expect(thrown(() => targetSchema(table(), [columns(query)], undefined)).code).toBe("COLUMN_ALREADY_EXISTS");
  });
});
