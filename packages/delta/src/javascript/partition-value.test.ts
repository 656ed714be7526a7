import { describe, expect, it } from "vitest";
import type { DataType } from "../schema/schema.js";
import { formatPartitionValue, parsePartitionValue } from "./partition-value.js";
import type { Value } from "./value.js";

const decimal: DataType = { kind: "decimal", precision: 20, scale: 3 };

/** The protocol's section "Partition Value Serialization", and what Spark and delta-rs write. */
const VALUES: [DataType | DataType["kind"], string, Value][] = [
  ["string", "a=b/%", "a=b/%"],
  ["byte", "-5", -5],
  ["integer", "+7", 7],
  ["long", "9007199254740993", 9007199254740993n],
  ["float", "1.5", 1.5],
  // The float of the bits 3DCCCCCD.
  ["float", "0.1", 0.10000000149011612],
  ["double", "1.0E10", 1e10],
  ["double", "NaN", Number.NaN],
  ["double", "-Infinity", Number.NEGATIVE_INFINITY],
  [decimal, "12345678901234567.891", "12345678901234567.891"],
  [decimal, "-12.5", "-12.500"],
  [decimal, "0E-3", "0.000"],
  [decimal, "1.2E+3", "1200.000"],
  ["boolean", "true", true],
  ["date", "2024-02-29", "2024-02-29"],
  ["timestamp", "2024-05-01 10:00:00", "2024-05-01T10:00:00.000000Z"],
  ["timestamp", "2024-05-01 10:00:00.123456", "2024-05-01T10:00:00.123456Z"],
  ["timestamp", "2024-05-01T10:00:00.5+02:00", "2024-05-01T08:00:00.500000Z"],
  ["timestamp_ntz", "2024-05-01 10:00:00.000001", "2024-05-01T10:00:00.000001"],
  ["binary", "\u0001\u0002", new Uint8Array([1, 2])],
];

const typeOf = (type: DataType | DataType["kind"]) => (typeof type === "string" ? ({ kind: type } as DataType) : type);

describe("parsePartitionValue", () => {
  it.each(VALUES)("%j: %s", (type, text, value) => {
    expect(parsePartitionValue(typeOf(type), text)).toEqual(value);
  });

  it("takes null and an empty text for NULL", () => {
    for (const text of [null, undefined, ""]) expect(parsePartitionValue({ kind: "string" }, text)).toBeNull();
  });

  it.each([
    ["integer", "1.5"],
    ["boolean", "yes"],
    ["date", "2024-02-30"],
    ["timestamp", "yesterday"],
    ["double", "many"],
    [decimal, "0.0001"],
    ["array", "1"],
  ] as [DataType | "array", string][])("refuses %j: %s", (type, text) => {
    expect(() => parsePartitionValue(typeOf(type as DataType), text)).toThrow(RangeError);
  });
});

describe("formatPartitionValue", () => {
  it.each(VALUES)("gives %j a text with the same value as %s", (type, _text, value) => {
    expect(parsePartitionValue(typeOf(type), formatPartitionValue(typeOf(type), value))).toEqual(value);
  });

  it("writes times as the protocol says", () => {
    expect(formatPartitionValue({ kind: "timestamp" }, "1970-01-01T00:00:00.123456Z")).toBe(
      "1970-01-01T00:00:00.123456Z",
    );
    expect(formatPartitionValue({ kind: "timestamp_ntz" }, "1970-01-01T00:00:00.123456")).toBe(
      "1970-01-01 00:00:00.123456",
    );
  });

  it("refuses bytes that are no text", () => {
    expect(() => formatPartitionValue({ kind: "binary" }, new Uint8Array([0xff]))).toThrow(TypeError);
  });
});
