import type { BoundInput, BoundQuery } from "../engine/engine.js";
import type { GraphFlow, GraphInput } from "../graph/graph.js";
import type { BatchInput } from "../model/batch.js";
import { sourceKey } from "../plan/inputs.js";

/**
 * Gives each relation of a flow's query the rows that the batch says.
 *
 * @param bound what was bound before: a view that is read twice stays one, so that its rules act once
 */
export function bindFlow(
  flow: GraphFlow,
  inputs: Readonly<Record<string, BatchInput>>,
  bound = new Map<GraphFlow, BoundQuery>(),
): BoundQuery {
  const known = bound.get(flow);
  if (known !== undefined) return known;
  const relations = [...flow.inputs].map(([id, input]) => [id, bindInput(input, inputs, bound)] as const);
  const { query, rules } = flow;
  const references = bindReferences(flow, inputs);
  const result = { query, inputs: new Map([...relations, ...references]), ...(rules === undefined ? {} : { rules }) };
  bound.set(flow, result);
  return result;
}

/** The tables that the rules of a flow refer to, at the versions that the batch says. */
export function bindReferences(
  { references = new Map() }: Pick<GraphFlow, "references">,
  inputs: Readonly<Record<string, BatchInput>>,
): Map<string, BoundInput> {
  return new Map([...references].map(([id, input]) => [id, bindInput(input, inputs, new Map())]));
}

function bindInput(
  input: GraphInput,
  inputs: Readonly<Record<string, BatchInput>>,
  bound: Map<GraphFlow, BoundQuery>,
): BoundInput {
  if (input.kind === "view") return { kind: "view", view: bindFlow(input.view, inputs, bound) };
  // A source that the batch does not name gives no row: it was added to the query after the batch was planned.
  const part = inputs[sourceKey(input)];
  if (input.kind === "files")
    return { kind: "files", read: input.read, columns: input.columns, files: part?.kind === "files" ? part.files : [] };
  const table = {
    location: input.location,
    ...(input.schema === undefined ? {} : { schema: input.schema }),
    ...(input.sources === undefined ? {} : { sources: input.sources }),
  };
  if (part?.kind === "snapshot") return { kind: "snapshot", ...table, version: BigInt(part.version) };
  const kind = input.options?.changeFeed === true ? "changes" : "appended";
  if (part === undefined || part.kind === "files") return { kind, ...table, after: 0n, to: 0n };
  const { after, fromFile, untilFile } = part;
  const range = {
    ...(after === undefined ? {} : { after: BigInt(after) }),
    to: BigInt(part.to),
    ...(fromFile === undefined ? {} : { fromFile }),
    ...(untilFile === undefined ? {} : { untilFile }),
  };
  if (part.kind === "changes") return { kind: "changes", ...table, ...range };
  return { kind: "appended", ...table, ...range, ...(part.skipsChanges === true ? { skipsChanges: true } : {}) };
}
