import { describe, expect, it } from "vitest";
import { api, refusal, untyped } from "./api-fixture.js";

const { sql, ref } = api;

describe("sql", () => {
  it("writes each value as SQL: texts are literals, never identifiers", () => {
    expect(sql`${"it's"} ${"a\\b"} ${""}`.text).toBe("'it\\'s' 'a\\\\b' ''");
    expect(sql`${1} ${-2} ${-0} ${12345678901234567890n} ${true} ${null}`.text).toBe(
      "1 -2 0 12345678901234567890 true NULL",
    );
    expect(sql`x IN (${["a", 1n, [true, null]]})`.text).toBe("x IN ('a', 1, true, NULL)");
    expect(sql`SELECT ${sql`a + ${1}`}`.text).toBe("SELECT a + 1");
  });

  it("names relations completely, with back-ticks where they are needed", () => {
    const orders = api.table("orders", sql`SELECT 1`);
    expect(sql`FROM ${orders} JOIN ${ref("a.`b c`")}`.text).toBe("FROM spark_catalog.default.orders JOIN a.`b c`");
    expect(sql`${orders.col("or`der")}`.text).toBe("`or``der`");
  });

  it("takes the text raw but for the two escapes that a template needs", () => {
    expect(sql`'\d+\n' \`a\` \${b} $c`.text).toBe(`'\\d+\\n' \`a\` \${b} $c`);
  });

  it("never makes a comment of two minus signs", () => {
    expect(sql`SELECT 1 -${-1}`.text).toBe("SELECT 1 - -1");
  });

  it("composes pieces with id, join and raw", () => {
    expect(sql.id("a b", "c`d").text).toBe("`a b`.`c``d`");
    expect(sql.join([1, "x", sql`y`]).text).toBe("1, 'x', y");
    expect(sql.join([sql`a`, sql`b`], sql` AND `).text).toBe("a AND b");
    expect(sql.raw("count(*)").text).toBe("count(*)");
  });

  it.each<[unknown, string, RegExp]>([
    [undefined, "BAD_SQL_VALUE", /ref\("…"\)/],
    [new Date(0), "BAD_SQL_VALUE", /toISOString/],
    [{ a: 1 }, "BAD_SQL_VALUE", /one by one/],
    [[], "BAD_SQL_VALUE", /empty/],
    [[1, undefined], "BAD_SQL_VALUE", /ref/],
    [Promise.resolve(1), "BAD_SQL_VALUE", /Await/],
    [() => 1, "BAD_SQL_VALUE", /relation/],
    [Symbol("s"), "BAD_SQL_VALUE", /relation/],
    [api.expect("x", "y > 0"), "BAD_SQL_VALUE", /expectations/],
    [api.appendFlow({ target: "t", query: sql`SELECT 1` }), "BAD_SQL_VALUE", /flow\.target/],
    [1.5, "INEXACT_NUMBER", /CAST/],
    [2 ** 53, "INEXACT_NUMBER", /bigint/],
    [Number.NaN, "INEXACT_NUMBER", /bigint/],
  ])("refuses %o", (value, code, hint) => {
    const refused = refusal(() => sql`SELECT ${untyped(value)}`);
    expect(refused.code).toBe(code);
    expect(`${refused.message} ${refused.hint}`).toMatch(hint);
  });

  it("refuses a call without a template, and helpers without texts", () => {
    expect(refusal(() => sql(untyped("SELECT 1"))).code).toBe("BAD_SQL_VALUE");
    expect(refusal(() => sql.id()).code).toBe("BAD_SQL_VALUE");
    expect(refusal(() => sql.id("a", "")).code).toBe("BAD_SQL_VALUE");
    expect(refusal(() => sql.raw(untyped(1))).code).toBe("BAD_SQL_VALUE");
    expect(refusal(() => sql.join(["a"], untyped(" AND "))).code).toBe("BAD_SQL_VALUE");
  });

  it("gives frozen values that show only their text", () => {
    const piece = sql`a`;
    expect(Object.isFrozen(piece)).toBe(true);
    expect(piece).toEqual({ text: "a" });
  });
});
