import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, it, onTestFinished } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { run } from "./commands/run.js";
import { testIo } from "./test-io.js";

it("a run tells the provider of OpenTelemetry that its process has", async () => {
  const cwd = writeProject({
    "ingot.yml": "name: shop\nstorage: storage\nlibraries:\n  - glob: {include: all.sql}\n",
    "all.sql": "CREATE MATERIALIZED VIEW t AS SELECT explode(array(1, 2)) AS id;",
  });
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  onTestFinished(() => trace.disable());
  expect(await run({ refresh: [], fullRefresh: [], fullRefreshAll: false }, testIo({ cwd }))).toBe(0);
  const spans = exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes["ingot.num_output_rows"]]);
  expect(spans).toEqual([
    ["spark_catalog.default.t", 2],
    ["ingot run", undefined],
  ]);
});
