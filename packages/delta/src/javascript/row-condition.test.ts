import fc from "fast-check";
import { expect, it } from "vitest";
import type { Comparison, Condition, Literal } from "../files/condition.js";
import { mayMatch, mustMatch } from "../files/prune.js";
import { formatCondition } from "../operations/format-condition.js";
import { memoryStore } from "../testing/memory-store.js";
import { columnsOf, stateOf, tableOf } from "../testing/test-table.js";
import { conditionTest } from "./row-condition.js";
import { appendRows } from "./write-rows.js";

const table = {
  table: "/t",
  version: 1n,
  schema: {
    kind: "struct" as const,
    fields: columnsOf({
      a: "integer",
      d: { kind: "decimal", precision: 20, scale: 2 },
      f: "double",
      s: "string",
      t: "timestamp",
      at: { kind: "struct", fields: columnsOf({ x: "long" }) },
      l: { kind: "array", element: { kind: "integer" }, containsNull: true },
    }),
  },
};
const compare = (column: string, operator: Comparison, value: Literal | null): Condition => {
  return { kind: "compare", column: column.split("."), operator, value };
};
const NULL = compare("a", "=", null);
const TRUE: Condition = { kind: "and", conditions: [] };
const FALSE: Condition = { kind: "or", conditions: [] };
const or = (...conditions: Condition[]): Condition => ({ kind: "or", conditions });
const and = (...conditions: Condition[]): Condition => ({ kind: "and", conditions });
const not = (condition: Condition): Condition => ({ kind: "not", condition });

/** SQL's three-valued logic, and Spark's comparisons. */
const TRUTHS: [Condition, boolean | null][] = [
  [NULL, null],
  [not(NULL), null],
  [and(NULL, FALSE), false],
  [and(NULL, TRUE), null],
  [or(NULL, TRUE), true],
  [or(NULL, FALSE), null],
  [compare("a", "<=>", null), false],
  [compare("s", "<=>", null), true],
  [compare("s", "<=>", "x"), false],
  [compare("s", "=", "x"), null],
  [compare("A", "=", 5), true],
  [compare("a", ">", 5n), false],
  [compare("a", ">=", 5), true],
  [compare("d", "=", "12.5"), true],
  [compare("d", "<", "12.500001"), true],
  [compare("d", "=", "123456789012345678.01"), false],
  [compare("f", ">", 1e300), true],
  [compare("f", "=", Number.NaN), true],
  [compare("t", "=", "2024-05-01 10:00:00.123456"), true],
  [compare("t", ">", "2024-05-01T12:00:00.123455+02:00"), true],
  [compare("at.x", "=", 9007199254740993n), true],
  [compare("at.x", "=", 9007199254740992n), false],
  [{ kind: "in", column: ["a"], values: [4, 5] }, true],
  [{ kind: "in", column: ["a"], values: [4, null] }, null],
  [{ kind: "in", column: ["a"], values: [4] }, false],
  [{ kind: "isNull", column: ["s"] }, true],
  [{ kind: "startsWith", column: ["s"], prefix: "x" }, null],
];

it.each(TRUTHS.map(([condition, truth]) => [formatCondition(condition), truth, condition] as const))(
  "%s is %s",
  (_text, truth, condition) => {
    const row = {
      a: 5,
      d: "12.50",
      f: Number.NaN,
      s: null,
      t: "2024-05-01T10:00:00.123456Z",
      at: { x: 9007199254740993n },
      l: [],
    };
    expect(conditionTest(condition, table)(row)).toBe(truth);
  },
);

it.each<[Condition, string]>([
  [{ kind: "unknown" }, "DELTA_OPERATION_NOT_ALLOWED"],
  [compare("l", "=", 1), "DELTA_OPERATION_NOT_ALLOWED"],
  [{ kind: "startsWith", column: ["a"], prefix: "x" }, "DELTA_OPERATION_NOT_ALLOWED"],
  [compare("z", "=", 1), "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"],
])("refuses %j", (condition, code) => {
  expect(() => conditionTest(condition, table)).toThrow(expect.objectContaining({ code }));
});

const value = fc.option(fc.integer({ min: 0, max: 4 }));
const leaf: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom("a", "b"), fc.constantFrom<Comparison>("=", "<=>", "<", "<=", ">", ">="), value)
  .map(([column, operator, literal]) => compare(column, operator, literal));
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie("condition").map(not),
    fc.array(tie("condition"), { maxLength: 3 }).map((parts) => and(...parts)),
    fc.array(tie("condition"), { maxLength: 3 }).map((parts) => or(...parts)),
  ),
}));

it("never contradicts what a file's statistics say", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: value, b: value }), { minLength: 1, maxLength: 4 }),
      condition,
      async (rows, where) => {
        const store = memoryStore();
        const path = await tableOf(store, { a: "integer", b: "long" });
        await appendRows(store, path, rows);
        const snapshot = await stateOf(store, path);
        const test = conditionTest(where, snapshot);
        const truths = rows.map(({ a, b }) => test({ a, b: b === null ? null : BigInt(b) }) === true);
        for (const file of snapshot.files) {
          if (truths.includes(true)) expect(mayMatch(where, snapshot)(file)).toBe(true);
          if (mustMatch(where, snapshot)(file)) expect(truths).not.toContain(false);
        }
      },
    ),
    { numRuns: 60 },
  );
});
