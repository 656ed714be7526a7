import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { item } from "./test-tree.js";

/** Precedence and grouping as in `SqlBaseParser.g4`: OR, AND, NOT, predicate or comparison, ||+-, *\/%DIV, sign. */
interface Tree {
  readonly level: number;
  /** Parts of the text; an operand may be taken bare from its level on. */
  readonly parts: readonly (string | { readonly tree: Tree; readonly bare: number })[];
}

const leaf = fc.constantFrom("a", "b", "t.c", "1", "'x'", "f(d)").map((text): Tree => ({ level: 9, parts: [text] }));

const OPERATORS = [
  ["OR", 0],
  ["AND", 1],
  ["=", 4],
  ["<=>", 4],
  ["<", 4],
  ["||", 5],
  ["+", 5],
  ["-", 5],
  ["*", 6],
  ["/", 6],
  ["%", 6],
  ["DIV", 6],
] as const;

const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const operand = tie("tree");
  const binary = fc.tuple(fc.constantFrom(...OPERATORS), operand, operand).map(([[op, level], left, right]): Tree => {
    // Chains of AND and OR have a shape of their own, tested below.
    const isLogic = op === "AND" || op === "OR";
    return {
      level,
      parts: [{ tree: left, bare: isLogic ? level + 1 : level }, ` ${op} `, { tree: right, bare: level + 1 }],
    };
  });
  const not = operand.map((t): Tree => ({ level: 2, parts: ["NOT ", { tree: t, bare: 2 }] }));
  const predicate = fc
    .tuple(fc.constantFrom(" IS NULL", " IN (1, 2)", " LIKE 'x'", " BETWEEN 1 AND 2", " NOT IN (1)"), operand)
    .map(([text, t]): Tree => ({ level: 3, parts: [{ tree: t, bare: 4 }, text] }));
  const sign = operand.map((t): Tree => ({ level: 7, parts: ["- ", { tree: t, bare: 7 }] }));
  return { tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, binary, not, predicate, sign) };
});

function print({ parts }: Tree, keepsBare: (level: number, bare: number) => boolean): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return part;
      const text = print(part.tree, keepsBare);
      return keepsBare(part.tree.level, part.bare) ? text : `(${text})`;
    })
    .join("");
}

describe("precedence", () => {
  it("needs no parentheses where Spark needs none", () => {
    fc.assert(
      fc.property(tree, (t) => {
        const minimal = print(t, (level, bare) => level >= bare);
        const full = print(t, (level) => level === 9);
        expect(item(minimal)).toBe(item(full));
      }),
      { numRuns: 500 },
    );
  });
  // The names that Spark 4.2 gives to such columns.
  it.each([
    ["a AND b AND c", "((a AND b) AND c)"],
    ["a AND b AND c AND d", "((a AND b) AND (c AND d))"],
    ["a AND b AND c AND d AND e", "(((a AND b) AND c) AND (d AND e))"],
    ["a OR b OR c OR d OR e OR f", "(((a OR b) OR c) OR ((d OR e) OR f))"],
  ])("balances %s", (text, tree) => {
    expect(item(text)).toBe(tree);
  });
});
