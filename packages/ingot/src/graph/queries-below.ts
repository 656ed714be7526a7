import type { GraphFlow } from "./graph.js";

/** A flow, and the views that it reads. */
export function* queriesBelow(flow: GraphFlow): Generator<GraphFlow> {
  yield flow;
  for (const input of flow.inputs.values()) if (input.kind === "view") yield* queriesBelow(input.view);
}
