import { hasCall } from "./bind/tree-search.js";
import { functionKind } from "./functions/registry.js";
import type { Query, QueryBody, Select } from "./parse/ast.js";

/** Of a query that has no `Propagation`: what makes its rows depend on more than single rows of its inputs, in words. */
export function entanglementOf({ body, limit, offset }: Query): string {
  if (limit !== undefined || offset !== undefined) return "LIMIT takes rows by what all others are";
  return ofBody(body);
}

function ofBody(body: QueryBody): string {
  switch (body.kind) {
    case "select":
      return ofSelect(body);
    case "query":
      return entanglementOf(body.query);
    case "values":
      return NO_INPUT;
    case "set":
      return body.op === "UNION" && body.all
        ? "a side of UNION ALL has rows that no row of an input brings"
        : `${body.op}${body.all ? " ALL" : ""} compares the rows of its sides`;
  }
}

const NO_INPUT = "the query reads no table";

function ofSelect({ items, from, groupBy, having, qualify, distinct }: Select): string {
  if (from === undefined) return NO_INPUT;
  const hasWindows = qualify !== undefined || hasCall(items, ({ over }) => over !== undefined);
  if (groupBy === "all" || groupBy.length > 0) {
    if (hasWindows || distinct) return `${hasWindows ? "a window" : "DISTINCT"} compares groups with each other`;
    if (groupBy !== "all" && groupBy.some(({ kind }) => kind === "grouping-sets"))
      return "GROUPING SETS group a row twice";
    return "a grouping expression is no column of the result, or an aggregate goes by the order of rows";
  }
  if (having !== undefined || hasCall(items, ({ name, over }) => over === undefined && isAggregate(name)))
    return "an aggregate of all rows does not come of its values over parts of them";
  if (hasWindows) return "its windows are not all partitioned by a column of the result";
  return "what stands in FROM looks at several rows of its inputs, or takes none of them for rows of its own";
}

function isAggregate(name: string): boolean {
  return functionKind(name) === "aggregate";
}
