import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType } from "../schema/schema.js";
import { field, file, is, table } from "../testing/test-columns.js";
import type { Comparison, Condition, Literal } from "./condition.js";
import { mayMatch, mustMatch } from "./prune.js";
import { formatStats } from "./stats.js";

describe("mayMatch and mustMatch against rows", () => {
  type Row = readonly (bigint | null)[];
  const NAMES = ["a", "b"];
  const of = table(NAMES.map((name) => field(name, "long")));

  /** What the protocol lets a writer say of rows; bounds may be wider than they are. */
  function statsOf(rows: readonly Row[], slack: bigint): string {
    const of = (i: number) => rows.map((row) => row[i] ?? null).filter((value) => value !== null);
    const collect = (pick: (values: readonly bigint[]) => bigint | undefined) =>
      NAMES.flatMap((name, i) => {
        const value = pick(of(i));
        return value === undefined ? [] : [`"${name}":${value}`];
      }).join(",");
    const least = collect((values) =>
      values.reduce<bigint | undefined>((m, v) => (m === undefined || v < m ? v : m), undefined),
    );
    const most = collect((values) =>
      values.reduce<bigint | undefined>((m, v) => (m === undefined || v + slack > m ? v + slack : m), undefined),
    );
    const nulls = collect((values) => BigInt(rows.length - values.length));
    return `{"numRecords":${rows.length},"minValues":{${least}},"maxValues":{${most}},"nullCount":{${nulls}}}`;
  }

  /** Three-valued logic by the book, row by row. */
  function evaluate(condition: Condition, row: Row): boolean | null {
    switch (condition.kind) {
      case "and": {
        const parts = condition.conditions.map((part) => evaluate(part, row));
        return parts.includes(false) ? false : parts.includes(null) ? null : true;
      }
      case "or": {
        const parts = condition.conditions.map((part) => evaluate(part, row));
        return parts.includes(true) ? true : parts.includes(null) ? null : false;
      }
      case "not": {
        const inner = evaluate(condition.condition, row);
        return inner === null ? null : !inner;
      }
      case "unknown":
        return null;
      default: {
        const value = row[NAMES.indexOf(condition.column[0] ?? "")] ?? null;
        if (condition.kind === "isNull") return value === null;
        if (condition.kind === "startsWith") throw new Error("no strings here");
        if (condition.kind === "in") {
          if (condition.values.length === 0) return false;
          if (value === null) return null;
          return condition.values.includes(value) ? true : condition.values.includes(null) ? null : false;
        }
        const { operator, value: given } = condition;
        if (operator === "<=>") return value === given;
        if (value === null || given === null) return null;
        const other = given as bigint;
        return {
          "=": value === other,
          "<": value < other,
          "<=": value <= other,
          ">": value > other,
          ">=": value >= other,
        }[operator];
      }
    }
  }

  const value = fc.oneof(fc.constant(null), fc.bigInt({ min: -3n, max: 3n }));
  const column = fc.constantFrom(...NAMES).map((name) => [name]);
  const operator = fc.constantFrom<Comparison>("=", "<=>", "<", "<=", ">", ">=");
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { depthSize: "small" },
      fc.record({ kind: fc.constant("compare" as const), column, operator, value }),
      fc.record({ kind: fc.constant("in" as const), column, values: fc.array(value, { maxLength: 3 }) }),
      fc.record({ kind: fc.constant("isNull" as const), column }),
      fc.record({
        kind: fc.constantFrom("and" as const, "or" as const),
        conditions: fc.array(tie("condition"), { maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant("not" as const), condition: tie("condition") }),
    ),
  }));
  const rows = fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 4 });

  it("never leaves out a row that matches, nor takes one that does not; deleted rows change nothing", () => {
    let pruned = 0;
    fc.assert(
      fc.property(rows, condition, fc.bigInt({ min: 0n, max: 1n }), (given, tested, slack) => {
        const added = file({ stats: statsOf(given, slack) });
        const results = given.map((row) => evaluate(tested, row));
        const kept = mayMatch(tested, of)(added);
        if (results.includes(true)) expect(kept).toBe(true);
        if (mustMatch(tested, of)(added)) expect(new Set(results)).toEqual(new Set([true]));
        if (!kept) pruned += 1;
      }),
      { numRuns: 2000 },
    );
    expect(pruned).toBeGreaterThan(100);
  });
});

describe("pruning by the statistics that formatStats writes", () => {
  /** A value as a number that orders as it does, as DuckDB prints it, and as a literal. */
  interface Sample {
    readonly order: bigint | number | Buffer;
    readonly text: string;
    readonly literal: Literal;
  }

  const iso = (micros: bigint) => {
    const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
    const rest = micros - seconds * 1_000_000n;
    const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ");
    return `${whole}.${rest.toString().padStart(6, "0")}`;
  };
  const cents = (units: bigint) => {
    const digits = (units < 0n ? -units : units).toString().padStart(3, "0");
    return `${units < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  const near = fc.bigInt({ min: -5n, max: 5n });
  const micros = fc
    .tuple(fc.constantFrom(-62135596800000000n, -1n, 0n, 1_714_557_600_123_456n), fc.bigInt({ min: 0n, max: 3000n }))
    .map(([base, offset]) => base + offset);
  const text = fc.tuple(
    fc.constantFrom("", "x".repeat(31), "\u{10FFFF}".repeat(40)),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const TYPES: [string, DataType, fc.Arbitrary<Sample>][] = [
    [
      "long",
      { kind: "long" },
      near.map((offset) => {
        const value = 9_007_199_254_740_993n + offset;
        return { order: value, text: `${value}`, literal: value };
      }),
    ],
    [
      "decimal(38,2)",
      { kind: "decimal", precision: 38, scale: 2 },
      fc.tuple(fc.constantFrom(0n, 10n ** 35n, -(10n ** 35n)), near).map(([base, offset]) => {
        const value = base + offset;
        return { order: value, text: cents(value), literal: cents(value) };
      }),
    ],
    [
      "double",
      { kind: "double" },
      fc.double().map((value) => ({
        order: value,
        text: Number.isNaN(value) ? "nan" : Object.is(value, -0) ? "-0.0" : String(value).replace("Infinity", "inf"),
        literal: value,
      })),
    ],
    ["string", { kind: "string" }, text.map(([a, b]) => ({ order: Buffer.from(a + b), text: a + b, literal: a + b }))],
    [
      "timestamp",
      { kind: "timestamp" },
      micros.map((value) => ({ order: value, text: `${iso(value)}+00`, literal: iso(value) })),
    ],
    [
      "timestamp_ntz",
      { kind: "timestamp_ntz" },
      micros.map((value) => ({ order: value, text: iso(value), literal: value })),
    ],
    [
      "date",
      { kind: "date" },
      near.map((days) => {
        const day = new Date(Number(days) * 86_400_000).toISOString().slice(0, 10);
        return { order: days, text: day, literal: day };
      }),
    ],
  ];

  const rank = (a: Sample["order"], b: Sample["order"]): number => {
    if (Buffer.isBuffer(a) && Buffer.isBuffer(b)) return Buffer.compare(a, b);
    if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const holds: Record<Comparison, (order: number) => boolean> = {
    "=": (order) => order === 0,
    "<=>": (order) => order === 0,
    "<": (order) => order < 0,
    "<=": (order) => order <= 0,
    ">": (order) => order > 0,
    ">=": (order) => order >= 0,
  };

  it.each(TYPES)("%s: no file with a matching row is left out, and some files are", (_name, type, sample) => {
    const of = table([field("c", type)]);
    let pruned = 0;
    fc.assert(
      fc.property(
        fc.array(fc.option(sample), { minLength: 1, maxLength: 4 }),
        sample,
        fc.constantFrom<Comparison>("=", "<=>", "<", "<=", ">", ">="),
        (rows, { order, literal }, operator) => {
          const present = rows.filter((row) => row !== null).sort((a, b) => rank(a.order, b.order));
          const numbers = present.filter((row) => !Number.isNaN(row.order));
          const column = {
            nullCount: rows.length - present.length,
            hasNan: numbers.length < present.length,
            ...(numbers[0] === undefined ? {} : { min: numbers[0].text, max: numbers.at(-1)?.text ?? "" }),
          };
          const stats = formatStats({ numRecords: rows.length, columns: new Map([['"c"', column]]) }, of.schema);
          const matches = present.map((row) => holds[operator](rank(row.order, order)));
          const kept = mayMatch(is(operator, literal), of)(file({ stats }));
          if (matches.includes(true)) expect(kept).toBe(true);
          const all = mustMatch(is(operator, literal), of)(file({ stats }));
          if (all) expect([matches.length, matches.includes(false)]).toEqual([rows.length, false]);
          if (!kept) pruned += 1;
        },
      ),
      { numRuns: 500 },
    );
    expect(pruned).toBeGreaterThan(20);
  });
});
