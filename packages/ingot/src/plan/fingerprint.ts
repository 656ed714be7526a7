import { createHash } from "node:crypto";
import type { GraphFlow, GraphNode } from "../graph/graph.js";
import { formatType } from "../model/data-type.js";
import { OWNER_PROPERTY, SNAPSHOT_PROPERTY, type TableState } from "../model/table.js";

/**
 * What the rows of a table depend on beside its inputs: the lowered queries and the columns. Comments and formatting
 * in the definitions change nothing, nor does the place of the project.
 */
export function fingerprint(node: GraphNode, flow: GraphFlow): string {
  const queries = (f: GraphFlow): unknown => [
    f.query.duckdb,
    ...(f.rules?.rules.map(({ name, action, status, condition, keys = [], reference }) => [
      name,
      action,
      status,
      condition,
      ...keys,
      ...(reference === undefined ? [] : [reference, f.references?.get(reference.input)?.name]),
    ]) ?? []),
    [...f.inputs.values()].map((i) => (i.kind === "view" ? queries(i.view) : i.kind === "files" ? i.read : i.name)),
  ];
  return createHash("sha256")
    .update(JSON.stringify([queries(flow), node.schema, ...(flow.changes === undefined ? [] : [flow.changes])]))
    .digest("hex")
    .slice(0, 32);
}

const FEATURE = "delta.feature.";

/**
 * Whether a table is declared otherwise than it stands: its columns, their comments, its own comment, its properties, the
 * layout of its rows. A feature that it has and that nobody declares is one that it needs.
 */
export function isRedefined(node: GraphNode, target: TableState): boolean {
  const { dataset } = node;
  const properties = Object.fromEntries(
    Object.entries(target.properties).filter(
      ([key]) =>
        ![OWNER_PROPERTY, SNAPSHOT_PROPERTY].includes(key) && (!key.startsWith(FEATURE) || key in dataset.properties),
    ),
  );
  const { comment, partitionBy = [], clusterBy = [] } = dataset;
  const declared = { schema: node.schema, comment, properties: dataset.properties, partitionBy, clusterBy };
  return describe(declared) !== describe({ ...target, properties });
}

function describe({
  schema,
  comment = "",
  properties,
  partitionBy,
  clusterBy,
}: Pick<TableState, "schema" | "properties" | "partitionBy"> & {
  readonly comment?: string | undefined;
  readonly clusterBy: readonly string[] | "auto";
}): string {
  return JSON.stringify([
    schema.map((f) => [f.name, formatType(f.type), f.nullable, f.comment ?? "", f.trueAmount]),
    comment,
    Object.entries(properties).sort(),
    partitionBy,
    clusterBy,
  ]);
}
