import type { RuleCounts } from "../engine/engine.js";
import type { DataQuality, ExpectationResult } from "../model/event.js";

/** What a flow's batches come to in the event log; undefined where no rule looked at them. */
export function dataQuality(counts: readonly RuleCounts[]): DataQuality | undefined {
  if (counts.length === 0) return undefined;
  const results = new Map<string, ExpectationResult>();
  for (const { dataset, rows, rules } of counts) {
    for (const { name, failed } of rules) {
      const key = JSON.stringify([dataset, name]);
      const before = results.get(key) ?? { name, dataset, passed_records: 0, failed_records: 0 };
      results.set(key, {
        ...before,
        passed_records: before.passed_records + rows - failed,
        failed_records: before.failed_records + failed,
      });
    }
  }
  return {
    dropped_records: counts.reduce((sum, { dropped }) => sum + dropped, 0),
    quarantined_records: counts.reduce((sum, { quarantined }) => sum + quarantined, 0),
    expectations: [...results.values()],
  };
}
