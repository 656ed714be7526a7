import type { Engine } from "../engine/engine.js";
import type { Graph } from "../graph/graph.js";
import type { Selection } from "../graph/select.js";
import { throwAll } from "../model/error.js";

/** Refuses what the engine cannot do of the tables of a run, all at once. @throws IngotError of `Engine.refuse` */
export function refuseUnsupported({ nodes }: Graph, { selected }: Selection, { refuse }: Pick<Engine, "refuse">): void {
  if (refuse === undefined) return;
  throwAll(nodes.flatMap((node) => (selected.has(node.key) ? refuse(node) : [])));
}
