import type { GraphFlow, GraphNode } from "../../graph/graph.js";
import { IngotError, withPlace } from "../../model/error.js";
import { formatName } from "../../model/name.js";
import { refuseFiles } from "./files/refuse-files.js";
import { notOnSpark } from "./not-supported.js";

/**
 * What of a table's flows Spark does not do, all at once, before anything runs. What only a batch tells (the bytes of its
 * files, how many flows begin again) is refused with it, before it is written.
 */
export function refuseNode(node: GraphNode): IngotError[] {
  const object = formatName(node.dataset.name);
  const isStrict = node.dataset.refreshPolicy === "incremental strict";
  const policy = () => {
    if (isStrict)
      throw notOnSpark("REFRESH POLICY INCREMENTAL STRICT", "Leave it out: views are computed anew.", object);
  };
  return node.flows.flatMap((flow) =>
    [policy, () => refuseFlow(flow, object)].flatMap((check): IngotError[] => {
      try {
        check();
        return [];
      } catch (error) {
        if (!(error instanceof IngotError)) throw error;
        return [withPlace(error, flow.flow.at)];
      }
    }),
  );
}

/** @throws IngotError SPARK_NOT_SUPPORTED for the flow, or a view below it */
function refuseFlow({ fault, query, inputs }: GraphFlow, object: string): void {
  if (fault !== undefined) return;
  if (query.dialect !== undefined)
    throw notOnSpark(`A query in the dialect ${query.dialect}`, "Write it in Spark SQL, or run it on DuckDB.", object);
  for (const input of inputs.values()) {
    if (input.kind === "view") refuseFlow(input.view, object);
    if (input.kind === "files") refuseFiles({ ...input, files: [] });
  }
}
