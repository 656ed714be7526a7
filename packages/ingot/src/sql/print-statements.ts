import type { Dataset, Definitions, Flow, QueryFlow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { type NameDefaults, nameKey } from "../model/name.js";
import { lex } from "./lexer.js";
import { quoteName } from "./quote.js";
import { printDataset } from "./statements/print-dataset.js";
import { printFlow } from "./statements/print-flow.js";
import { findParameters } from "./statements/substitute.js";

/**
 * Prints definitions as `.sql` text that `parseSqlFile`, started with the same defaults, reads back as the same
 * datasets and flows: each dataset, by name, and its flows after it. External tables and notices have no statement.
 *
 * @throws IngotError NOT_SUPPORTED for a text with `${key}`, which a `.sql` file takes for a parameter
 */
export function printStatements(definitions: Definitions, defaults: NameDefaults): string {
  const flows = [...definitions.flows].sort(
    (a, b) => compare(nameKey(a.target), nameKey(b.target)) || compare(a.name, b.name),
  );
  const statements: string[] = [];
  const printed = new Set<Flow>();
  let current = defaults;
  const add = (needed: NameDefaults, statement: string, object: string) => {
    refuseParameters(statement, object);
    statements.push(...printUse(current, needed), `${statement};\n`);
    current = needed;
  };
  for (const dataset of [...definitions.datasets].sort((a, b) => compare(nameKey(a.name), nameKey(b.name)))) {
    const own = flows.find((flow) => isOwnQuery(flow, dataset));
    const needed = own?.defaults ?? current;
    if (own !== undefined) printed.add(own);
    add(needed, printDataset(dataset, own, needed), dataset.name.table);
    for (const flow of flows) {
      if (printed.has(flow) || nameKey(flow.target) !== nameKey(dataset.name)) continue;
      printed.add(flow);
      add(flow.defaults, printFlow(flow), flow.name);
    }
  }
  for (const flow of flows) if (!printed.has(flow)) add(flow.defaults, printFlow(flow), flow.name);
  return statements.join("\n");
}

/** Whether a flow is what `AS query` after its dataset declares. */
function isOwnQuery(flow: Flow, { kind, name }: Dataset): flow is QueryFlow {
  if (flow.kind !== "query" || nameKey(flow.target) !== nameKey(name)) return false;
  return kind !== "streaming-table" || (flow.name === name.table && !flow.once && flow.comment === undefined);
}

function printUse(current: NameDefaults, needed: NameDefaults): string[] {
  const other = current.catalog !== needed.catalog;
  const schema = other ? "default" : current.schema;
  return [
    ...(other ? [`USE CATALOG ${quoteName(needed.catalog)};\n`] : []),
    ...(schema !== needed.schema ? [`USE SCHEMA ${quoteName(needed.schema)};\n`] : []),
  ];
}

function refuseParameters(statement: string, object: string): void {
  const parameter = findParameters(statement, lex(statement))[0];
  if (parameter === undefined) return;
  throw new IngotError("NOT_SUPPORTED", `${object} has the text \${${parameter.key}}, a parameter in a .sql file`, {
    object,
    hint: "In a string, write $\\{ for ${: both mean the same there.",
  });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
