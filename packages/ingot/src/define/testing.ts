import type * as model from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { type NameDefaults, nameKey, shortName } from "../model/name.js";
import { printStatements } from "../sql/print-statements.js";
import type { Callee, Scope } from "./scope.js";
import type { Definitions, Given, TestingApi } from "./testing-types.js";
import type { Dataset, Relation, TableRef } from "./types.js";
import { makeFlow, makeTable, relationOf } from "./values.js";

/** The functions of module `ingot/testing` that need no disk, all working for one scope. */
export function createTestingApi(scope: Scope): Omit<TestingApi, "loadProject"> {
  const collect = (declare: () => void): Definitions => {
    let result: unknown;
    const made = scope.collect(() => {
      result = declare();
    });
    if (result instanceof Promise) {
      result.catch(() => undefined);
      throw notSupported(scope, collect, "collect() of a function that waits", "Use loadProject for what must wait.");
    }
    return showDefinitions(made, scope.defaults);
  };

  const given = (table: Relation<unknown> | string, rows: readonly object[]): Given => {
    const known = relationOf(table)?.table;
    if (typeof table !== "string" && known === undefined) {
      const hint = "Give it a dataset, ref(…), externalTable(…) or a table's name.";
      throw new IngotError("BAD_OPTION", "given() takes a table", { at: scope.places.callSite(given), hint });
    }
    const name = typeof table === "string" ? table : shortName(known as NonNullable<typeof known>, scope.defaults);
    return Object.freeze({ name, rows: Object.freeze(rows.map((row) => Object.freeze({ ...row }))) });
  };

  const evaluate = async (): Promise<never> => {
    throw notSupported(scope, evaluate, "evaluate()", "Run the project on files of a test folder with `ingot run`.");
  };

  // Few loads need it, and it is large.
  const generateSap: TestingApi["generateSap"] = async (options) => {
    const { generateInMemory } = await import("../sap/generate/in-memory.js");
    return generateInMemory(options);
  };

  return { collect, given, evaluate, generateSap } as Omit<TestingApi, "loadProject">;
}

/** Definitions as tests see them: the values that the declaring calls gave, by their shortest names. */
export function showDefinitions(made: model.Definitions, defaults: NameDefaults): Definitions {
  const datasets = new Map<string, Dataset>();
  for (const { kind, name } of made.datasets) {
    datasets.set(nameKey(name), makeTable<Dataset>(kind, shortName(name, defaults), name));
  }
  const flows = made.flows.map(({ name, target }) => {
    const reference = () => makeTable<TableRef>("reference", shortName(target, defaults), target);
    return makeFlow(name, datasets.get(nameKey(target)) ?? reference());
  });
  return Object.freeze({
    datasets: Object.freeze([...datasets.values()]),
    flows: Object.freeze(flows),
    statements: () => printStatements(made, defaults),
  });
}

function notSupported(scope: Scope, callee: Callee, what: string, hint: string): IngotError {
  const at = scope.places.callSite(callee);
  return new IngotError("NOT_SUPPORTED", `${what} is not supported yet`, { at, hint });
}
