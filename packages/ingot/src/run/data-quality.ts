import type { RuleCounts } from "../engine/engine.js";
import type { DataQuality, ExpectationResult } from "../model/event.js";
import type { FactCheck } from "../model/table-fact.js";

/**
 * What a flow's batches come to in the event log; undefined where no rule looked at them. A rule about the table as a
 * whole counts once a batch.
 */
export function dataQuality(counts: readonly RuleCounts[], facts: readonly FactCheck[] = []): DataQuality | undefined {
  if (counts.length + facts.length === 0) return undefined;
  const results = new Map<string, ExpectationResult>();
  const add = (dataset: string, name: string, passed: number, failed: number): void => {
    const key = JSON.stringify([dataset, name]);
    const before = results.get(key) ?? { name, dataset, passed_records: 0, failed_records: 0 };
    results.set(key, {
      ...before,
      passed_records: before.passed_records + passed,
      failed_records: before.failed_records + failed,
    });
  };
  for (const { dataset, rows, rules } of counts)
    for (const { name, failed } of rules) add(dataset, name, rows - failed, failed);
  for (const { dataset, name, fault } of facts)
    add(dataset, name, fault === undefined ? 1 : 0, fault === undefined ? 0 : 1);
  return {
    dropped_records: counts.reduce((sum, { dropped }) => sum + dropped, 0),
    quarantined_records: counts.reduce((sum, { quarantined }) => sum + quarantined, 0),
    expectations: [...results.values()],
  };
}
