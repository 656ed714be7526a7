import type { GraphFlow, GraphNode } from "../graph/graph.js";
import { folderName } from "../graph/places.js";
import type { TableState } from "../model/table.js";
import { flowOfApp } from "./app-id.js";
import { type History, positionOf } from "./history.js";
import { leavesOf } from "./inputs.js";

/** A flow as it is declared now, with what it has done before. */
interface EditedFlow {
  readonly node: GraphNode;
  readonly flow: GraphFlow;
  readonly history: History;
  readonly target: TableState | undefined;
  /** It begins anew because it was asked to. */
  readonly isAskedFor: boolean;
}

/**
 * What was edited since the flow's last batch and what it means for the next one, each in a few words; of a table that
 * changes fill its rows, too. A stream is known
 * by what it reads, a flow by its name: another name is another one, with nothing read yet.
 *
 * @param isEdited the query is not that of the last batch
 */
export function describeEdits(edited: EditedFlow, isEdited: boolean): string[] {
  const { flow, history } = edited;
  const last = history.manifests.at(-1);
  if (last === undefined) return describeNewcomer(edited);
  const streams = [...leavesOf(flow)].filter(([, leaf]) => leaf.stream).map(([key]) => key);
  const added = streams.filter((key) => positionOf(history, key) === undefined);
  const gone = Object.keys(last.inputs).filter((key) => key.startsWith("stream ") && !streams.includes(key));
  return [
    ...added.map((key) => `the ${key} is new, and read from its beginning`),
    ...gone.map((key) => `the ${key} is read no more, and its rows stay`),
    ...(isEdited ? ["the query changed, for new rows only"] : []),
    ...(isForeign(edited) ? ["another writer changed the rows that are there"] : []),
  ];
}

/** Whether the newest commit of a table that changes fill is none of its flows'. */
function isForeign({ flow, target }: EditedFlow): boolean {
  if (flow.changes === undefined || target === undefined) return false;
  const notes = (target.lastCommitNote ?? "").split("\n");
  return !notes.every((note) => flowOfApp(note.split(" ")[0] ?? "") !== undefined);
}

/** A flow without batches in a table that has some of flows which nobody declares: it was renamed, most likely. */
function describeNewcomer({ node, target, isAskedFor }: EditedFlow): string[] {
  if (isAskedFor) return [];
  const declared = new Set(node.flows.map(({ flow }) => folderName(flow.name)));
  const gone = new Set(
    [...(target?.transactions.keys() ?? [])].flatMap((appId) => flowOfApp(appId) ?? []).filter((f) => !declared.has(f)),
  );
  return [...gone].map(
    (name) =>
      `a new flow into a table that has batches of the flow ${name}, which is gone: what that one has read is read again`,
  );
}
