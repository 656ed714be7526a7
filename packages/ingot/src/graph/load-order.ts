import { SEQUENCE } from "../model/changes.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import type { Graph, GraphFlow, GraphNode } from "./graph.js";

/** What a sequence is made of, as far as it comes from the rows of the table that is loaded. */
type Origin =
  /** A column of the table, as it is or as a part of what is computed. */
  | { readonly column: string; readonly copied: boolean }
  /** The version of a table's change feed. */
  | { readonly versionOf: string };

/**
 * The rows of a backfill must be older than any change that the stream has brought or brings, whenever they are loaded.
 * Refuses a load behind which a flow of changes would take them for newer, or could not order them.
 *
 * @param columns of the rows that are loaded
 * @throws IngotError BACKFILL_UNORDERED
 */
export function refuseUnorderedLoad(graph: Graph, table: GraphNode, columns: readonly string[]): void {
  const loaded = new Set(columns.map((name) => name.toLowerCase()));
  for (const { flows } of graph.nodes) {
    for (const flow of flows) {
      if (flow.flow.kind !== "auto-cdc") continue;
      for (const origin of originsOf(flow, SEQUENCE, true, table, graph)) {
        if ("versionOf" in origin)
          throw unordered(
            flow,
            `orders changes by the versions of ${origin.versionOf}, by which what is loaded later is newer`,
            "Order them by what the source says of a change: its time, or the producer's numbers.",
          );
        if (origin.copied && !loaded.has(origin.column.toLowerCase()))
          throw unordered(
            flow,
            `orders changes by ${origin.column}, which the rows of ${formatName(table.dataset.name)}'s backfill do not have`,
            `Give it in the source of the backfill, or order by STRUCT of several columns or coalesce(${origin.column}, …): what is NULL in a STRUCT comes first.`,
          );
      }
    }
  }
}

function originsOf(flow: GraphFlow, column: string, copied: boolean, table: GraphNode, graph: Graph): Origin[] {
  const { schema, lineage } = flow.query;
  const index = schema.findIndex(({ name }) => name.toLowerCase() === column.toLowerCase());
  return (lineage?.columns[index] ?? []).flatMap((source): Origin[] => {
    const input = flow.inputs.get(source.relation);
    const same = copied && source.how === "copied" && source.fields === undefined;
    if (input?.kind === "view") return originsOf(input.view, source.column, same, table, graph);
    const read = input?.kind === "table" ? graph.nodes.find(({ key }) => key === input.key) : undefined;
    if (input?.kind !== "table" || read === undefined || !isBelow(read, table, graph)) return [];
    const isVersion = source.column.toLowerCase() === "_commit_version" && input.options?.changeFeed === true;
    if (isVersion) return [{ versionOf: input.name }];
    if (read.key === table.key) return [{ column: source.column, copied: same }];
    return read.flows.flatMap((other) => originsOf(other, source.column, same, table, graph));
  });
}

/** Whether a table is the loaded one, or made of it. */
function isBelow(node: GraphNode, table: GraphNode, graph: Graph): boolean {
  if (node.key === table.key) return true;
  return graph.nodes.some((other) => node.upstream.has(other.key) && isBelow(other, table, graph));
}

function unordered(flow: GraphFlow, why: string, hint: string): IngotError {
  return new IngotError("BACKFILL_UNORDERED", `The flow ${flow.flow.name} ${why}`, {
    at: flow.flow.at,
    object: flow.flow.name,
    hint,
  });
}
