import { IngotError } from "../model/error.js";
import type { Position } from "../model/position.js";
import type { GraphFlow, GraphInput, GraphNode } from "./graph.js";

interface TableRead {
  readonly input: GraphInput & { readonly kind: "table" };
  readonly at: Position;
}

/**
 * Refuses what options of streams cannot mean: to leave out the changes of a table that change flows of this pipeline
 * fill, which is made of changes; and two ways to follow one table in one flow, which has one position in it.
 */
export function refuseStreamOptions(nodes: readonly GraphNode[]): IngotError[] {
  const changed = new Set(nodes.filter((n) => n.flows.some((f) => f.changes !== undefined)).map((n) => n.key));
  return nodes.flatMap((node) => {
    if (node.location === undefined) return [];
    return node.flows.flatMap((flow) => {
      const reads = streamedTables(flow);
      const skipping = reads.find(
        ({ input }) => input.options?.skipChangeCommits === true && input.key !== undefined && changed.has(input.key),
      );
      const twofold = reads.find(({ input }, i) =>
        reads.slice(0, i).some((other) => other.input.location === input.location && isOtherwise(other.input, input)),
      );
      return [
        ...(skipping === undefined ? [] : [skipsChangeFlow(skipping)]),
        ...(twofold === undefined ? [] : [followedTwice(twofold, flow)]),
      ];
    });
  });
}

/** Two feeds, or a feed and the appended rows, are sources of their own. */
function isOtherwise({ options: a }: TableRead["input"], { options: b }: TableRead["input"]): boolean {
  return a?.changeFeed === b?.changeFeed && JSON.stringify(a ?? {}) !== JSON.stringify(b ?? {});
}

/** The tables that a flow streams, views looked through. */
function streamedTables(flow: GraphFlow): TableRead[] {
  return [...flow.inputs].flatMap(([id, input]) => {
    if (input.kind === "view") return streamedTables(input.view);
    const at = flow.query.reads.find((relation) => relation.id === id)?.at ?? flow.flow.at;
    return input.kind === "table" && input.stream ? [{ input, at }] : [];
  });
}

function skipsChangeFlow({ input: { name }, at }: TableRead): IngotError {
  return new IngotError(
    "NOT_SUPPORTED",
    `${name} is filled by AUTO CDC: skipChangeCommits would leave its changes out`,
    {
      at,
      object: name,
      hint: "Read its change feed WITH (readChangeFeed = true), or read it without STREAM in a materialized view.",
    },
  );
}

function followedTwice({ input: { name }, at }: TableRead, { flow }: GraphFlow): IngotError {
  return new IngotError("NOT_SUPPORTED", `The flow ${flow.name} streams ${name} twice, with different options`, {
    at,
    object: name,
    hint: "A flow has one position in a table: give both reads the same options, or declare two flows.",
  });
}
