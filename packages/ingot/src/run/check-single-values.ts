import type { GraphNode } from "../graph/graph.js";
import { formatName, quoteIdentifier } from "../model/name.js";
import { describeValues, type FactCheck, VALUES_READ } from "../model/table-fact.js";
import { type QueryContext, queryTable } from "./query-table.js";

/** Looks, behind a commit, how many values the columns have of which each should have one. */
export async function checkSingleValues(
  { dataset, location = "", singleValues = [] }: GraphNode,
  context: QueryContext,
): Promise<FactCheck[]> {
  const checks: FactCheck[] = [];
  for (const fact of singleValues) {
    const column = quoteIdentifier(fact.column);
    const query = `SELECT DISTINCT CAST(${column} AS STRING) AS value FROM kept WHERE ${column} IS NOT NULL ORDER BY value`;
    const rows = (await queryTable(location, query, VALUES_READ, context)) ?? [];
    const fault = describeValues(
      fact,
      rows.map(([value]) => String(value)),
    );
    checks.push({ dataset: formatName(dataset.name), name: fact.name, ...(fault === undefined ? {} : { fault }) });
  }
  return checks;
}
