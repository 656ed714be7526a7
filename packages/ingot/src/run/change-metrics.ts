import type { EventCounts } from "../engine/engine.js";
import type { GraphFlow } from "../graph/graph.js";
import type { FlowMetrics } from "../model/event.js";

/** What became of the events of a change flow, in the words of the event log. */
export function changeMetrics(counts: EventCounts): FlowMetrics {
  const { read, inserted, updated, deleted, truncates, unchanged, superseded, duplicate, late } = counts;
  return {
    num_upserted_rows: inserted + updated,
    num_deleted_rows: deleted,
    num_changes: read,
    num_inserted_rows: inserted,
    num_updated_rows: updated,
    num_truncates: truncates,
    num_unchanged: unchanged,
    num_superseded: superseded,
    num_duplicates: duplicate,
    num_late: late,
    num_before_images: counts.beforeImages,
    num_archived: counts.archived,
    num_ties: counts.ties,
    num_truncated_rows: counts.truncatedRows,
  };
}

/** The metrics of a flow that did nothing. */
export function noMetrics({ changes }: GraphFlow): FlowMetrics {
  return changes === undefined ? { num_output_rows: 0 } : { num_upserted_rows: 0, num_deleted_rows: 0 };
}

/** Rows that a flow changed in its table. */
export function changedRows(metrics: FlowMetrics): number {
  const { num_output_rows: output = 0, num_upserted_rows: upserted = 0, num_deleted_rows: deleted = 0 } = metrics;
  return output + upserted + deleted;
}
