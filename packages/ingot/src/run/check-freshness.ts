import type { GraphFlow, GraphNode } from "../graph/graph.js";
import { IngotError } from "../model/error.js";
import { formatName, quoteIdentifier } from "../model/name.js";
import { MASK } from "../model/rule.js";
import { describeStale, type FactCheck, type FreshnessFact, freshSince } from "../model/table-fact.js";
import { type QueryContext, queryTable } from "./query-table.js";

/**
 * Looks how fresh a table is that a run has nothing to write to; else the engine looks before it commits.
 *
 * @throws IngotError EXPECTATION_VIOLATION
 */
export async function checkFreshness(
  node: GraphNode,
  { rules }: GraphFlow,
  context: QueryContext & { readonly clock: () => Date },
): Promise<FactCheck[]> {
  const dataset = formatName(node.dataset.name);
  const checks: FactCheck[] = [];
  for (const fact of rules?.facts ?? []) {
    if (fact.kind !== "freshness") continue;
    const fault = await faultOfAge(node, fact, rules?.sensitive ?? [], context);
    if (fault !== undefined && fact.action === "fail")
      throw new IngotError("EXPECTATION_VIOLATION", `${dataset}: the expectation \`${fact.name}\` fails: ${fault}`, {
        object: dataset,
        hint: "Nothing new came to the table. Look whether its source still delivers.",
      });
    checks.push({ dataset, name: fact.name, ...(fault === undefined ? {} : { fault }) });
  }
  return checks;
}

async function faultOfAge(
  { location = "" }: GraphNode,
  fact: FreshnessFact,
  sensitive: readonly string[],
  { clock, ...context }: Parameters<typeof checkFreshness>[2],
): Promise<string | undefined> {
  const at = clock().toISOString();
  const column = quoteIdentifier(fact.column.name);
  const since = `TIMESTAMP '${freshSince(fact, at)}'`;
  const text = `SELECT CAST(max(${column}) AS STRING) AS newest, CAST(max(${column}) AS TIMESTAMP) >= ${since} AS fresh FROM kept`;
  const [[newest, isFresh] = []] = (await queryTable(location, text, 1, context)) ?? [];
  if (isFresh === true) return undefined;
  const isHidden = sensitive.some((name) => name.toLowerCase() === fact.column.name.toLowerCase());
  return describeStale(
    fact,
    newest === null || newest === undefined ? undefined : isHidden ? MASK : String(newest),
    at,
  );
}
