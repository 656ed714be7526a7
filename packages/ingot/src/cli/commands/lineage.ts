import { findNode } from "../../graph/find-by-name.js";
import type { Graph, GraphNode } from "../../graph/graph.js";
import { type DatasetColumn, type DatasetLineage, lineageOf } from "../../graph/lineage.js";
import { columnNamer, shortNames } from "../../graph/short-names.js";
import { formatType } from "../../model/data-type.js";
import { formatName, shortName } from "../../model/name.js";
import { coloursFor } from "../colour.js";
import type { Io, ProjectOptions } from "../io.js";
import { openProject, selectionOf } from "../open-project.js";

/** `ingot lineage [NAME…]`: for each column of tables and views, the columns that it comes from. Runs nothing. */
export async function lineage(names: readonly string[], options: ProjectOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  try {
    const graph = await project.graph(selectionOf(project));
    project.saveCache();
    const nodes = names.length === 0 ? graph.nodes : names.map((name) => findNode(name, graph));
    if (options.json === true) io.stdout.write(`${JSON.stringify({ datasets: nodes.map(toJson) })}\n`);
    else io.stdout.write(nodes.map((node) => toText(node, graph, io)).join("\n"));
    return 0;
  } finally {
    await project.engine.close();
  }
}

function toJson(node: GraphNode): object {
  const { columns, ...rest } = lineageOf(node);
  const types = new Map(node.schema.map((f) => [f.name, formatType(f.type)]));
  return {
    name: formatName(node.dataset.name),
    kind: node.dataset.kind,
    ...rest,
    columns: columns.map(({ name, sources }) => ({ name, type: types.get(name), sources })),
  };
}

function toText(node: GraphNode, graph: Graph, io: Io): string {
  const colours = coloursFor(io.stdout, io.env);
  const found = lineageOf(node);
  const short = shortNames(graph);
  const column = columnNamer(graph);
  const wide = Math.max("rows".length, ...found.columns.map((c) => c.name.length));
  const line = (name: string, text: string) => `  ${name.padEnd(wide)}  ${text}\n`;
  const reads = found.reads.map((name) => short.get(name) ?? name).join(", ");
  return [
    `${colours.bold(shortName(node.dataset.name, graph.defaults))} ${colours.dim(reads === "" ? "reads nothing" : `reads ${reads}`)}\n`,
    ...found.columns.map((c) => line(c.name, sourcesText(c, found, column))),
    ...(found.influences.length === 0 ? [] : [line("rows", `decided by ${found.influences.map(column).join(", ")}`)]),
  ].join("");
}

function sourcesText(
  { sources }: DatasetLineage["columns"][number],
  { complete }: DatasetLineage,
  column: (source: DatasetColumn) => string,
): string {
  if (sources.length === 0) return complete ? "no column" : "not known: the query is in the engine's own SQL";
  const kinds = ["copied", "computed", "aggregated"] as const;
  return kinds
    .flatMap((how) => {
      const own = sources.filter((source) => source.how === how);
      return own.length === 0 ? [] : [`${how} from ${own.map(column).join(", ")}`];
    })
    .join("; ");
}
