import { describe, expect, it } from "vitest";
import type { Dataset, Expectation } from "../model/definition.js";
import { sqlText } from "../model/position.js";
import { compileExpression } from "../sql/compile-expression.js";
import { typeRules } from "./rules.js";
import { at, columns, dataset, PLACES, rejected } from "./test-builders.js";

const tools = {
  places: PLACES,
  compileExpression: async (...args: Parameters<typeof compileExpression>) => compileExpression(...args),
};
const rule = (name: string, condition: string, more: Partial<Expectation> = {}): Expectation => {
  return { name, condition: sqlText(condition, "/p/all.sql"), action: "quarantine", at: at(), ...more };
};
const typed = (expectations: readonly Expectation[], more: Partial<Dataset> = {}) =>
  typeRules(
    dataset("orders", "streaming-table", { expectations, ...more }),
    columns("a int"),
    columns("a int, b string"),
    tools,
    new Map(),
  );

describe("typeRules", () => {
  it("gives nothing for a dataset without rules", async () => {
    expect(await typed([])).toBeUndefined();
  });

  it("sees the columns of the dataset that the query lacks", async () => {
    const rules = await typed([rule("r", "a > 0 OR b IS NULL", { status: "BAD" })]);
    expect(rules).toMatchObject({ dataset: "spark_catalog.default.orders", rules: [{ name: "r", status: "BAD" }] });
    expect(rules?.absent.map((field) => field.name)).toEqual(["b"]);
  });

  it("gives a rule another version when it means something else, and not when it is written otherwise", async () => {
    const version = async (condition: string) => (await typed([rule("r", condition)]))?.rules[0]?.version;
    expect(await version("a>0")).toBe(await version("a  >  0"));
    expect(await version("a > 0")).not.toBe(await version("a <> 0"));
  });

  it.each([
    [{}, "spark_catalog.default.orders_quarantine", "/p/tables/default/orders_quarantine"],
    [{ quarantine: "aside.bad" }, "spark_catalog.aside.bad", "/p/tables/aside/bad"],
    [
      { private: true },
      "spark_catalog.default.orders_quarantine",
      "/p/state/_private/spark_catalog/default/orders_quarantine",
    ],
  ])("%o: the quarantine", async (more, name, location) => {
    expect((await typed([rule("r", "a > 0")], more))?.quarantine).toEqual({ name, location });
    expect((await typed([rule("r", "a > 0", { action: "drop" })], more))?.quarantine).toBeUndefined();
  });

  it("refuses a quarantine of rows that have a column of its own, before the first row goes there", async () => {
    const rules = (action: Expectation["action"]) =>
      typeRules(
        dataset("orders", "streaming-table", { expectations: [rule("r", "a > 0", { action })] }),
        columns("a int, _STATUS string"),
        columns("a int, _STATUS string"),
        tools,
        new Map(),
      );
    expect(await rejected(rules("quarantine"))).toMatchObject({
      code: "COLUMN_ALREADY_EXISTS",
      message: expect.stringContaining("_STATUS"),
      at: { line: 1 },
    });
    expect(await rules("drop")).toMatchObject({ rules: [{ name: "r", action: "drop" }] });
  });

  it("refuses two rules of a name where the second stands", async () => {
    const twins = typed([rule("r", "a > 0"), rule("r", "a < 9", { at: at(7) })]);
    expect(await rejected(twins)).toMatchObject({ code: "BAD_OPTION", at: { line: 7 } });
  });
});
