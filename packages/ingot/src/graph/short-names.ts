import { formatName, shortName } from "../model/name.js";
import type { Graph } from "./graph.js";
import type { DatasetColumn } from "./lineage.js";

/** A column as people read it: the names of the project's datasets without what they share. */
export function columnNamer({ nodes, defaults }: Graph): (column: DatasetColumn) => string {
  const short = shortNames({ nodes, defaults });
  return ({ dataset, column, fields }) => [short.get(dataset) ?? dataset, column, ...(fields ?? [])].join(".");
}

/** By complete name. */
export function shortNames({ nodes, defaults }: Pick<Graph, "nodes" | "defaults">): Map<string, string> {
  return new Map(nodes.map(({ dataset: { name } }) => [formatName(name), shortName(name, defaults)]));
}
