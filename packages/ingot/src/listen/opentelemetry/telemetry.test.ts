import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, it } from "vitest";
import type { FlowStatus, RunEvent } from "../../model/event.js";
import { hasTelemetry } from "./has-telemetry.js";
import { openTelemetry } from "./telemetry.js";

const origin = { pipeline_name: "shop", run_id: "r1" };
const second = (n: number) => `2026-10-01T10:00:0${n}.000Z`;
const event = (at: number, details: RunEvent["details"], more: Partial<RunEvent> = {}): RunEvent => ({
  id: "x",
  sequence: at,
  timestamp: second(at),
  level: "INFO",
  event_type: "notice",
  message: "m",
  origin,
  details,
  ...more,
});
const flow = (at: number, name: string, status: FlowStatus, more: object = {}, error?: RunEvent["error"]) =>
  event(
    at,
    { flow_progress: { status, ...more } },
    { origin: { ...origin, flow_name: name, dataset_name: name }, ...(error === undefined ? {} : { error }) },
  );

const RUN = [
  event(0, { create_run: { command: "run", user: "me" } }),
  flow(0, "a", "QUEUED"),
  flow(1, "a", "STARTING"),
  flow(1, "b", "STARTING"),
  flow(2, "a", "RUNNING"),
  flow(3, "a", "COMPLETED", {
    metrics: { num_output_rows: 5, duration_ms: 1500 },
    data_quality: {
      dropped_records: 1,
      quarantined_records: 2,
      expectations: [{ name: "pos", dataset: "a", passed_records: 5, failed_records: 3 }],
    },
  }),
  flow(4, "b", "FAILED", {}, { code: "EXPECTATION_VIOLATION", message: 'such as {"iban":"DE05"}' }),
  flow(4, "c", "SKIPPED"),
  event(5, { run_progress: { state: "FAILED" } }, { error: { code: "EXPECTATION_VIOLATION", message: "DE05" } }),
];

afterEach(() => {
  trace.disable();
  metrics.disable();
});

it("is not there unless somebody has registered a provider", () => {
  expect(hasTelemetry()).toBe(false);
  trace.setGlobalTracerProvider(new BasicTracerProvider());
  expect(hasTelemetry()).toBe(true);
});

it("makes a span of the run and one of each flow below it, which are sent when it closes", async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }));
  const telemetry = await openTelemetry();
  for (const one of RUN) telemetry.listen(one);
  await telemetry.close();
  const spans = exporter.getFinishedSpans();
  const run = spans.find(({ name }) => name === "ingot run");
  const ms = ([seconds, nanos]: [number, number]) => new Date(seconds * 1000 + nanos / 1e6).toISOString();
  expect(
    spans.map(({ name, startTime, endTime, parentSpanContext, status, attributes }) => ({
      name,
      from: ms(startTime),
      to: ms(endTime),
      below: parentSpanContext?.spanId,
      code: status.code,
      attributes,
    })),
  ).toEqual([
    {
      name: "a",
      from: second(1),
      to: second(3),
      below: run?.spanContext().spanId,
      code: 0,
      attributes: {
        "ingot.dataset": "a",
        "ingot.run_id": "r1",
        "ingot.status": "COMPLETED",
        "ingot.num_output_rows": 5,
        "ingot.duration_ms": 1500,
        "ingot.dropped_records": 1,
        "ingot.quarantined_records": 2,
      },
    },
    {
      name: "b",
      from: second(1),
      to: second(4),
      below: run?.spanContext().spanId,
      code: 2,
      attributes: {
        "ingot.dataset": "b",
        "ingot.run_id": "r1",
        "ingot.status": "FAILED",
        "error.type": "EXPECTATION_VIOLATION",
      },
    },
    {
      name: "ingot run",
      from: second(0),
      to: second(5),
      below: undefined,
      code: 2,
      attributes: {
        "ingot.pipeline": "shop",
        "ingot.run_id": "r1",
        "ingot.state": "FAILED",
        "error.type": "EXPECTATION_VIOLATION",
      },
    },
  ]);
  expect(JSON.stringify(spans.map(({ attributes, status, events }) => [attributes, status, events]))).not.toContain(
    "DE05",
  );
});

it("counts runs, flows, rows and what rules did to them", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  const telemetry = await openTelemetry();
  for (const one of RUN) telemetry.listen(one);
  await telemetry.close();
  const found =
    exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  const values = Object.fromEntries(
    found.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.map(({ attributes, value }) => [
        Object.values(attributes).join(" "),
        typeof value === "number" ? value : (value as { sum?: number }).sum,
      ]),
    ]),
  );
  expect(values).toEqual({
    "ingot.runs": [["shop FAILED", 1]],
    "ingot.flows": [
      ["shop a COMPLETED", 1],
      ["shop b FAILED", 1],
      ["shop c SKIPPED", 1],
    ],
    "ingot.rows": [["shop a", 5]],
    "ingot.rows.set_aside": [
      ["shop a drop", 1],
      ["shop a quarantine", 2],
    ],
    "ingot.expectation.failures": [["shop a pos", 3]],
    "ingot.flow.duration": [["shop a", 1.5]],
  });
  await provider.shutdown();
});

it("waits no longer than it may for a provider that hangs", async () => {
  const hanging = Object.assign(new BasicTracerProvider(), { forceFlush: () => new Promise<void>(() => {}) });
  trace.setGlobalTracerProvider(hanging);
  await (await openTelemetry(1)).close();
});
