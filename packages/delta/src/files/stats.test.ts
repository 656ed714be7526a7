import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType, PrimitiveName, StructType } from "../schema/schema.js";
import { lowerBound, upperBound } from "./bounds.js";
import { type ColumnStats, formatStats, numRecords } from "./stats.js";

function struct(...columns: [name: string, type: DataType | PrimitiveName][]): StructType {
  return {
    kind: "struct",
    fields: columns.map(([name, type]) => ({
      name,
      type: typeof type === "string" ? { kind: type } : type,
      nullable: true,
      metadata: {},
    })),
  };
}

function columns(entries: Record<string, ColumnStats>): Map<string, ColumnStats> {
  return new Map(Object.entries(entries));
}

describe("formatStats", () => {
  // Minima and maxima as DuckDB 1.5 returned them for such columns.
  it("keeps digits, follows structs, and leaves out what has no bounds", () => {
    const schema = struct(
      ["id", "long"],
      ["amount", { kind: "decimal", precision: 38, scale: 20 }],
      ["ok", "boolean"],
      ["raw", "binary"],
      ["list", { kind: "array", element: { kind: "integer" }, containsNull: true }],
      ["st", struct(["b", "integer"], ['c d"e', struct(["x", "date"])])],
      ["nan", "float"],
    );
    const stats = {
      numRecords: 2,
      columns: columns({
        '"id"': { min: "-5", max: "9007199254740993", nullCount: 0 },
        '"amount"': { min: "0.05000000000000000000", max: "1.00000000000000000000", nullCount: 0 },
        '"ok"': { min: "0", max: "1", nullCount: 0 },
        '"raw"': { min: "01", max: "01", nullCount: 1 },
        '"list"."element"': { min: "1", max: "2", nullCount: 1 },
        '"st"."b"': { min: "1", max: "1", nullCount: 1 },
        '"st"."c d""e"."x"': { min: "1969-12-31", max: "2024-02-29", nullCount: 1 },
        '"nan"': { min: "1.0", max: "1.0", nullCount: 0, hasNan: true },
      }),
    };
    expect(formatStats(stats, schema)).toBe(
      '{"numRecords":2,' +
        '"minValues":{"id":-5,"amount":0.05000000000000000000,"st":{"b":1,"c d\\"e":{"x":"1969-12-31"}}},' +
        '"maxValues":{"id":9007199254740993,"amount":1.00000000000000000000,"st":{"b":1,"c d\\"e":{"x":"2024-02-29"}}},' +
        '"nullCount":{"id":0,"amount":0,"ok":0,"raw":1,"st":{"b":1,"c d\\"e":{"x":1}},"nan":0}}',
    );
  });

  it("counts leaf columns to the limit, without partition columns", () => {
    const schema = struct(["p", "string"], ["s", struct(["a", "integer"], ["b", "integer"])], ["c", "integer"]);
    const stats = {
      numRecords: 1,
      columns: columns({
        '"p"': { nullCount: 0 },
        '"s"."a"': { nullCount: 0 },
        '"s"."b"': { nullCount: 1 },
        '"c"': { nullCount: 0 },
      }),
    };
    const counted = (limit?: string): unknown =>
      JSON.parse(
        formatStats(stats, schema, {
          partitionColumns: ["p"],
          configuration: limit === undefined ? {} : { "delta.dataSkippingNumIndexedCols": limit },
        }),
      ).nullCount;
    expect(counted()).toEqual({ s: { a: 0, b: 1 }, c: 0 });
    expect(counted("2")).toEqual({ s: { a: 0, b: 1 } });
    expect(counted("0")).toEqual({});
    expect(counted("-1")).toEqual({ s: { a: 0, b: 1 }, c: 0 });
  });

  it("counts the first 32 columns unless told otherwise", () => {
    const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const stats = formatStats(
      { numRecords: 1, columns: new Map(names.map((name) => [`"${name}"`, { min: "1", max: "1" }])) },
      struct(...names.map((name): [string, PrimitiveName] => [name, "integer"])),
    );
    expect(Object.keys(JSON.parse(stats).maxValues)).toEqual(names.slice(0, 32));
  });
});

describe("which columns have statistics", () => {
  const schema = struct(["a", "integer"], ["s", struct(["b", "integer"], ["c.d", "integer"])], ["e", "integer"]);
  const stats = {
    numRecords: 1,
    columns: new Map(['"a"', '"s"."b"', '"s"."c.d"', '"e"'].map((path) => [path, { nullCount: 0 }])),
  };
  // As Spark's StatisticsCollection: the list wins over the number, a struct means all within it, case does not count.
  it.each<[list: string, counted: unknown]>([
    ["e,A", { a: 0, e: 0 }],
    ["s", { s: { b: 0, "c.d": 0 } }],
    ["s.`c.d`, nowhere", { s: { "c.d": 0 } }],
    ["", {}],
  ])("delta.dataSkippingStatsColumns = '%s'", (list, counted) => {
    const configuration = { "delta.dataSkippingStatsColumns": list, "delta.dataSkippingNumIndexedCols": "1" };
    expect(JSON.parse(formatStats(stats, schema, { configuration })).nullCount).toEqual(counted);
  });

  it("a list names columns as users know them, statistics as files do", () => {
    const physical = struct(["col-1", "integer"], ["col-2", struct(["col-3", "integer"], ["col-4", "integer"])]);
    const logical = struct(["a", "integer"], ["s", struct(["b", "integer"], ["c", "integer"])]);
    const columns = new Map(['"col-1"', '"col-2"."col-3"', '"col-2"."col-4"'].map((path) => [path, { nullCount: 0 }]));
    const configuration = { "delta.dataSkippingStatsColumns": "s.c" };
    expect(JSON.parse(formatStats({ numRecords: 1, columns }, physical, { configuration, logical })).nullCount).toEqual(
      { "col-2": { "col-4": 0 } },
    );
  });

  it("bounds are said to be tight where deletion vectors may come", () => {
    const tight = (value: string) =>
      JSON.parse(formatStats(stats, schema, { configuration: { "delta.enableDeletionVectors": value } })).tightBounds;
    expect([tight("true"), tight("false")]).toEqual([true, undefined]);
  });
});

describe("bounds", () => {
  it.each<[kind: PrimitiveName, text: string, lower: string | undefined, upper: string | undefined]>([
    ["timestamp", "2024-05-01 10:00:00.123456+00", "2024-05-01T10:00:00.123Z", "2024-05-01T10:00:00.124Z"],
    ["timestamp", "2024-05-01 10:00:00.123+00", "2024-05-01T10:00:00.123Z", "2024-05-01T10:00:00.123Z"],
    ["timestamp", "1969-12-31 23:59:59.999999+00", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z"],
    ["timestamp", "9999-12-31 23:59:59.999999+00", "9999-12-31T23:59:59.999Z", undefined],
    ["timestamp", "2024-05-01 10:00:00+02", undefined, undefined],
    ["timestamp", "10000-01-01 00:00:00+00", undefined, undefined],
    ["timestamp_ntz", "2021-11-18 02:30:00.123456", "2021-11-18T02:30:00.123", "2021-11-18T02:30:00.124"],
    ["date", "0044-03-15 (BC)", undefined, undefined],
  ])("%s %s lies within [%s, %s]", (kind, text, lower, upper) => {
    expect(lowerBound({ kind }, text)).toBe(lower === undefined ? undefined : JSON.stringify(lower));
    expect(upperBound({ kind }, text)).toBe(upper === undefined ? undefined : JSON.stringify(upper));
  });

  it.each(["inf", "-inf", "nan", ".5", "01", "1.", "0x1"])("leaves out %s, which is no JSON number", (text) => {
    expect(upperBound({ kind: "double" }, text)).toBeUndefined();
  });

  it("leaves out the upper bound where no character is greater than the next one", () => {
    const longest = "\u{10FFFF}".repeat(40);
    expect(upperBound({ kind: "string" }, longest)).toBeUndefined();
    expect(lowerBound({ kind: "string" }, longest)).toBe(JSON.stringify("\u{10FFFF}".repeat(32)));
  });

  it("bounds every string by at most 33 characters, in the order of UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 20, maxLength: 60 }), (text) => {
        const bytes = Buffer.from(text);
        const lower = JSON.parse(lowerBound({ kind: "string" }, text) ?? "");
        const upper = JSON.parse(upperBound({ kind: "string" }, text) ?? JSON.stringify(text));
        expect(Buffer.compare(Buffer.from(lower), bytes)).toBeLessThanOrEqual(0);
        expect(Buffer.compare(Buffer.from(upper), bytes)).toBeGreaterThanOrEqual(0);
        expect([...lower].length).toBeLessThanOrEqual(32);
      }),
    );
  });
});

describe("numRecords", () => {
  it("is undefined where the statistics do not tell", () => {
    expect(numRecords('{"numRecords":3,"maxValues":{"x":123456789012345678.9}}')).toBe(3);
    expect(numRecords('{ "minValues": {"numRecords": 7}, "numRecords": 12 }')).toBe(12);
    expect(numRecords('{"minValues":{"numRecords":7}}')).toBeUndefined();
    expect(numRecords('{"minValues":{}}')).toBeUndefined();
    expect(numRecords(undefined)).toBeUndefined();
  });
});
