import type { DataQuality, FlowMetrics, RunEvent } from "../../model/event.js";
import type { Colours } from "../colour.js";
import type { Io } from "../io.js";

/** Silence longer than this is broken by a line, so that a log shows that the run lives. */
const HEARTBEAT_MS = 30_000;

export interface Reporter {
  listen(event: RunEvent): void;
  close(): void;
}

/** Spark's lines: `YYYY-MM-DD HH:MM:SS: message`, UTC, with what came of it behind. */
export function plainLines(io: Io, colours: Colours, options: { readonly quiet: boolean }): Reporter {
  const running = new Set<string>();
  let last = io.clock().getTime();
  const print = (text: string): void => {
    last = io.clock().getTime();
    io.stderr.write(`${text}\n`);
  };
  const heartbeat = setInterval(() => {
    if (running.size === 0 || io.clock().getTime() - last < HEARTBEAT_MS) return;
    print(`${stamp(io.clock().toISOString())}: still running: ${[...running].join(", ")}`);
  }, HEARTBEAT_MS / 3);
  heartbeat.unref();
  return {
    listen(event) {
      const flow = event.origin.flow_name;
      if (flow !== undefined && "flow_progress" in event.details) {
        if (event.details.flow_progress.status === "RUNNING") running.add(flow);
        else running.delete(flow);
      }
      // These are for the event log.
      if (event.event_type === "create_run" || event.event_type === "planning_information") return;
      if (options.quiet && event.level === "INFO") return;
      print(formatEvent(event, colours));
    },
    close: () => clearInterval(heartbeat),
  };
}

/** An event as one line. */
export function formatEvent(event: RunEvent, colours: Colours): string {
  const text = `${stamp(event.timestamp)}: ${event.message}${detail(event)}`;
  return event.level === "ERROR" ? colours.red(text) : event.level === "WARN" ? colours.yellow(text) : text;
}

function stamp(timestamp: string): string {
  return timestamp.slice(0, 19).replace("T", " ");
}

function detail(event: RunEvent): string {
  if (event.error !== undefined && event.event_type === "flow_progress")
    return ` ${event.error.code}: ${firstLine(event.error.message)}`;
  if (!("flow_progress" in event.details)) return "";
  const { reason, metrics, data_quality: quality } = event.details.flow_progress;
  const texts = [reason, describeMetrics(metrics), describeQuality(quality)].filter((t) => t !== undefined && t !== "");
  return texts.length === 0 ? "" : ` (${texts.join("; ")})`;
}

/** `5 rows, 1 corrupt, version 0, 120 ms`: what a batch came to; nothing where nothing was written. */
export function describeMetrics(metrics: FlowMetrics | undefined): string {
  if (metrics?.table_version === undefined) return "";
  return [
    describeRows(metrics),
    ...(metrics.num_corrupt_records === undefined || metrics.num_corrupt_records === 0
      ? []
      : [`${metrics.num_corrupt_records.toLocaleString("en-US")} corrupt`]),
    `version ${metrics.table_version}`,
    ...(metrics.duration_ms === undefined ? [] : [formatDuration(metrics.duration_ms)]),
  ].join(", ");
}

/** `pos: 3 failed; 2 dropped, 1 quarantined`: rules that rows fail; nothing where all pass. */
export function describeQuality(quality: DataQuality | undefined): string {
  if (quality === undefined) return "";
  const count = (n: number, what: string) => (n === 0 ? [] : [`${n.toLocaleString("en-US")} ${what}`]);
  const rules = quality.expectations.flatMap(({ name, failed_records: failed }) =>
    count(failed, "failed").map((text) => `${name}: ${text}`),
  );
  const away = [...count(quality.dropped_records, "dropped"), ...count(quality.quarantined_records, "quarantined")];
  return [...rules, ...(away.length === 0 ? [] : [away.join(", ")])].join("; ");
}

/** `5 rows`; of changes `3 upserted, 1 deleted, 2 late`. */
function describeRows(metrics: FlowMetrics): string {
  const count = (n: number) => n.toLocaleString("en-US");
  const { num_output_rows: rows = 0, num_upserted_rows: upserted, num_deleted_rows: deleted = 0 } = metrics;
  if (upserted === undefined) return `${count(rows)} row${rows === 1 ? "" : "s"}`;
  const { num_truncated_rows: truncated = 0, num_late: late = 0 } = metrics;
  return [
    `${count(upserted)} upserted`,
    `${count(deleted)} deleted`,
    ...(truncated === 0 ? [] : [`${count(truncated)} truncated`]),
    ...(late === 0 ? [] : [`${count(late)} late`]),
  ].join(", ");
}

/** `120 ms`, `2.5 s`, `1m 04s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  // From here on it would be rounded to 60.0 s.
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, "0")}s`;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
