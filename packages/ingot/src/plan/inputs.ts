import type { GraphFlow, GraphInput } from "../graph/graph.js";

/** An input of a flow that is no view: what its batches are made of. */
export type Leaf = Exclude<GraphInput, { kind: "view" }>;

/** What a leaf is named by. */
type Source = Exclude<Leaf, { kind: "files" }> | Omit<Leaf & { kind: "files" }, "columns">;

/**
 * Names an input by what it is (not by its place in the query), so that an edit of the query never moves a position
 * from one source to another. Binding finds a batch's input by the same name.
 */
export function sourceKey(leaf: Source): string {
  const mode = leaf.stream ? "stream" : "whole";
  if (leaf.kind === "files") {
    const { path, pathGlobFilter: filter } = leaf.read;
    // With a header or without, a file has other records.
    const how = leaf.read.format === "csv" && !leaf.read.header ? " without header" : "";
    return `${mode} files ${path}${how}${filter === undefined ? "" : ` ${JSON.stringify({ filter })}`}`;
  }
  const { options, version } = leaf;
  const what = options?.changeFeed === true ? "changes" : "table";
  // Where a stream begins says nothing once it has begun; a read without STREAM is another one with each range.
  const { from, to } = leaf.stream ? {} : { from: options?.from, to: options?.to };
  const range = from === undefined ? "" : ` ${JSON.stringify({ from, to })}`;
  return `${mode} ${what} ${leaf.location}${version === undefined ? "" : ` version ${version}`}${range}`;
}

/** The inputs of a flow and of its rules by source, views looked through; a source that is read twice is there once. */
export function leavesOf(flow: GraphFlow, leaves: Map<string, Leaf> = new Map()): Map<string, Leaf> {
  for (const input of [...flow.inputs.values(), ...(flow.references?.values() ?? [])]) {
    if (input.kind === "view") leavesOf(input.view, leaves);
    else leaves.set(sourceKey(input), input);
  }
  return leaves;
}

/** True where each record of the one file source below comes out as one row. */
export function keepsRecords(flow: GraphFlow): boolean {
  const [input, ...others] = flow.inputs.values();
  if (input === undefined || others.length > 0 || !flow.query.preservesRows) return false;
  return input.kind === "files" || (input.kind === "view" && keepsRecords(input.view));
}

/** No clock and no random number in the query or in a view below it. */
export function isDeterministic(flow: GraphFlow): boolean {
  return (
    flow.query.deterministic && [...flow.inputs.values()].every((i) => i.kind !== "view" || isDeterministic(i.view))
  );
}
