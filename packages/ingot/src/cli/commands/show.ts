import { bindQuery } from "../../graph/build.js";
import { findNode } from "../../graph/find-by-name.js";
import type { GraphNode } from "../../graph/graph.js";
import { formatName, quoteIdentifier, shortName } from "../../model/name.js";
import { sqlText } from "../../model/position.js";
import { coloursFor } from "../colour.js";
import type { Io, ProjectOptions } from "../io.js";
import { notMade } from "../not-made.js";
import { type OpenProject, openProject } from "../open-project.js";
import { displayPath } from "../report-error.js";
import { showTable } from "../show-table.js";
import { resultJson, runQuery } from "./query.js";

export interface ShowOptions extends ProjectOptions {
  readonly limit: number;
  readonly truncate: boolean;
}

/** `ingot show [TABLE…]`: the first rows of tables (all of the project without a name), in the boxes of Spark's show. */
export async function show(names: readonly string[], options: ShowOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  try {
    const graph = await project.graph();
    project.saveCache();
    const shown =
      names.length === 0
        ? graph.nodes.filter((n) => n.location !== undefined)
        : names.map((name) => findNode(name, graph));
    const tables: string[] = [];
    for (const node of shown) tables.push(await showNode(node, project, graph, options, io, names.length > 0));
    io.stdout.write(options.json === true ? `{"tables":[${tables.join(",")}]}\n` : tables.join("\n"));
    return 0;
  } finally {
    await project.engine.close();
  }
}

async function showNode(
  node: GraphNode,
  project: OpenProject,
  graph: Awaited<ReturnType<OpenProject["graph"]>>,
  options: ShowOptions,
  io: Io,
  named: boolean,
): Promise<string> {
  const name = shortName(node.dataset.name, graph.defaults);
  const { catalog, schema, table } = node.dataset.name;
  if (node.location !== undefined && node.existing === undefined) {
    if (named) throw notMade(name);
    return options.json === true
      ? JSON.stringify({ name: formatName(node.dataset.name), path: node.location, version: null })
      : `${name}: no run has made it yet\n`;
  }
  const parts = node.dataset.kind === "temporary-view" ? [table] : [catalog, schema, table];
  const { flow } = await bindQuery(
    sqlText(`SELECT * FROM ${parts.map(quoteIdentifier).join(".")}`),
    graph,
    project.context,
  );
  const result = await runQuery(flow, project, options.limit);
  const version = node.existing?.version;
  if (options.json === true) {
    const head = {
      name: formatName(node.dataset.name),
      path: node.location ?? null,
      version: version === undefined ? null : Number(version),
    };
    return `${JSON.stringify(head).slice(0, -1)},${resultJson(result).slice(1)}`;
  }
  const colours = coloursFor(io.stdout, io.env);
  const place =
    node.location === undefined ? node.dataset.kind : `version ${version}, ${displayPath(node.location, io.cwd)}`;
  return `${colours.bold(name)} ${colours.dim(`(${place})`)}\n${showTable(result, options.truncate ? undefined : 0)}\n`;
}
