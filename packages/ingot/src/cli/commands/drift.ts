import { downstreamOf } from "../../graph/downstream.js";
import type { SourceDrift } from "../../graph/drift.js";
import { findNode } from "../../graph/find-by-name.js";
import type { Graph, GraphNode } from "../../graph/graph.js";
import { columnNamer } from "../../graph/short-names.js";
import { formatType } from "../../model/data-type.js";
import {
  type Contract,
  type DriftAction,
  type DriftChange,
  type DriftDecision,
  NO_CONTRACT,
} from "../../model/drift.js";
import { IngotError } from "../../model/error.js";
import { formatName, sameName, shortName } from "../../model/name.js";
import { readContract } from "../../run/contract.js";
import { decideDrift } from "../../run/decide-drift.js";
import { describeChange } from "../../run/settle-drift.js";
import type { Io, ProjectOptions } from "../io.js";
import { openProject, selectionOf } from "../open-project.js";

export interface DriftOptions extends ProjectOptions {
  /** Only changes of this column. */
  readonly column?: string;
  readonly reason?: string;
}

/** A dataset with `drift`: its contract, and how its sources differ from it now. */
interface Inspected {
  readonly node: GraphNode;
  readonly contract: Contract;
  readonly sources: readonly SourceDrift[];
  readonly open: readonly (DriftChange & { readonly action: DriftAction })[];
}

/** `ingot drift list|show|accept|reject [DATASET]`: how the columns of sources differ from what was accepted. */
export async function drift(action: string, name: string | undefined, options: DriftOptions, io: Io): Promise<number> {
  const project = await openProject(options, io);
  try {
    const graph = await project.graph(selectionOf(project));
    project.saveCache();
    const { storage } = project.spec;
    if (action === "list" && name === undefined) {
      const nodes = graph.nodes.filter(({ dataset }) => dataset.drift !== undefined);
      list(await Promise.all(nodes.map((node) => inspect(node, storage))), graph, options, io);
      return 0;
    }
    if (name === undefined) throw usage(`ingot drift ${action} needs the name of a dataset`, "See ingot drift list.");
    const node = findNode(name, graph);
    if (node.dataset.drift === undefined)
      throw usage(
        `${shortName(node.dataset.name, graph.defaults)} has no option drift`,
        "Declare it: drift: {} in TypeScript, 'ingot.drift.added' = 'notify' in SQL.",
      );
    const one = await inspect(node, storage);
    if (action === "list") list([one], graph, options, io);
    else if (action === "show") show(one, graph, options, io);
    else await decide(one, action === "accept" ? "accepted" : "rejected", storage, options, io);
    return 0;
  } finally {
    await project.engine.close();
  }
}

async function inspect(node: GraphNode, storage: string): Promise<Inspected> {
  const contract = (await readContract(storage, node.dataset.name)) ?? NO_CONTRACT;
  const sources = [...new Map(node.flows.flatMap((flow) => flow.drift ?? []).map((one) => [one.source, one])).values()];
  return { node, contract, sources, open: sources.flatMap(({ changes }) => changes) };
}

function list(inspected: readonly Inspected[], graph: Graph, { json }: DriftOptions, io: Io): void {
  if (json === true) {
    const datasets = inspected.map(({ node, open }) => ({
      dataset: formatName(node.dataset.name),
      open: open.map((change) => ({ ...change, downstream: below(node, change, graph) })),
    }));
    io.stdout.write(`${JSON.stringify({ datasets })}\n`);
    return;
  }
  const lines = inspected.map(({ node, open }) => {
    const name = shortName(node.dataset.name, graph.defaults);
    return open.length === 0
      ? `${name}: as accepted\n`
      : `${name}\n${open.map((change) => changeLine(node, change, graph)).join("")}`;
  });
  io.stdout.write(lines.length === 0 ? "No dataset has the option drift.\n" : lines.join(""));
}

function show({ node, contract, open }: Inspected, graph: Graph, { json }: DriftOptions, io: Io): void {
  if (json === true) {
    const sources = Object.entries(contract.sources).map(([source, columns]) => ({
      source,
      columns: columns.map(({ name, type }) => ({ name, type: formatType(type) })),
    }));
    const changes = open.map((change) => ({ ...change, downstream: below(node, change, graph) }));
    io.stdout.write(
      `${JSON.stringify({ dataset: formatName(node.dataset.name), sources, open: changes, decisions: contract.decisions })}\n`,
    );
    return;
  }
  const sources = Object.entries(contract.sources).map(
    ([source, columns]) =>
      `accepted of ${source}\n${columns.map(({ name, type }) => `  ${name} ${formatType(type)}\n`).join("")}`,
  );
  const changes = open.length === 0 ? [] : [`open\n${open.map((change) => changeLine(node, change, graph)).join("")}`];
  const decisions =
    contract.decisions.length === 0 ? [] : [`decided\n${contract.decisions.map(decisionLine).join("")}`];
  const nothing = "No run has looked at its sources yet.\n";
  io.stdout.write([...sources, ...changes, ...decisions].join("") || nothing);
}

async function decide(
  { node, sources, open }: Inspected,
  decision: DriftDecision["decision"],
  storage: string,
  { column, reason, json }: DriftOptions,
  io: Io,
): Promise<void> {
  if (reason === undefined || reason.trim() === "")
    throw usage("A decision about drift needs its reason", 'Write --reason "…": it is kept with the decision.');
  const isNamed = (name: string | undefined) => name !== undefined && sameName(name, column ?? "");
  const chosen = open.filter((change) => column === undefined || isNamed(change.column) || isNamed(change.into));
  if (chosen.length === 0)
    throw usage(
      column === undefined
        ? `Nothing of ${node.dataset.name.table} is open`
        : `No change of a column ${column} is open`,
      `See ingot drift show ${node.dataset.name.table}.`,
    );
  const changes = chosen.map(({ action: _, ...change }) => change);
  const at = io.clock().toISOString();
  await decideDrift(storage, node.dataset.name, { sources, changes }, { decision, reason, user: io.user, at });
  if (json === true) io.stdout.write(`${JSON.stringify({ [decision]: changes })}\n`);
  else io.stdout.write(changes.map((change) => `${decision}: ${describeChange(change)}\n`).join(""));
}

function changeLine(node: GraphNode, change: Inspected["open"][number], graph: Graph): string {
  const made = below(node, change, graph).map(columnNamer(graph));
  return `  ${change.action.padEnd(6)}  ${describeChange(change)}${made.length === 0 ? "" : `; made of it: ${made.join(", ")}`}\n`;
}

function below(node: GraphNode, { source, column }: DriftChange, graph: Graph) {
  return downstreamOf(graph, source, column, formatName(node.dataset.name));
}

function decisionLine({ decision, at, user, reason, ...change }: DriftDecision): string {
  const who = user === undefined ? "by the option drift" : `by ${user}: ${reason}`;
  return `  ${at.slice(0, 10)}  ${decision}  ${describeChange(change)}; ${who}\n`;
}

function usage(message: string, hint: string): IngotError {
  return new IngotError("USAGE", message, { hint });
}
