import { findNode } from "../../graph/find-by-name.js";
import type { Graph, GraphNode } from "../../graph/graph.js";
import { IngotError } from "../../model/error.js";
import { formatName, shortName } from "../../model/name.js";
import { knownPipelineId } from "../../run/pipeline-state.js";
import { ownTable } from "../../run/target.js";
import type { EngineOptions, Io, ProjectOptions } from "../io.js";
import { notMade } from "../not-made.js";
import { type OpenProject, openProject } from "../open-project.js";

export type OptimizeOptions = ProjectOptions & EngineOptions;

export interface VacuumOptions extends ProjectOptions {
  readonly retainHours?: number;
  readonly dryRun?: boolean;
}

/** `ingot optimize [TABLE…]`: gathers small files and drops deleted rows of the project's tables; rows stay the same. */
export async function optimize(names: readonly string[], options: OptimizeOptions, io: Io): Promise<number> {
  const { signal } = new AbortController();
  return await maintain(names, options, io, async ({ engine }, location) => {
    const { version, ...done } = await engine.optimize(location, signal);
    const { filesAdded, filesRemoved, bytesAdded, bytesRemoved } = done;
    const change = `${files(filesRemoved, bytesRemoved)} became ${files(filesAdded, bytesAdded)}, version ${version}`;
    return { json: { version: Number(version), ...done }, text: filesRemoved === 0 ? "nothing to do" : change };
  });
}

/** `ingot vacuum [TABLE…]`: deletes files of the project's tables that no version within the retention has. */
export async function vacuum(names: readonly string[], options: VacuumOptions, io: Io): Promise<number> {
  const { retainHours, dryRun = false } = options;
  const given = { dryRun, ...(retainHours === undefined ? {} : { retainHours }) };
  return await maintain(names, options, io, async ({ engine }, location) => {
    const old = await engine.vacuum(location, given);
    const text = `${files(old.files, old.bytes)} ${dryRun ? "would be deleted" : "deleted"}`;
    return { json: { ...old, dryRun }, text: old.files === 0 ? "nothing to delete" : text };
  });
}

/** What was done to a table. */
interface Done {
  readonly json: object;
  readonly text: string;
}

async function maintain(
  names: readonly string[],
  options: ProjectOptions & EngineOptions,
  io: Io,
  work: (project: OpenProject, location: string) => Promise<Done>,
): Promise<number> {
  const project = await openProject(options, io);
  try {
    const graph = await project.graph();
    project.saveCache();
    const owner = await knownPipelineId(project.spec.storage, project.spec.id);
    const tables: object[] = [];
    for (const node of tablesOf(graph, names)) {
      const state = await ownTable(node, owner, project.engine);
      if (state === undefined) throw notMade(shortName(node.dataset.name, graph.defaults));
      const { json, text } = await work(project, state.location);
      if (options.json === true) tables.push({ name: formatName(node.dataset.name), ...json });
      else io.stdout.write(`${shortName(node.dataset.name, graph.defaults)}: ${text}\n`);
    }
    if (options.json === true) io.stdout.write(`${JSON.stringify({ tables })}\n`);
    return 0;
  } finally {
    await project.engine.close();
  }
}

/** Those that are named; else all that a run has made. */
function tablesOf(graph: Graph, names: readonly string[]): GraphNode[] {
  if (names.length === 0) return graph.nodes.filter(({ existing }) => existing !== undefined);
  return names.map((name) => {
    const node = findNode(name, graph);
    if (node.location !== undefined) return node;
    throw new IngotError("USAGE", `${shortName(node.dataset.name, graph.defaults)} is a view, and has no files`, {
      hint: "Name a table.",
    });
  });
}

function files(number: number, bytes: number): string {
  return `${number} file${number === 1 ? "" : "s"} (${(bytes / 1e6).toFixed(1)} MB)`;
}
