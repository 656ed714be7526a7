import type { Meter } from "@opentelemetry/api";
import type { RunEvent } from "../../model/event.js";

/** Counts what runs do. */
export function createMetrics(meter: Meter): (event: RunEvent) => void {
  const runs = meter.createCounter("ingot.runs", { description: "Runs that ended, by state" });
  const flows = meter.createCounter("ingot.flows", { description: "Flows that ended, by dataset and status" });
  const rows = meter.createCounter("ingot.rows", { description: "Rows written, by dataset" });
  const aside = meter.createCounter("ingot.rows.set_aside", { description: "Rows dropped or quarantined by rules" });
  const failures = meter.createCounter("ingot.expectation.failures", { description: "Rows that fail a rule" });
  const duration = meter.createHistogram("ingot.flow.duration", { unit: "s", description: "Of flows that wrote" });

  return ({ details, origin }) => {
    const pipeline = { "ingot.pipeline": origin.pipeline_name };
    if ("run_progress" in details) {
      if (details.run_progress.state !== "RUNNING")
        runs.add(1, { ...pipeline, "ingot.state": details.run_progress.state });
      return;
    }
    if (!("flow_progress" in details)) return;
    const { status, metrics, data_quality: quality } = details.flow_progress;
    if (status !== "COMPLETED" && status !== "FAILED" && status !== "SKIPPED") return;
    const dataset = { ...pipeline, "ingot.dataset": origin.dataset_name ?? "" };
    flows.add(1, { ...dataset, "ingot.status": status });
    const written = metrics?.num_output_rows ?? metrics?.num_upserted_rows ?? 0;
    if (written > 0) rows.add(written, dataset);
    if (metrics?.duration_ms !== undefined) duration.record(metrics.duration_ms / 1000, dataset);
    const { dropped_records: dropped = 0, quarantined_records: quarantined = 0, expectations = [] } = quality ?? {};
    if (dropped > 0) aside.add(dropped, { ...dataset, "ingot.action": "drop" });
    if (quarantined > 0) aside.add(quarantined, { ...dataset, "ingot.action": "quarantine" });
    for (const rule of expectations)
      if (rule.failed_records > 0)
        failures.add(rule.failed_records, {
          ...pipeline,
          "ingot.dataset": rule.dataset,
          "ingot.expectation": rule.name,
        });
  };
}
