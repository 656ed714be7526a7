import { createHash } from "node:crypto";
import type { GraphFlow, GraphNode } from "../graph/graph.js";

/**
 * What the rows of a table depend on beside its inputs: the lowered queries and the columns. Comments and formatting
 * in the definitions change nothing.
 */
export function fingerprint(node: GraphNode, flow: GraphFlow): string {
  const queries = (f: GraphFlow): unknown => [
    f.query.duckdb,
    [...f.inputs.values()].map((i) => (i.kind === "view" ? queries(i.view) : i.kind === "files" ? i.read : i.location)),
  ];
  return createHash("sha256")
    .update(JSON.stringify([queries(flow), node.schema]))
    .digest("hex")
    .slice(0, 32);
}
