import type * as model from "../model/definition.js";
import { printNames } from "../sql/statements/print-text.js";
import { printTableRule } from "../sql/statements/table-rule.js";
import type { Api } from "./api-types.js";
import { check, name as columnName, isPlain, names, oneOf, share, table, text } from "./checks.js";
import { readExpression, readSource } from "./expression.js";
import { badOption, type Call, readOptions, requireOptions } from "./options.js";
import type { Scope } from "./scope.js";
import type {
  Expectation,
  ExpectOptions,
  Expr,
  RowCountOptions,
  Rules,
  SingleValueOptions,
  Source,
  TableExpectOptions,
  TableFactOptions,
} from "./types.js";
import { makeExpectation, type Part, toSqlText } from "./values.js";

type Functions = Pick<
  Api,
  | "expect"
  | "expectOrDrop"
  | "expectOrFail"
  | "expectOrQuarantine"
  | "expectAll"
  | "expectAllOrDrop"
  | "expectAllOrFail"
  | "expectAllOrQuarantine"
  | "expectUnique"
  | "expectReferences"
  | "expectRowCount"
  | "expectFreshness"
  | "expectSingleValue"
>;

const duration = check<string>('a text such as "2 hours"', (v) => {
  return typeof v === "string" && /^[1-9]\d* (second|minute|hour|day)s?$/i.test(v);
});
const FACT_OPTIONS = { action: oneOf("warn", "fail"), comment: text };
const runs = check<number>("a whole number from 1 to 100", (v) => {
  return Number.isInteger(v) && Number(v) >= 1 && Number(v) <= 100;
});

/** The functions that make rules: values that datasets list. */
export function createExpectations(scope: Scope): Functions {
  const one = (action: model.ExpectationAction, callName: string) => {
    const make = (name: string, condition: Expr, options?: ExpectOptions): Expectation => {
      const text = `${callName}(${JSON.stringify(name)})`;
      return makeRule(scope, { text, at: scope.places.callSite(make) }, action, name, condition, options);
    };
    return make;
  };
  const all = (action: model.ExpectationAction, callName: string) => {
    const make = (rules: Rules): readonly Expectation[] => {
      const call: Call = { text: `${callName}()`, at: scope.places.callSite(make) };
      if (isPlain(rules)) {
        return Object.freeze(Object.entries(rules).map(([name, rule]) => makeRule(scope, call, action, name, rule)));
      }
      badOption(scope, call, `${callName}() takes an object of conditions`, 'Example: { valid_id: "id IS NOT NULL" }.');
      return [];
    };
    return make;
  };

  const overTable = (call: Call, name: string, rule: readonly Part[], options: unknown): Expectation => {
    const { action = "fail", ...about } = readOptions(scope, call, options, {
      action: oneOf("warn", "fail", "quarantine"),
      status: text,
      comment: text,
    });
    return makeExpectation({
      name,
      condition: toSqlText(rule, call.at),
      wholeTable: true,
      action,
      ...about,
      at: call.at,
    });
  };
  const expectUnique = (columns: readonly string[], options?: TableExpectOptions): Expectation => {
    const call: Call = { text: "expectUnique()", at: scope.places.callSite(expectUnique) };
    const listed = readColumnNames(scope, call, columns);
    const rule = printTableRule({ kind: "unique", columns: listed });
    return overTable(call, `unique_${listed.join("_")}`, [{ text: rule }], options);
  };

  const expectReferences = (
    columns: readonly string[],
    target: Source,
    targetColumns?: readonly string[],
    options?: TableExpectOptions,
  ): Expectation => {
    const call: Call = { text: "expectReferences()", at: scope.places.callSite(expectReferences) };
    const listed = readColumnNames(scope, call, columns);
    const others = targetColumns === undefined ? listed : readColumnNames(scope, call, targetColumns);
    if (listed.length !== others.length) {
      const counts = `${listed.length} and ${others.length}`;
      badOption(scope, call, `expectReferences(): the lists have ${counts} columns`, "Pair each column with one.");
    }
    if (!table.accepts(target)) badOption(scope, call, `expectReferences(): the target must be ${table.wanted}`);
    const rule = [
      { text: `REFERENCES ${printNames(listed)} IN ` },
      ...readSource(scope, call, target),
      { text: ` ${printNames(others)}` },
    ];
    return overTable(call, `references_${listed.join("_")}`, rule, options);
  };

  const expectRowCount = (options: RowCountOptions): Expectation => {
    const call: Call = { text: "expectRowCount()", at: scope.places.callSite(expectRowCount) };
    const bounds = { min: share, max: check<number>("a number, 1 or more", (v) => typeof v === "number" && v >= 1) };
    requireOptions(scope, call, options, bounds);
    const given = readOptions(scope, call, options, { ...bounds, runs, ...FACT_OPTIONS });
    const { min = 0, max = 1, runs: last = 5, ...about } = given;
    const rule = printTableRule({ kind: "row count", min, max, runs: last });
    return overTable(call, "row_count", [{ text: rule }], about);
  };

  const expectFreshness = (column: string, within: string, options?: TableFactOptions): Expectation => {
    const call: Call = { text: "expectFreshness()", at: scope.places.callSite(expectFreshness) };
    if (!columnName.accepts(column))
      badOption(scope, call, `expectFreshness(): the column must be ${columnName.wanted}`);
    if (!duration.accepts(within)) badOption(scope, call, `expectFreshness(): the time must be ${duration.wanted}`);
    const rule = `FRESHNESS ${printNames([column])} WITHIN ${within.toUpperCase()}`;
    return overTable(call, `fresh_${column}`, [{ text: rule }], readOptions(scope, call, options, FACT_OPTIONS));
  };

  const expectSingleValue = (column: string, options?: SingleValueOptions): Expectation => {
    const call: Call = { text: "expectSingleValue()", at: scope.places.callSite(expectSingleValue) };
    if (!columnName.accepts(column))
      badOption(scope, call, `expectSingleValue(): the column must be ${columnName.wanted}`);
    const rule = printTableRule({ kind: "single value", column });
    const about = readOptions(scope, call, options, { comment: text });
    const condition = toSqlText([{ text: rule }], call.at);
    return makeExpectation({
      name: `single_${column}`,
      condition,
      wholeTable: true,
      action: "warn",
      ...about,
      at: call.at,
    });
  };

  return {
    expect: one("warn", "expect"),
    expectOrDrop: one("drop", "expectOrDrop"),
    expectOrFail: one("fail", "expectOrFail"),
    expectOrQuarantine: one("quarantine", "expectOrQuarantine"),
    expectAll: all("warn", "expectAll"),
    expectAllOrDrop: all("drop", "expectAllOrDrop"),
    expectAllOrFail: all("fail", "expectAllOrFail"),
    expectAllOrQuarantine: all("quarantine", "expectAllOrQuarantine"),
    expectUnique,
    expectReferences,
    expectRowCount,
    expectFreshness,
    expectSingleValue,
  };
}

function makeRule(
  scope: Scope,
  call: Call,
  action: model.ExpectationAction,
  name: string,
  condition: Expr,
  options?: ExpectOptions,
): Expectation {
  if (typeof name !== "string" || name === "") badOption(scope, call, `${call.text}: the name must be a text`);
  const { status, comment } = readOptions(scope, call, options, { status: text, comment: text });
  return makeExpectation({
    name: String(name),
    condition: readExpression(scope, call, "the condition", condition),
    action,
    ...(status === undefined ? {} : { status }),
    ...(comment === undefined ? {} : { comment }),
    at: call.at,
  });
}

function readColumnNames(scope: Scope, call: Call, columns: readonly string[]): readonly string[] {
  if (names.accepts(columns)) return columns;
  badOption(scope, call, `${call.text}: the columns must be ${names.wanted}`);
  return [];
}
