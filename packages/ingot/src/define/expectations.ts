import type * as model from "../model/definition.js";
import { quoteName } from "../sql/quote.js";
import type { Api } from "./api-types.js";
import { isPlain, names, source, text } from "./checks.js";
import { readExpression, readSource } from "./expression.js";
import { badOption, type Call, readOptions } from "./options.js";
import type { Scope } from "./scope.js";
import type { Expectation, ExpectOptions, Expr, Rules, Source } from "./types.js";
import { makeExpectation, toSqlText } from "./values.js";

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
>;

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

  const expectUnique = (columns: readonly string[]): Expectation => {
    const call: Call = { text: "expectUnique()", at: scope.places.callSite(expectUnique) };
    const listed = readColumnNames(scope, call, columns);
    return makeExpectation({
      name: `unique_${listed.join("_")}`,
      condition: toSqlText([{ text: listColumns(listed) }], call.at),
      action: "fail",
      scope: "unique",
      at: call.at,
    });
  };

  const expectReferences = (columns: readonly string[], target: Source, targetColumns?: readonly string[]) => {
    const call: Call = { text: "expectReferences()", at: scope.places.callSite(expectReferences) };
    const listed = readColumnNames(scope, call, columns);
    const others = targetColumns === undefined ? listed : readColumnNames(scope, call, targetColumns);
    if (listed.length !== others.length) {
      const counts = `${listed.length} and ${others.length}`;
      badOption(scope, call, `expectReferences(): the lists have ${counts} columns`, "Pair each column with one.");
    }
    if (!source.accepts(target)) badOption(scope, call, `expectReferences(): the target must be ${source.wanted}`);
    const parts = [
      { text: `(${listColumns(listed)}) REFERENCES ` },
      ...readSource(scope, call, target),
      { text: ` (${listColumns(others)})` },
    ];
    return makeExpectation({
      name: `references_${listed.join("_")}`,
      condition: toSqlText(parts, call.at),
      action: "fail",
      scope: "references",
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

function listColumns(columns: readonly string[]): string {
  return columns.map(quoteName).join(", ");
}
