import { createHash } from "node:crypto";
import type { GraphFlow, GraphNode } from "../graph/graph.js";
import { type Field, formatType } from "../model/data-type.js";
import { OWNER_PROPERTY, type TableState } from "../model/table.js";

/**
 * What the rows of a table depend on beside its inputs: the lowered queries and the columns. Comments and formatting
 * in the definitions change nothing, nor does the place of the project.
 */
export function fingerprint(node: GraphNode, flow: GraphFlow): string {
  const queries = (f: GraphFlow): unknown => [
    f.query.duckdb,
    [...f.inputs.values()].map((i) => (i.kind === "view" ? queries(i.view) : i.kind === "files" ? i.read : i.name)),
  ];
  return createHash("sha256")
    .update(JSON.stringify([queries(flow), node.schema]))
    .digest("hex")
    .slice(0, 32);
}

const FEATURE = "delta.feature.";

/**
 * Whether a table is declared otherwise than it stands: its columns, their comments, its own comment, its properties. A
 * feature that it has and that nobody declares is one that it needs.
 */
export function isRedefined(node: GraphNode, target: TableState): boolean {
  const { dataset } = node;
  const properties = Object.fromEntries(
    Object.entries(target.properties).filter(
      ([key]) => key !== OWNER_PROPERTY && (!key.startsWith(FEATURE) || key in dataset.properties),
    ),
  );
  const text = (schema: readonly Field[], comment: string | undefined, settings: Readonly<Record<string, string>>) =>
    JSON.stringify([
      schema.map((f) => [f.name, formatType(f.type), f.nullable, f.comment ?? ""]),
      comment ?? "",
      Object.entries(settings).sort(),
    ]);
  return text(node.schema, dataset.comment, dataset.properties) !== text(target.schema, target.comment, properties);
}
