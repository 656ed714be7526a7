import { describe, expect, it } from "vitest";
import { definition, field, listOf, struct } from "../testing/test-schema.js";
import { checkViolated, compileRules, notNullViolated } from "./compile-rules.js";
import type { Evaluator } from "./evaluator.js";
import { tableRules } from "./rules.js";

const INVARIANT = { "delta.invariants": '{"expression": { "expression": "x > 3"} }' };
const TABLE = definition(
  struct(
    field("id", "long", { nullable: false }),
    field("s", struct(field("x", "integer", { nullable: false, metadata: INVARIANT })), { nullable: false }),
    field("Day Of", "date", { metadata: { "delta.generationExpression": "cast(at as date)" } }),
    field("at", "timestamp", { metadata: { CURRENT_DEFAULT: "now()" } }),
    field("code", "string", { metadata: { __CHAR_VARCHAR_TYPE_STRING: "varchar(4)" } }),
    field("l", listOf(struct(field("y", "long", { nullable: false })))),
  ),
  { "delta.constraints.positive": "id > 0", "delta.columnMapping.mode": "name" },
);
const ECHO: Evaluator<string> = { compile: (sql) => `[${sql}]` };

describe("tableRules", () => {
  it("tells all that new rows must obey", () => {
    expect(tableRules(TABLE)).toEqual({
      notNull: [["id"], ["s"], ["s", "x"]],
      checks: [
        { name: "positive", sql: "id > 0", kind: "constraint" },
        { name: "s.x", sql: "x > 3", kind: "invariant" },
        { name: "code", sql: "code IS NULL OR length(code) <= 4", kind: "length" },
      ],
      generated: [{ column: ["Day Of"], sql: "cast(at as date)" }],
      defaults: [{ column: ["at"], sql: "now()" }],
      identity: [],
    });
  });

  it.each(["{", "{}", '{"expression":"x > 3"}', 7])("refuses an invariant that it cannot read: %s", (text) => {
    const table = definition(struct(field("x", "long", { metadata: { "delta.invariants": text } })));
    expect(() => tableRules(table)).toThrow(
      expect.objectContaining({ code: "DELTA_UNRECOGNIZED_INVARIANT", table: "/t" }),
    );
  });
});

describe("compileRules", () => {
  it("compiles every expression, and a check for each generated column", () => {
    const rules = compileRules(TABLE, ECHO);
    expect(rules.notNull).toEqual([["id"], ["s"], ["s", "x"]]);
    expect(rules.checks.map(({ kind, expression }) => [kind, expression])).toEqual([
      ["constraint", "[id > 0]"],
      ["invariant", "[x > 3]"],
      ["length", "[code IS NULL OR length(code) <= 4]"],
      ["generated", "[`Day Of` <=> (cast(at as date))]"],
    ]);
    expect(rules.generated).toEqual([
      { column: ["Day Of"], sql: "cast(at as date)", expression: "[cast(at as date)]" },
    ]);
    expect(rules.defaults).toEqual([{ column: ["at"], sql: "now()", expression: "[now()]" }]);
  });

  it("needs no evaluator for NOT NULL alone", () => {
    const table = definition(struct(field("id", "long", { nullable: false })));
    expect(compileRules(table, undefined)).toEqual({ notNull: [["id"]], checks: [], generated: [], defaults: [] });
  });

  it.each<[string, Evaluator<string> | undefined, string]>([
    ["no evaluator", undefined, "an engine that evaluates SQL"],
    [
      "one that refuses",
      {
        compile: () => {
          throw new Error("there is no function f");
        },
      },
      "there is no function f",
    ],
  ])("names the constraint and its expression with %s", (_what, evaluator, hint) => {
    const table = definition(struct(field("id", "long")), { "delta.constraints.odd": "f(id)" });
    expect(() => compileRules(table, evaluator)).toThrow(
      expect.objectContaining({
        code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
        message: "New rows of /t need the CHECK constraint odd (f(id)).",
        hint: expect.stringContaining(hint),
        version: 3n,
      }),
    );
  });

  it("refuses identity columns", () => {
    const table = definition(struct(field("n", "long", { metadata: { "delta.identity.step": 1 } })));
    expect(() => compileRules(table, ECHO)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("identity column n") }),
    );
  });
});

describe("errors of rows", () => {
  it("tell the rule, the count and an example", () => {
    expect(notNullViolated(TABLE, ["s", "x"], 1, "id = 4")).toMatchObject({
      code: "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
      message: "NOT NULL constraint violated for column: s.x. 1 row, such as id = 4.",
      table: "/t",
    });
    expect(checkViolated(TABLE, { name: "positive", sql: "id > 0", kind: "constraint" }, 12n)).toMatchObject({
      code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
      message: "The CHECK constraint positive (id > 0) is violated. 12 rows.",
    });
    expect(checkViolated(TABLE, { name: "code", sql: "length(code) <= 4", kind: "length" }, 1)).toMatchObject({
      code: "DELTA_EXCEED_CHAR_VARCHAR_LIMIT",
    });
  });
});
