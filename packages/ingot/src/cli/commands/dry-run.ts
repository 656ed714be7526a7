import { differingDefinitions } from "../../define/compare.js";
import { shortName } from "../../model/name.js";
import { describeNotice, levelOf } from "../../run/column-notice.js";
import { knownPipelineId } from "../../run/pipeline-state.js";
import { type PlannedTable, planRun } from "../../run/plan-run.js";
import { driftMessages } from "../../run/settle-drift.js";
import { coloursFor } from "../colour.js";
import type { Io } from "../io.js";
import { openProject, readDefinitions, selectionOf } from "../open-project.js";
import type { RunOptions } from "./run.js";

/** `ingot dry-run`: checks everything and says what a run would do, and why. Writes no table, manifest or lock. */
export async function dryRun(options: RunOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  if (options.explain === true) {
    const { explainProject } = await import("../explain-project.js");
    return explainProject(project, options, io);
  }
  try {
    const selection = selectionOf(project, options);
    const graph = await project.graph(selection);
    project.saveCache();
    const colours = coloursFor(io.stderr, io.env);
    for (const notice of project.definitions.notices) io.stderr.write(`${notice.level}: ${notice.message}\n`);
    for (const warning of graph.warnings) io.stderr.write(`WARN: ${warning}\n`);
    for (const message of graph.nodes.flatMap(({ flows }) => flows.flatMap((flow) => driftMessages(graph, flow))))
      io.stderr.write(`WARN: ${message}\n`);
    for (const name of differingDefinitions(project.definitions, await readDefinitions(project.spec))) {
      io.stderr.write(
        `${colours.yellow("warning[NOT_DETERMINISTIC]")}: two evaluations of the definitions differ: ${name}\n`,
      );
    }
    const owner = await knownPipelineId(project.spec.storage, project.spec.id);
    const tables = await planRun(graph, selection, {
      root: project.spec.root,
      storage: project.spec.storage,
      owner,
      engine: project.engine,
      landing: project.landing,
      clock: io.clock,
    });
    for (const { held, notices } of tables.flatMap((table) => table.flows)) {
      for (const file of held)
        io.stderr.write(`${colours.yellow("WARN")}: ${file.path} would be held back: ${file.detail}\n`);
      for (const notice of notices) io.stderr.write(`${colours.yellow(levelOf(notice))}: ${describeNotice(notice)}\n`);
    }
    if (options.json === true)
      io.stdout.write(`${JSON.stringify({ state: "COMPLETED", tables: tables.map(toJson) })}\n`);
    else {
      const lines = tables.flatMap((table) => {
        const name = shortName(table.node.dataset.name, graph.defaults);
        const portable = table.node.dataset.dialect === undefined ? "" : "; DuckDB's own SQL, not portable";
        return table.flows.map(({ flow, action, reason }) => ({
          name: table.flows.length === 1 ? name : `${name} (flow ${flow})`,
          action,
          reason: `${reason}${portable}`,
        }));
      });
      const wide = Math.max(0, ...lines.map((line) => line.name.length));
      const actionWide = Math.max(0, ...lines.map((line) => line.action.length));
      for (const { name, action, reason } of lines)
        io.stdout.write(`${name.padEnd(wide)}  ${action.padEnd(actionWide)}  ${reason}\n`);
      io.stderr.write("Run is COMPLETED.\n");
    }
    return 0;
  } finally {
    await project.engine.close();
  }
}

function toJson(table: PlannedTable): object {
  const { catalog, schema, table: name } = table.node.dataset.name;
  return {
    name: `${catalog}.${schema}.${name}`,
    path: table.node.location,
    columns: table.node.schema.map((f) => f.name),
    portable: table.node.dataset.dialect === undefined,
    flows: table.flows,
  };
}
