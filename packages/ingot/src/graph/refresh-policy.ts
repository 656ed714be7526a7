import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import type { GraphFlow, GraphNode } from "./graph.js";

/**
 * A view that asks for incremental refreshes must have a query that can follow changes, as on Lakeflow. Whether its inputs
 * tell their changes is seen in the run.
 */
export function refuseRefreshPolicy({ dataset, flows, fault }: GraphNode): IngotError[] {
  const { refreshPolicy } = dataset;
  if (fault !== undefined || refreshPolicy?.startsWith("incremental") !== true) return [];
  return flows.flatMap((flow) => {
    const obstacle = flow.fault === undefined ? obstacleOf(flow) : undefined;
    if (obstacle === undefined) return [];
    const name = formatName(dataset.name);
    return new IngotError(
      "MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE",
      `${name}: REFRESH POLICY ${refreshPolicy.toUpperCase()}, and ${obstacle}`,
      {
        at: dataset.at,
        object: name,
        hint: "Take the policy out: the view is computed anew then when its inputs change. docs/streams.md says which queries can follow changes.",
      },
    );
  });
}

function obstacleOf({ query, rules }: GraphFlow): string | undefined {
  if (rules !== undefined) return "expectations count all rows of the view";
  if (!query.deterministic) return "the query is not deterministic";
  if (query.propagation !== undefined) return undefined;
  return query.entangled ?? "the changes of what a dialect's query reads are not followed";
}
