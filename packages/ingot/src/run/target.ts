import type { Engine, TargetTable } from "../engine/engine.js";
import type { Graph, GraphNode } from "../graph/graph.js";
import type { Selection } from "../graph/select.js";
import type { Dataset } from "../model/definition.js";
import { IngotError, throwAll } from "../model/error.js";
import { formatName } from "../model/name.js";
import { OWNER_PROPERTY, type TableState } from "../model/table.js";

/** What a node's table is to be after a write. */
export function targetOf(node: GraphNode, owner: string): TargetTable {
  return {
    location: locationOf(node),
    name: formatName(node.dataset.name),
    schema: node.schema,
    ...(node.dataset.comment === undefined ? {} : { comment: node.dataset.comment }),
    ...layout(node.dataset),
    properties: { ...node.dataset.properties, [OWNER_PROPERTY]: owner },
  };
}

/** The graph has put the columns of the schema in. */
function layout({ partitionBy, clusterBy }: Dataset): Pick<TargetTable, "partitionBy" | "clusterBy"> {
  return {
    ...(partitionBy === undefined ? {} : { partitionBy }),
    ...(clusterBy === undefined || clusterBy === "auto" ? {} : { clusterBy }),
  };
}

export function locationOf(node: GraphNode): string {
  if (node.location === undefined) throw new Error(`unreachable: ${node.key} is no table`);
  return node.location;
}

/**
 * The table as it is now.
 *
 * @throws IngotError TABLE_OWNED_BY_OTHER_PIPELINE
 */
export async function ownTable(
  node: GraphNode,
  owner: string | undefined,
  engine: Engine,
): Promise<TableState | undefined> {
  const state = await engine.describe(locationOf(node));
  const fault = state === undefined ? undefined : foreign(node, state, owner);
  if (fault !== undefined) throw fault;
  return state;
}

/**
 * One owner a table: looks at all tables that a run would write, as they were when the graph was built.
 *
 * @throws IngotError TABLE_OWNED_BY_OTHER_PIPELINE, all of them at once
 */
export function refuseForeignTables(graph: Graph, selection: Selection, owner: string | undefined): void {
  throwAll(
    graph.nodes.flatMap((node) => {
      if (node.existing === undefined || !selection.selected.has(node.key)) return [];
      return foreign(node, node.existing, owner) ?? [];
    }),
  );
}

function foreign(node: GraphNode, state: TableState, owner: string | undefined): IngotError | undefined {
  const found = state.properties[OWNER_PROPERTY];
  if (found === owner && found !== undefined) return undefined;
  const name = formatName(node.dataset.name);
  const another = `Give the dataset another name, or read the table with externalTable("${name}").`;
  return new IngotError(
    "TABLE_OWNED_BY_OTHER_PIPELINE",
    found === undefined
      ? `${name} is there already (${state.location}), and no pipeline made it`
      : `${name} (${state.location}) belongs to the pipeline ${found}`,
    {
      at: node.dataset.at,
      object: name,
      hint:
        found === undefined
          ? another
          : `${another} If this project is that pipeline and lost its storage, write id: ${found} in the spec; its checkpoints are gone then, so start its streaming tables again with --full-refresh.`,
    },
  );
}
