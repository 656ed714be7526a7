import type { BoundInput, BoundQuery } from "../engine/engine.js";
import type { GraphFlow, GraphInput } from "../graph/graph.js";
import type { BatchInput } from "../model/batch.js";
import { sourceKey } from "../plan/inputs.js";

/** Gives each relation of a flow's query the rows that the batch says. */
export function bindFlow(flow: GraphFlow, inputs: Readonly<Record<string, BatchInput>>): BoundQuery {
  const bound = new Map<string, BoundInput>();
  for (const [id, input] of flow.inputs) bound.set(id, bindInput(input, inputs));
  return { query: flow.query, inputs: bound };
}

function bindInput(input: GraphInput, inputs: Readonly<Record<string, BatchInput>>): BoundInput {
  if (input.kind === "view") return { kind: "view", view: bindFlow(input.view, inputs) };
  // A source that the batch does not name gives no row: it was added to the query after the batch was planned.
  const part = inputs[sourceKey(input)];
  if (input.kind === "files")
    return { kind: "files", read: input.read, columns: input.columns, files: part?.kind === "files" ? part.files : [] };
  const table = { location: input.location, ...(input.schema === undefined ? {} : { schema: input.schema }) };
  if (part?.kind === "snapshot") return { kind: "snapshot", ...table, version: BigInt(part.version) };
  if (part?.kind !== "appended") return { kind: "appended", ...table, after: 0n, to: 0n };
  return {
    kind: "appended",
    ...table,
    ...(part.after === undefined ? {} : { after: BigInt(part.after) }),
    to: BigInt(part.to),
  };
}
