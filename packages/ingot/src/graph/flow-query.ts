import type { Flow } from "../model/definition.js";
import type { SqlText } from "../model/position.js";
import { replaceQuery, snapshotQuery, sourceQuery } from "./change-query.js";

/** The query whose rows a flow takes: its own, or that of its source. */
export function mainQuery(flow: Flow): SqlText {
  switch (flow.kind) {
    case "query":
      return flow.query;
    case "replace":
      return replaceQuery(flow);
    case "auto-cdc":
      return sourceQuery(flow);
    case "auto-cdc-from-snapshot":
      return snapshotQuery(flow);
  }
}
