import type { Field } from "../model/data-type.js";
import { completeName, shortName, type TableName } from "../model/name.js";
import type { Graph, GraphFlow } from "./graph.js";
import type { GraphContext } from "./graph-context.js";
import { externalFolder } from "./places.js";

/**
 * The columns of every table and view that a project's definitions can name, by the shortest name: its own as a run
 * leaves them, those of other pipelines as their logs say. A table of another pipeline that is not there yet has the
 * columns that its declaration gives, and is left out where it gives none.
 */
export async function knownTables(graph: Graph, context: GraphContext): Promise<Map<string, readonly Field[]>> {
  const known = new Map<string, readonly Field[]>();
  const short = (name: TableName) => shortName(name, graph.defaults);
  for (const { dataset, schema, flows } of graph.nodes) {
    known.set(dataset.kind === "temporary-view" ? dataset.name.table : short(dataset.name), schema);
    for (const [name, fields] of tablesOfOthers(flows)) known.set(short(name), fields);
  }
  for (const { name, path, schema, at } of graph.externals) {
    const folder = externalFolder(name, path, context.places, at);
    const columns = (await context.describe(folder))?.schema ?? schema;
    if (columns !== undefined) known.set(short(name), columns);
  }
  return known;
}

/** The tables without a dataset that flows read by name, as they are now. */
function* tablesOfOthers(flows: readonly GraphFlow[]): Generator<[name: TableName, columns: readonly Field[]]> {
  for (const { flow, query, inputs } of flows) {
    for (const relation of query.reads) {
      const input = inputs.get(relation.id);
      if (relation.kind !== "table" || input?.kind !== "table" || input.key !== undefined) continue;
      if (input.schema !== undefined) yield [completeName(relation.name, flow.defaults), input.schema];
    }
  }
}
