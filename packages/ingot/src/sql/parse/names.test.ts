import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failure, item, parse, select, show } from "./test-tree.js";

/** Spark reserves no word: all these are names there, by its own parser. */
const NAMES =
  "order group end limit offset left right full window values table first last date timestamp interval filter row rows user key by asc desc partition current minus trim case exists stream year version".split(
    " ",
  );

describe("words without back-ticks", () => {
  it.each(NAMES)("%s is a column and an alias", (name) => {
    expect(item(`${name} FROM t`)).toBe(name);
    expect(item(`${name}.a, 1`)).toBe(`${name}.a`);
    expect(item(`t.${name} + ${name}`)).toBe(`(t.${name} + ${name})`);
    expect(select(`SELECT a AS ${name}, b ${name} FROM t`).items).toMatchObject([{ alias: name }, { alias: name }]);
  });
  it.each(["order", "end", "limit", "window", "date", "between"])("%s is a table and its alias", (name) => {
    expect(select(`SELECT a FROM ${name}, s.${name} AS ${name}, t ${name}`).from).toMatchObject({
      left: { left: { relation: { name: [name] } }, right: { relation: { name: ["s", name] }, alias: name } },
      right: { alias: name },
    });
  });
  it("begins a clause where it can", () => {
    expect(parse("SELECT a FROM t ORDER BY limit LIMIT 1")).toMatchObject({
      body: { from: { columns: [] } },
      orderBy: [{ expression: { path: ["limit"] } }],
      limit: { value: "1" },
    });
    expect(select("SELECT DIV FROM t WHERE a DIV b")).toMatchObject({
      items: [{ expression: { path: ["DIV"] } }],
      where: { op: "DIV" },
    });
  });
  // Spark reads each of these, but otherwise than they look: `t` AS `where` (a), the column `from` AS t, ….
  it.each([
    ["SELECT a FROM t WHERE (a)", "UNSUPPORTED_CLAUSE 1:17"],
    ["SELECT a FROM t WHERE (a) GROUP BY a", "UNSUPPORTED_CLAUSE 1:17"],
    ["SELECT a FROM (SELECT 1) LIMIT (a)", "UNSUPPORTED_CLAUSE 1:26"],
    ["SELECT a IN (VALUES (1))", "UNSUPPORTED_CLAUSE 1:13"],
    ["SELECT a IN (SELECT -1)", "UNSUPPORTED_CLAUSE 1:13"],
    ["SELECT a, FROM t", "PARSE_SYNTAX_ERROR 1:11"],
    ["SELECT NOT FROM t", "PARSE_SYNTAX_ERROR 1:12"],
    ["SELECT a FROM FROM t", "PARSE_SYNTAX_ERROR 1:15"],
    ["SELECT a = NOT b", "PARSE_SYNTAX_ERROR 1:12"],
    ["SELECT a DIV FROM t", "PARSE_SYNTAX_ERROR 1:14"],
    ["SELECT * FROM stream AS x", "PARSE_SYNTAX_ERROR 1:22"],
    ["SELECT * FROM STREAM t CHANGES", "UNSUPPORTED_CLAUSE 1:24"],
  ])("%s is refused", (text, error) => {
    expect(failure(text)).toBe(error);
  });
  it.each([
    ["t x WHERE (a)", "a"],
    ["t WHERE (a) AND b", "(a AND b)"],
    ["t JOIN u ON c WHERE (a)", "a"],
  ])("… but not FROM %s", (from, condition) => {
    const { where } = select(`SELECT a FROM ${from}`);
    expect(where && show(where)).toBe(condition);
  });
});

describe("hostile text", () => {
  const WORDS =
    "a b t 1 'x' `q` , . ( ) ( ) * + - = < > || :: [ ] ! ? : ; -> => |> AND OR NOT IS NULL IN BETWEEN LIKE CASE WHEN THEN ELSE END CAST AS INT FROM WHERE GROUP BY HAVING ORDER LIMIT SELECT DISTINCT ALL JOIN LEFT NATURAL ON USING UNION EXCEPT VALUES WITH EXISTS OVER PARTITION ROWS STREAM VERSION OF trim extract read_files".split(
      " ",
    );
  it("raises nothing but errors with a place and a next step", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }), (tokens) => {
        const text = `SELECT ${tokens.join(" ")}`;
        try {
          parse(text);
        } catch {
          expect(failure(text)).toMatch(/^[A-Z_.]+ \d+:\d+$/);
        }
      }),
      { numRuns: 3000 },
    );
  });
  it("may be any characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        try {
          parse(text);
        } catch {
          expect(failure(text)).toMatch(/^[A-Z_.]+ \d+:\d+$/);
        }
      }),
    );
  });
  const deep = (open: string, middle: string, close: string) =>
    `SELECT ${open.repeat(100_000)}${middle}${close.repeat(100_000)}`;
  it.each([
    ["parentheses", deep("(", "1", ")")],
    ["subqueries", deep("(SELECT ", "1", ")")],
    ["calls", deep("f(", "1", ")")],
    ["CASE", deep("CASE WHEN a THEN ", "1", " END")],
    ["NOT", deep("NOT ", "a", "")],
    ["signs", deep("- ", "(1)", "")],
    ["subscripts", deep("a[", "1", "]")],
    ["a chain of +", deep("", "1", " + 1")],
    ["a chain of casts", deep("", "1", "::INT")],
    ["FROM", `SELECT * FROM ${"(".repeat(100_000)}`],
    ["open parentheses", `SELECT ${"(".repeat(100_000)}`],
    ["UNION", `SELECT 1 ${"UNION SELECT 1 ".repeat(100_000)}`],
  ])("is not too deep for the stack: %s", (_, text) => {
    expect(failure(text)).toMatch(/^(UNSUPPORTED_CLAUSE|PARSE_SYNTAX_ERROR) 1:/);
  });
  it("a long chain of AND is not deep", () => {
    expect(select(`SELECT ${"a AND ".repeat(10_000)}a`).items).toHaveLength(1);
  });
});
