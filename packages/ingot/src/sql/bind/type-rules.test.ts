import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AtomicName, type DataType, type DecimalType, formatType } from "../../model/data-type.js";
import { averageType, commonType, decimalResult, sumType } from "./type-rules.js";

const decimal = (precision: number, scale: number): DecimalType => ({ kind: "decimal", precision, scale });
const anyDecimal = fc
  .integer({ min: 1, max: 38 })
  .chain((p) => fc.integer({ min: 0, max: p }).map((s) => decimal(p, s)));
const NAMES: AtomicName[] = [
  "boolean",
  "tinyint",
  "int",
  "bigint",
  "float",
  "double",
  "string",
  "date",
  "timestamp",
  "void",
];
const anyType: fc.Arbitrary<DataType> = fc.oneof(
  fc.constantFrom(...NAMES).map((kind) => ({ kind })),
  anyDecimal,
);

describe("decimals", () => {
  // Spark 4.2's results for these operands.
  it.each([
    ["+", decimal(10, 2), decimal(18, 6), "decimal(19,6)"],
    ["*", decimal(10, 2), decimal(18, 6), "decimal(29,8)"],
    ["/", decimal(10, 2), decimal(18, 6), "decimal(35,21)"],
    ["%", decimal(10, 2), decimal(1, 0), "decimal(3,2)"],
    ["/", decimal(25, 2), decimal(25, 3), "decimal(38,12)"],
    ["*", decimal(38, 10), decimal(38, 10), "decimal(38,6)"],
    ["/", decimal(10, 2), decimal(20, 2), "decimal(33,23)"],
  ] as const)("%s", (op, a, b, expected) => {
    expect(formatType(decimalResult(op, a, b).type)).toBe(expected);
  });
  it("sums and averages widen", () => {
    expect([sumType(decimal(10, 2)), averageType(decimal(10, 2)), sumType(decimal(35, 2))].map(formatType)).toEqual([
      "decimal(20,2)",
      "decimal(14,6)",
      "decimal(38,2)",
    ]);
  });
  it("an average keeps its scale beyond 38 digits", () => {
    expect([averageType(decimal(38, 10)), averageType(decimal(38, 18))].map(formatType)).toEqual([
      "decimal(38,14)",
      "decimal(38,22)",
    ]);
  });
  it("no operation leaves 38 digits", () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, fc.constantFrom("+", "-", "*", "/", "%"), (a, b, op) => {
        const { precision, scale } = decimalResult(op as "+", a, b).type;
        return precision <= 38 && scale >= 0 && scale <= precision;
      }),
    );
  });
});

describe("the common type", () => {
  it.each([
    [{ kind: "int" }, { kind: "bigint" }, "bigint"],
    [{ kind: "int" }, { kind: "float" }, "double"],
    [{ kind: "int" }, decimal(2, 1), "decimal(11,1)"],
    [{ kind: "string" }, { kind: "int" }, "bigint"],
    [{ kind: "string" }, decimal(2, 1), "double"],
    [{ kind: "string" }, { kind: "date" }, "date"],
    [{ kind: "date" }, { kind: "timestamp" }, "timestamp"],
  ] as [DataType, DataType, string][])("%s", (a, b, expected) => {
    const common = commonType(a, b);
    expect(common && formatType(common)).toBe(expected);
  });
  it("has no sides, and is common with both", () => {
    const text = (t: DataType | undefined) => t && formatType(t);
    fc.assert(
      fc.property(anyType, anyType, (a, b) => {
        const common = commonType(a, b);
        expect(text(commonType(b, a))).toBe(text(common));
        if (common !== undefined) expect(text(commonType(a, common))).toBe(text(common));
      }),
    );
  });
});
