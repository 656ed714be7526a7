import { formatName } from "../model/name.js";
import type { Graph } from "./graph.js";
import { type DatasetColumn, lineageOf } from "./lineage.js";

/**
 * The columns that are made of a column as one dataset reads it, step by step down to the last; `*` where the column
 * decides which rows there are.
 *
 * @param source complete name of the dataset, or of another table, whose column it is
 * @param reader complete name of the dataset that reads it
 */
export function downstreamOf(graph: Graph, source: string, column: string, reader: string): DatasetColumn[] {
  const found = new Map<string, DatasetColumn>();
  const lineages = graph.nodes.map((node) => ({ name: formatName(node.dataset.name), ...lineageOf(node) }));
  const follow = (from: DatasetColumn, readers: typeof lineages): void => {
    const isFrom = (other: DatasetColumn) =>
      other.dataset === from.dataset && other.column.toLowerCase() === from.column.toLowerCase();
    const add = (to: DatasetColumn): void => {
      const key = JSON.stringify([to.dataset, to.column]);
      if (found.has(key)) return;
      found.set(key, to);
      follow(to, lineages);
    };
    for (const { name, columns, influences } of readers) {
      for (const made of columns) if (made.sources.some(isFrom)) add({ dataset: name, column: made.name });
      if (influences.some(isFrom)) found.set(JSON.stringify([name, "*"]), { dataset: name, column: "*" });
    }
  };
  follow(
    { dataset: source, column },
    lineages.filter(({ name }) => name === reader),
  );
  return [...found.values()];
}
