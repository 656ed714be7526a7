import { describe, expect, it } from "vitest";
import type { AddFile } from "../log/actions.js";
import type { DataType, PrimitiveName } from "../schema/schema.js";
import { field, file, is, table } from "../testing/test-columns.js";
import type { Comparison, Condition, Literal } from "./condition.js";
import { mayMatch, mustMatch } from "./prune.js";

/** A file of two rows, neither of them NULL, with the bounds as they stand in the JSON. */
function between(min: string, max: string): AddFile {
  return file({ stats: `{"numRecords":2,"minValues":{"c":${min}},"maxValues":{"c":${max}},"nullCount":{"c":0}}` });
}

const not = (condition: Condition): Condition => ({ kind: "not", condition });
const isNull: Condition = { kind: "isNull", column: ["c"] };

describe("mayMatch by statistics", () => {
  it.each<[operator: Comparison, value: bigint, kept: boolean, all: boolean]>([
    ["=", 4n, false, false],
    ["=", 5n, true, false],
    ["=", 9n, true, false],
    ["=", 10n, false, false],
    ["<", 5n, false, false],
    ["<", 6n, true, false],
    ["<", 10n, true, true],
    ["<=", 4n, false, false],
    ["<=", 5n, true, false],
    ["<=", 9n, true, true],
    [">", 9n, false, false],
    [">", 4n, true, true],
    [">=", 9n, true, false],
    [">=", 5n, true, true],
  ])("5 to 9 %s %i", (operator, value, kept, all) => {
    const of = table([field("c", "long")]);
    expect(mayMatch(is(operator, value), of)(between("5", "9"))).toBe(kept);
    expect(mustMatch(is(operator, value), of)(between("5", "9"))).toBe(all);
    // Without NULLs the opposite holds for the others.
    expect(mustMatch(not(is(operator, value)), of)(between("5", "9"))).toBe(!kept);
    expect(mayMatch(not(is(operator, value)), of)(between("5", "9"))).toBe(!all);
  });

  const decimal = (precision: number, scale: number): DataType => ({ kind: "decimal", precision, scale });

  it.each<
    [title: string, type: DataType | PrimitiveName, min: string, max: string, condition: Condition, kept: boolean]
  >([
    ["longs beyond 2^53", "long", "9007199254740993", "9007199254740993", is("=", 9007199254740992n), false],
    ["longs beyond 2^53", "long", "9007199254740993", "9007199254740993", is("=", 9007199254740993n), true],
    ["decimals of 38 digits", decimal(38, 20), "1.00000000000000000002", "2", is("=", "1.00000000000000000001"), false],
    ["decimals of 38 digits", decimal(38, 20), "1.00000000000000000002", "2", is("=", "1.00000000000000000002"), true],
    ["decimals by exponent", decimal(10, 2), "1E+2", "1.5e2", is("<", "100.00"), false],
    // delta-rs passes 12345678901234567.89 through a double: 12345678901234568.0.
    [
      "decimals rounded up by delta-rs",
      decimal(19, 2),
      "12345678901234568.0",
      "2e17",
      is("=", "12345678901234567.89"),
      true,
    ],
    [
      "decimals rounded down by delta-rs",
      decimal(19, 2),
      "1",
      "12345678901234568.0",
      is("=", "12345678901234568.49"),
      true,
    ],
    ["decimals far from such", decimal(19, 2), "1", "12345678901234568.0", is("=", "12345678901234700.00"), false],
    // Case V41: cut to milliseconds, the row has .123456.
    [
      "timestamps cut",
      "timestamp",
      '"2024-05-01T10:00:00.123Z"',
      '"2024-05-01T10:00:00.123Z"',
      is("=", "2024-05-01T10:00:00.123456Z"),
      true,
    ],
    [
      "timestamps cut",
      "timestamp",
      '"2024-05-01T10:00:00.123Z"',
      '"2024-05-01T10:00:00.123Z"',
      is(">", "2024-05-01 10:00:00.123"),
      true,
    ],
    [
      "timestamps cut",
      "timestamp",
      '"2024-05-01T10:00:00.123Z"',
      '"2024-05-01T10:00:00.123Z"',
      is(">=", "2024-05-01 10:00:00.123400"),
      true,
    ],
    [
      "timestamps cut",
      "timestamp",
      '"2024-05-01T10:00:00.123Z"',
      '"2024-05-01T10:00:00.123Z"',
      is(">", "2024-05-01 10:00:00.124"),
      false,
    ],
    [
      "timestamps with microseconds",
      "timestamp",
      '"2024-05-01T10:00:00.123456Z"',
      '"2024-05-01T10:00:00.123456Z"',
      is(">", "2024-05-01 10:00:00.123456"),
      false,
    ],
    [
      "timestamps with an offset",
      "timestamp",
      '"2024-05-01T10:00:00.000+02:00"',
      '"2024-05-01T10:00:00.000+02:00"',
      is("=", "2024-05-01 08:00:00"),
      true,
    ],
    [
      "timestamps with an offset",
      "timestamp",
      '"2024-05-01T10:00:00.000+02:00"',
      '"2024-05-01T10:00:00.000+02:00"',
      is("=", "2024-05-01 10:00:00"),
      false,
    ],
    [
      "timestamps by microseconds",
      "timestamp_ntz",
      '"1969-12-31T23:59:59.999"',
      '"1969-12-31T23:59:59.999"',
      is("=", -1n),
      true,
    ],
    ["dates", "date", '"2024-02-28"', '"2024-03-01"', is("=", "2024-02-29"), true],
    ["dates", "date", '"2024-02-28"', '"2024-03-01"', is(">", "2024-03-01"), false],
    ["dates by days", "date", '"1970-01-02"', '"1970-01-03"', is("=", 3n), false],
    [
      "dates widened to timestamps",
      "timestamp_ntz",
      '"2024-02-28"',
      '"2024-02-28"',
      is("=", "2024-02-28 00:00:00"),
      true,
    ],
    ["strings beyond U+FFFF", "string", '"\u{1F600}"', '"\u{1F600}"', is(">", "\uFFFD"), true],
    ["strings beyond U+FFFF", "string", '"\u{1F600}"', '"\u{1F600}"', is("<", "\uFFFD"), false],
    ["a maximum with its tie-breaker", "string", '"a"', '"ab\u{10FFFF}"', is("=", "abzzz"), true],
    ["a maximum with its tie-breaker", "string", '"a"', '"ab\u{10FFFF}"', is("=", "ac"), false],
    ["escapes in strings", "string", '"a\\"b"', '"a\\"b"', is("=", 'a"b'), true],
    ["a prefix", "string", '"1000"', '"1999"', { kind: "startsWith", column: ["c"], prefix: "15" }, true],
    ["a prefix", "string", '"1000"', '"1999"', { kind: "startsWith", column: ["c"], prefix: "1" }, true],
    ["a prefix", "string", '"1000"', '"1999"', { kind: "startsWith", column: ["c"], prefix: "2" }, false],
    ["a prefix", "string", '"1000"', '"1999"', not({ kind: "startsWith", column: ["c"], prefix: "1" }), false],
    ["NaN, which no bound tells", "double", "1.0", "2.0", is(">", 5), true],
    ["NaN, which no bound tells", "double", "1.0", "2.0", is("=", Number.NaN), true],
    ["NaN, which no bound tells", "double", "1.0", "2.0", is("<", 0.5), false],
    ["NaN, which no bound tells", "double", "1.0", "2.0", is("=", 5), false],
    ["a NaN as bound, by Spark", "double", "1.0", '"NaN"', is("=", 5), true],
    ["zeros", "double", "0.0", "0.0", is("=", -0), true],
    ["floats between two floats", "float", "1.1", "1.1", is("=", 1.1), true],
    ["floats", "float", "1.1", "1.1", is("=", Math.fround(1.1)), true],
    ["floats", "float", "1.1", "1.1", is("=", 1.5), false],
    ["a list", "long", "5", "9", { kind: "in", column: ["c"], values: [1n, 4n, 10n] }, false],
    ["a list", "long", "5", "9", { kind: "in", column: ["c"], values: [1n, 7n] }, true],
    ["a list with NULL", "long", "5", "9", not({ kind: "in", column: ["c"], values: [1n, null] }), false],
    ["an empty list", "long", "5", "9", { kind: "in", column: ["c"], values: [] }, false],
    ["no NULL", "long", "5", "9", isNull, false],
    ["equal to NULL", "long", "5", "9", is("=", null), false],
    ["not equal to NULL", "long", "5", "9", not(is("=", null)), false],
    ["safe: equal to NULL", "long", "5", "9", is("<=>", null), false],
    ["safe: not equal to NULL", "long", "5", "9", not(is("<=>", null)), true],
  ])("%s: %s from %s to %s", (_title, type, min, max, condition, kept) => {
    expect(mayMatch(condition, table([field("c", type)]))(between(min, max))).toBe(kept);
  });

  it("a float that became a double keeps rows whose digits name another double", () => {
    const changes = [{ fromType: "float", toType: "double" }];
    const of = table([field("c", "double", { "delta.typeChanges": changes })]);
    expect(mayMatch(is("=", Math.fround(1.1)), of)(between("1.1", "1.1"))).toBe(true);
    expect(mayMatch(is("=", 1.2), of)(between("1.1", "1.1"))).toBe(false);
  });

  it("NULLs are neither equal nor unequal", () => {
    const of = table([field("c", "long")]);
    const some = file({ stats: '{"numRecords":3,"minValues":{"c":5},"maxValues":{"c":5},"nullCount":{"c":1}}' });
    expect(mayMatch(not(is("=", 5n)), of)(some)).toBe(false);
    expect(mustMatch(is("=", 5n), of)(some)).toBe(false);
    expect(mayMatch(not(is("<=>", 5n)), of)(some)).toBe(true);
    const all = file({ stats: '{"numRecords":3,"minValues":{},"maxValues":{},"nullCount":{"c":3}}' });
    expect(mayMatch(is(">=", 0n), of)(all)).toBe(false);
    expect(mayMatch(not(is(">=", 0n)), of)(all)).toBe(false);
    expect(mustMatch(isNull, of)(all)).toBe(true);
  });

  // Protocol: with wide bounds only "no NULL" and "all NULL" say something, and the bounds hold all that is left.
  it("wide bounds count, other numbers of NULLs do not", () => {
    const of = table([field("c", "long")]);
    const stats = (nulls: number) =>
      `{"numRecords":3,"tightBounds":false,"minValues":{"c":5},"maxValues":{"c":6},"nullCount":{"c":${nulls}}}`;
    const masked = (nulls: number) => file({ stats: stats(nulls) });
    expect(mayMatch(is("=", 7n), of)(masked(1))).toBe(false);
    expect([mayMatch(isNull, of)(masked(1)), mayMatch(not(isNull), of)(masked(1))]).toEqual([true, true]);
    expect([mayMatch(isNull, of)(masked(0)), mayMatch(not(isNull), of)(masked(3))]).toEqual([false, false]);
    expect(mustMatch(is("<", 7n), of)(masked(0))).toBe(true);
  });

  it.each([
    undefined,
    "",
    "{",
    "{}",
    '{"numRecords":1}',
    '{"numRecords":1,"minValues":{"d":1},"maxValues":{"d":2},"nullCount":{"d":0}}',
    '{"numRecords":1,"minValues":{"c":"x"},"maxValues":{"c":[1]},"nullCount":{"c":-1}}',
    '{"numRecords":1,"minValues":null,"maxValues":null,"nullCount":null}',
  ])("statistics that do not tell keep the file: %s", (stats) => {
    const of = table([field("c", "long")]);
    const given = stats === undefined ? file({}) : file({ stats });
    for (const condition of [is("=", 7n), not(is("=", 7n)), isNull, not(isNull)])
      expect([mayMatch(condition, of)(given), mustMatch(condition, of)(given)]).toEqual([true, false]);
  });

  it("a part that is unknown weighs as NULL, true and false do", () => {
    const of = table([field("c", "long")]);
    const unknown: Condition = { kind: "unknown" };
    const nine = between("9", "9");
    expect(mayMatch({ kind: "and", conditions: [unknown, is("=", 7n)] }, of)(nine)).toBe(false);
    expect(mayMatch({ kind: "or", conditions: [unknown, is("=", 7n)] }, of)(nine)).toBe(true);
    expect(mayMatch(not({ kind: "or", conditions: [unknown, is("=", 9n)] }), of)(nine)).toBe(false);
    expect(mustMatch({ kind: "or", conditions: [unknown, is("=", 9n)] }, of)(nine)).toBe(true);
  });

  it("finds columns within structs and under physical names", () => {
    const id = { "delta.columnMapping.physicalName": "col-1", "delta.columnMapping.id": 1 };
    const inner = field("b", "long", { ...id, "delta.columnMapping.physicalName": "col-2" });
    const of = table([field("a", { kind: "struct", fields: [inner] }, id)], [], { "delta.columnMapping.mode": "name" });
    const given = file({
      stats:
        '{"numRecords":1,"minValues":{"col-1":{"col-2":9007199254740993}},"maxValues":{"col-1":{"col-2":9007199254740993}}}',
    });
    const condition = (value: bigint): Condition => ({ kind: "compare", column: ["A", "b"], operator: "=", value });
    expect(mayMatch(condition(9007199254740993n), of)(given)).toBe(true);
    expect(mayMatch(condition(9007199254740992n), of)(given)).toBe(false);
  });

  it("refuses columns that are not there and values of another type", () => {
    const of = table([field("c", "long")]);
    expect(() => mayMatch({ kind: "isNull", column: ["x"] }, of)).toThrow(
      expect.objectContaining({ code: "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", table: "/t" }),
    );
    expect(() => mayMatch(is("=", "5"), of)).toThrow(TypeError);
    expect(() => mayMatch(is("=", 5.5), of)).toThrow(TypeError);
  });
});

describe("mayMatch by partition values", () => {
  const of = (type: DataType | PrimitiveName) => table([field("c", type), field("d", "long")], ["c"]);
  const at = (value: string | null) => file({ partitionValues: { c: value } });

  it.each<[type: DataType | PrimitiveName, text: string, equal: Literal, other: Literal]>([
    ["byte", "-5", -5n, 5n],
    ["short", "5", 5, 6],
    ["integer", "2147483647", 2147483647n, 0n],
    ["long", "9007199254740993", 9007199254740993n, 9007199254740992n],
    ["float", "1.5", 1.5, 2.5],
    ["double", "Infinity", Number.POSITIVE_INFINITY, 1e308],
    ["double", "NaN", Number.NaN, 1],
    [{ kind: "decimal", precision: 38, scale: 2 }, "0.10", "0.1", "0.11"],
    ["boolean", "true", true, false],
    ["date", "2024-02-29", "2024-02-29", "2024-03-01"],
    ["timestamp", "2024-02-29 10:00:00.123456", "2024-02-29T10:00:00.123456Z", "2024-02-29 10:00:00.123457"],
    ["timestamp", "2024-02-29T10:00:00.123456Z", "2024-02-29 10:00:00.123456", "2024-02-29 10:00:00.123"],
    ["timestamp_ntz", "2024-02-29 10:00:00", "2024-02-29 10:00:00", "2024-02-29 10:00:01"],
    ["binary", "a\u0001", new Uint8Array([97, 1]), new Uint8Array([97, 2])],
    ["string", "%41", "%41", "A"],
  ])("%s %s", (type, text, equal, other) => {
    expect([mayMatch(is("=", equal), of(type))(at(text)), mustMatch(is("=", equal), of(type))(at(text))]).toEqual([
      true,
      true,
    ]);
    expect([mayMatch(is("=", other), of(type))(at(text)), mustMatch(not(is("=", other)), of(type))(at(text))]).toEqual([
      false,
      true,
    ]);
    expect(mayMatch(isNull, of(type))(at(text))).toBe(false);
  });

  it("null and the empty text are NULL, whatever the type; a value that is missing is unknown", () => {
    for (const value of [null, ""])
      expect([mustMatch(isNull, of("string"))(at(value)), mayMatch(is("=", ""), of("string"))(at(value))]).toEqual([
        true,
        false,
      ]);
    expect([mustMatch(isNull, of("string"))(file({})), mayMatch(is("=", "a"), of("string"))(file({}))]).toEqual([
      false,
      true,
    ]);
  });
});
