import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DataType, type Field, formatType } from "../model/data-type.js";
import { IngotError } from "../model/error.js";
import { sqlText } from "../model/position.js";
import { formatDdl, formatDdlType, parseSchema, parseType } from "./ddl-types.js";

function fault(act: () => unknown): [code: string, place: string, hint: string | undefined] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    return [error.code, `${error.at?.line}:${error.at?.column}`, error.hint];
  }
  throw new Error("nothing was refused");
}

describe("parseType", () => {
  it.each([
    ["LONG", "bigint"],
    ["integer", "int"],
    ["Short", "smallint"],
    ["BYTE", "tinyint"],
    ["REAL", "float"],
    ["double", "double"],
    ["TIMESTAMP_LTZ", "timestamp"],
    ["timestamp_ntz", "timestamp_ntz"],
    ["DEC", "decimal(10,0)"],
    ["NUMERIC(5)", "decimal(5,0)"],
    ["DECIMAL(38, 38)", "decimal(38,38)"],
    ["ARRAY<MAP<STRING, ARRAY<INT>>>", "array<map<string,array<int>>>"],
    ["STRUCT<a: INT, `b c` STRING NOT NULL COMMENT 'x'>", "struct<a:int,b c:string>"],
    ["STRUCT<>", "struct<>"],
    ["STRUCT< >", "struct<>"],
    ["VOID", "void"],
  ])("reads %s", (ddl, expected) => {
    expect(formatType(parseType(ddl))).toBe(expected);
  });

  it.each([
    ["DECIMAL(39,2)", "BAD_SCHEMA", "1:1"],
    ["DECIMAL(5,6)", "BAD_SCHEMA", "1:1"],
    ["DECIMAL(0)", "BAD_SCHEMA", "1:1"],
    ["DECIMAL(5,2", "BAD_SCHEMA", "1:12"],
    ["ARRAY<INT", "BAD_SCHEMA", "1:10"],
    ["MAP<INT>", "BAD_SCHEMA", "1:8"],
    ["INT INT", "BAD_SCHEMA", "1:5"],
    ["", "BAD_SCHEMA", "1:1"],
    ["'INT'", "BAD_SCHEMA", "1:1"],
    ["STRUCT<`a: INT>", "BAD_SCHEMA", "1:8"],
    ["STRUCT<a: INT, A: INT>", "COLUMN_ALREADY_EXISTS", "1:16"],
    ["VARCHAR(10)", "NOT_SUPPORTED", "1:1"],
    ["ARRAY<CHAR(3)>", "NOT_SUPPORTED", "1:7"],
    ["INTERVAL YEAR TO MONTH", "NOT_SUPPORTED", "1:1"],
    ["VARIANT", "NOT_SUPPORTED", "1:1"],
    ["STRING COLLATE UTF8_LCASE", "NOT_SUPPORTED", "1:8"],
    ["constructor", "BAD_SCHEMA", "1:1"],
  ])("refuses %s", (ddl, code, place) => {
    expect(fault(() => parseType(ddl)).slice(0, 2)).toEqual([code, place]);
  });

  it("offers the nearest type", () => {
    expect(fault(() => parseType("DECIMLA(5,2)"))[2]).toBe("Did you mean DECIMAL?");
  });

  it("refuses what is nested beyond reason, without running out of stack", () => {
    expect(fault(() => parseType("ARRAY<".repeat(100_000)))[0]).toBe("BAD_SCHEMA");
  });
});

describe("parseSchema", () => {
  it("reads names, types, nullability and comments", () => {
    const ddl =
      "a BIGINT NOT NULL, s STRUCT<x: INT, y: ARRAY<DECIMAL(5,2)>> COMMENT 'it''s', `odd name` MAP<STRING, INT>";
    expect(parseSchema(ddl)).toEqual([
      { name: "a", type: { kind: "bigint" }, nullable: false },
      {
        name: "s",
        type: {
          kind: "struct",
          fields: [
            { name: "x", type: { kind: "int" }, nullable: true },
            {
              name: "y",
              type: { kind: "array", element: { kind: "decimal", precision: 5, scale: 2 }, containsNull: true },
              nullable: true,
            },
          ],
        },
        nullable: true,
        comment: "it's",
      },
      {
        name: "odd name",
        type: { kind: "map", key: { kind: "string" }, value: { kind: "int" }, valueContainsNull: true },
        nullable: true,
      },
    ]);
  });

  it.each([
    ["a INT, A STRING", "COLUMN_ALREADY_EXISTS", "1:8"],
    ["a INT b INT", "BAD_SCHEMA", "1:7"],
    ["a INT,", "BAD_SCHEMA", "1:7"],
    ["a: INT", "BAD_SCHEMA", "1:2"],
    ["a INT COMMENT b", "BAD_SCHEMA", "1:15"],
    ["order-id INT", "INVALID_IDENTIFIER", "1:1"],
    ["a INT, `` INT", "INVALID_IDENTIFIER", "1:8"],
  ])("refuses %s", (ddl, code, place) => {
    expect(fault(() => parseSchema(ddl)).slice(0, 2)).toEqual([code, place]);
  });

  it("gives the place in the file that the text came from", () => {
    const ddl = { ...sqlText("a INT,\nb STRNG"), segments: [{ start: 0, file: "a.sql", line: 7, column: 5 }] };
    expect(fault(() => parseSchema(ddl))).toEqual(["BAD_SCHEMA", "8:3", "Did you mean STRING?"]);
  });
});

const name = fc.oneof(fc.constantFrom("a", "Primary", "odd name", "`", "größe"), fc.string({ minLength: 1 }));
const { type } = fc.letrec<{ type: DataType; fields: Field[] }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<DataType>({ kind: "bigint" }, { kind: "string" }, { kind: "timestamp_ntz" }, { kind: "void" }),
    fc.tuple(fc.integer({ min: 1, max: 38 }), fc.nat(38)).map(([precision, scale]): DataType => {
      return { kind: "decimal", precision, scale: Math.min(scale, precision) };
    }),
    tie("type").map((element): DataType => ({ kind: "array", element, containsNull: true })),
    fc.tuple(tie("type"), tie("type")).map(([key, value]): DataType => {
      return { kind: "map", key, value, valueContainsNull: true };
    }),
    tie("fields").map((fields): DataType => ({ kind: "struct", fields })),
  ),
  fields: fc.uniqueArray(
    fc.tuple(name, tie("type"), fc.boolean(), fc.option(fc.string(), { nil: undefined })).map(([n, t, nullable, c]) => {
      return { name: n, type: t, nullable, ...(c === undefined ? {} : { comment: c }) };
    }),
    { selector: (field) => field.name.toLowerCase(), minLength: 1, maxLength: 4 },
  ),
}));

describe("formatDdl", () => {
  it("writes what is read back", () => {
    fc.assert(
      fc.property(type, (t) => {
        expect(parseType(formatDdlType(t))).toEqual(t);
        if (t.kind === "struct") expect(parseSchema(formatDdl(t.fields))).toEqual(t.fields);
      }),
    );
  });

  it("reads well", () => {
    expect(formatDdl(parseSchema("a long not null comment 'x', `b c` struct<d: dec(5,2)>"))).toBe(
      "a BIGINT NOT NULL COMMENT 'x', `b c` STRUCT<d: DECIMAL(5,2)>",
    );
  });
});
