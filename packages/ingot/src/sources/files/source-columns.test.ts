import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchFile, CSV_DEFAULTS, columns } from "../../graph/test-builders.js";
import type { BatchFile } from "../../model/batch.js";
import { type Field, formatType } from "../../model/data-type.js";
import type { CsvRead, ParquetRead } from "../../model/file-read.js";
import { parseSchema } from "../../sql/ddl-types.js";
import { sourceColumns } from "./source-columns.js";

const csv = (more: Partial<CsvRead> = {}): CsvRead => ({
  ...CSV_DEFAULTS,
  path: "in",
  format: "csv",
  header: true,
  schemaEvolutionMode: "addNewColumns",
  ...more,
});
const parquet = (more: Partial<ParquetRead> = {}): ParquetRead => ({ ...csv(), format: "parquet", ...more });
const file = (header: string, more: Partial<BatchFile> = {}) =>
  batchFile(`${header}.csv`, {
    fields: header === "" ? [] : header.split(",").map((name) => ({ name, type: { kind: "string" }, nullable: true })),
    ...more,
  });
const typed = (ddl: string, more: Partial<BatchFile> = {}) =>
  batchFile(`${ddl}.parquet`, { fields: parseSchema(ddl), ...more });
const text = (fields: readonly Field[]) => fields.map((f) => `${f.name} ${formatType(f.type)}`).join(", ");

describe("sourceColumns", () => {
  it("takes the names of all first files, each once, in order", () => {
    const { columns: found, notices } = sourceColumns(csv(), undefined, [file("BUYER,PLANT"), file("plant,BUYER,X")]);
    expect(text(found)).toBe("BUYER string, PLANT string, X string");
    expect(notices).toEqual([]);
  });

  it("adds what is new behind what was there, and keeps what is gone", () => {
    const { columns: found, notices } = sourceColumns(csv(), columns("a string, b string"), [file("c,a"), file("a,c")]);
    expect(text(found)).toBe("a string, b string, c string");
    expect(notices).toMatchObject([
      { kind: "new-column", column: "c", files: 1, path: "/p/landing/c,a.csv" },
      { kind: "absent", column: "b", files: 2 },
    ]);
  });

  it("keeps the columns where no file is new", () => {
    expect(sourceColumns(csv(), columns("a string"), [])).toEqual({
      columns: columns("a string"),
      found: [],
      notices: [],
    });
  });

  it.each([
    ["none", "a string", "is not read"],
    ["rescue", "a string, r string", "goes to r"],
  ] as const)("%s takes no new column", (schemaEvolutionMode, want, detail) => {
    const rescued = schemaEvolutionMode === "rescue" ? { rescuedDataColumn: "r" } : {};
    const { columns: found, notices } = sourceColumns(csv({ schemaEvolutionMode, ...rescued }), columns("a string"), [
      file("a,b"),
    ]);
    expect(text(found)).toBe(want);
    expect(notices).toMatchObject([{ kind: "not-read", column: "b", detail: expect.stringContaining(detail) }]);
  });

  it("failOnNewColumns stops, with the file and the column", () => {
    const read = csv({ schemaEvolutionMode: "failOnNewColumns" });
    expect(sourceColumns(read, undefined, [file("a")]).fault).toBeUndefined();
    const { fault } = sourceColumns(read, columns("a string"), [file("a,b")]);
    expect(fault).toMatchObject({
      code: "UNKNOWN_FIELD_EXCEPTION",
      message: expect.stringContaining("a,b.csv has a column that was not there before: b"),
    });
  });

  it("hints give types, and columns that no file has", () => {
    const read = csv({ schemaHints: parseSchema("B INT, z DATE") });
    const { columns: all, found } = sourceColumns(read, undefined, [file("a,b")]);
    expect(text(all)).toBe("a string, B int, z date");
    expect(found).toEqual(["a"]);
  });

  it("adds folders' keys, rescued data and corrupt records, and refuses a field with their name", () => {
    const read = csv({ rescuedDataColumn: "_rescued", corruptRecordColumn: "_bad" });
    const below = { partition: { day: "1" } };
    expect(text(sourceColumns(read, undefined, [file("a", below)]).columns)).toBe(
      "a string, day string, _rescued string, _bad string",
    );
    for (const name of ["DAY", "_bad"]) {
      expect(sourceColumns(read, undefined, [file(`a,${name}`, below)]).fault).toMatchObject({
        code: "COLUMN_ALREADY_EXISTS",
      });
    }
  });

  it("case V20: keeps both columns whose names clean to one, and tells it with the originals", () => {
    const { columns: found, notices } = sourceColumns(csv({ cleanColumnNames: true }), undefined, [
      file("id,am!t,am%t"),
    ]);
    expect(new Set(found.map((f) => f.name)).size).toBe(3);
    expect(found.map((f) => f.comment)).toEqual([
      undefined,
      "am!t (field 2 of the file)",
      "am%t (field 3 of the file)",
    ]);
    expect(notices).toMatchObject([{ kind: "told-apart", detail: expect.stringContaining('"am%t" is am_t_') }]);
  });

  it("says that no columns are known where no file is there", () => {
    expect(sourceColumns(csv(), undefined, []).fault).toMatchObject({
      code: "UNABLE_TO_INFER_SCHEMA",
      hint: expect.stringContaining("schema =>"),
    });
  });

  it("the same files give the same columns, in one batch or one by one", () => {
    const header = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(header, { minLength: 1 }), (headers) => {
        const files = headers.map((names) => file(names.join(",")));
        const oneByOne = files.reduce<readonly Field[] | undefined>(
          (known, f) => sourceColumns(csv(), known, [f]).columns,
          undefined,
        );
        expect(sourceColumns(csv(), undefined, files).columns).toEqual(oneByOne);
      }),
    );
  });
});

describe("types that files bring", () => {
  it("first files together make a type that holds all: wider, else text", () => {
    const files = [typed("a INT, b DECIMAL(5,2), c FLOAT, d DATE"), typed("a BIGINT, b DECIMAL(7,3), c DOUBLE, d INT")];
    const { columns: found, notices } = sourceColumns(parquet(), undefined, files);
    expect(text(found)).toBe("a bigint, b decimal(7,3), c double, d string");
    expect(notices).toMatchObject([{ kind: "as-text", column: "d" }]);
  });

  it("a column keeps its type: narrower fits, other values are rescued or refused", () => {
    const known = columns("a bigint, s string");
    expect(text(sourceColumns(parquet(), known, [typed("a INT, s STRING")]).columns)).toBe("a bigint, s string");
    expect(sourceColumns(parquet(), known, [typed("a INT, s INT")]).notices).toMatchObject([
      { kind: "as-text", column: "s" },
    ]);
    expect(sourceColumns(parquet(), known, [typed("a STRING")]).fault).toMatchObject({
      code: "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
    });
    const rescuing = sourceColumns(parquet({ rescuedDataColumn: "r" }), known, [typed("a STRING, s STRING")]);
    expect(rescuing.fault).toBeUndefined();
    expect(rescuing.notices).toMatchObject([{ kind: "as-text", column: "a", detail: expect.stringContaining("r.") }]);
  });

  it("nested types must be the same", () => {
    const files = [typed("a STRUCT<x: INT>"), typed("a STRUCT<x: BIGINT>")];
    expect(sourceColumns(parquet(), undefined, files).fault).toMatchObject({
      code: "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
    });
  });
});
