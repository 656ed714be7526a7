import { describe, expect, it } from "vitest";
import { at, graphFlow, queryFlow } from "../graph/test-builders.js";
import { IngotError } from "../model/error.js";
import type { FlowStatus, RunEvent } from "../model/event.js";
import { createEmitter, type Emitter } from "./emitter.js";

const flow = graphFlow(queryFlow("S.T", "SELECT 1", { name: "f", at: at(4) }), {});
const clock = () => new Date("2026-10-01T12:00:00.123Z");

function hear(say: (emitter: Emitter) => void): RunEvent[] {
  const events: RunEvent[] = [];
  say(createEmitter("shop", "run-1", clock, [(event) => events.push(event)]));
  return events;
}
const one = (say: (emitter: Emitter) => void) => hear(say)[0];

describe("an emitter", () => {
  // Spark 4.2's own sentences and levels; the quotes stand where Spark has them.
  it.each<[FlowStatus, string, string]>([
    ["QUEUED", "INFO", "Flow spark_catalog.S.f is QUEUED."],
    ["PLANNING", "INFO", "Flow spark_catalog.S.f is PLANNING."],
    ["STARTING", "INFO", "Flow spark_catalog.S.f is STARTING."],
    ["RUNNING", "INFO", "Flow spark_catalog.S.f is RUNNING."],
    ["COMPLETED", "INFO", "Flow spark_catalog.S.f has COMPLETED."],
    ["EXCLUDED", "INFO", "Flow 'spark_catalog.S.f' is EXCLUDED."],
    ["FAILED", "ERROR", "Flow 'spark_catalog.S.f' has FAILED."],
    ["SKIPPED", "WARN", "Flow 'spark_catalog.S.f' SKIPPED due to upstream failure(s)."],
    ["STOPPED", "INFO", "Flow 'spark_catalog.S.f' has STOPPED."],
    ["IDLE", "INFO", "Flow 'spark_catalog.S.f' is IDLE, waiting for new data."],
  ])("says %s as Spark does", (status, level, message) => {
    expect(one((e) => e.flow(flow, status))).toMatchObject({ level, message, details: { flow_progress: { status } } });
  });

  it("warns of a failure that is tried again", () => {
    expect(one((e) => e.flow(flow, "FAILED", { retry: true }))).toMatchObject({ level: "WARN" });
  });

  it.each([
    ["COMPLETED", "INFO", "Run is COMPLETED."],
    ["CANCELED", "INFO", "Run is CANCELED."],
  ] as const)("ends a run with %s", (state, level, message) => {
    const details = { run_progress: { state, duration_ms: 5 } };
    expect(one((e) => e.run(state, { durationMs: 5 }))).toMatchObject({
      event_type: "run_progress",
      level,
      message,
      details,
    });
  });

  it("says whose flow it is, when, and where it is declared", () => {
    const metrics = { num_output_rows: 3 };
    expect(one((e) => e.flow(flow, "COMPLETED", { metrics, reason: "1 new file" }))).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: 0,
      timestamp: "2026-10-01T12:00:00.123Z",
      level: "INFO",
      event_type: "flow_progress",
      message: "Flow spark_catalog.S.f has COMPLETED.",
      origin: {
        pipeline_name: "shop",
        run_id: "run-1",
        dataset_name: "spark_catalog.S.T",
        flow_name: "spark_catalog.S.f",
        at: at(4),
      },
      details: { flow_progress: { status: "COMPLETED", metrics, reason: "1 new file" } },
    });
  });

  it("tells an error as text, with its SQLSTATE", () => {
    const error = new IngotError("DIVIDE_BY_ZERO", "a / 0", {
      hint: "Use try_divide.",
      at: at(2),
      cause: new Error("x"),
    });
    const event = one((e) => e.flow(flow, "FAILED", { error }));
    expect(event?.error).toEqual({
      code: "DIVIDE_BY_ZERO",
      message: "a / 0",
      hint: "Use try_divide.",
      sqlState: "22012",
      at: at(2),
    });
  });

  it("numbers events without a gap, the same for every listener", () => {
    const other: number[] = [];
    const events: RunEvent[] = [];
    const emitter = createEmitter("shop", "r", clock, [(e) => events.push(e), (e) => other.push(e.sequence)]);
    emitter.started("run", "me");
    emitter.flow(flow, "QUEUED");
    emitter.notice("INFO", "hello");
    emitter.run("COMPLETED");
    expect(events.map((e) => `${e.sequence} ${e.event_type}`)).toEqual([
      "0 create_run",
      "1 flow_progress",
      "2 notice",
      "3 run_progress",
    ]);
    expect(other).toEqual([0, 1, 2, 3]);
    expect(new Set(events.map((e) => e.id)).size).toBe(4);
  });

  it("drops a listener that fails, tells the others, and goes on", () => {
    const events: RunEvent[] = [];
    const broken = () => {
      throw new Error("disk full");
    };
    const emitter = createEmitter("shop", "r", clock, [broken, (e) => events.push(e)]);
    emitter.flow(flow, "QUEUED");
    emitter.flow(flow, "STARTING");
    expect(events.map((e) => [e.sequence, e.level, e.message.split("\n")[0]])).toEqual([
      [0, "INFO", "Flow spark_catalog.S.f is QUEUED."],
      [1, "WARN", expect.stringContaining("disk full")],
      [2, "INFO", "Flow spark_catalog.S.f is STARTING."],
    ]);
  });
});
