import picocolors from "picocolors";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { graphFlow, queryFlow } from "../../graph/test-builders.js";
import { IngotError } from "../../model/error.js";
import { createEmitter, type Emitter } from "../../run/emitter.js";
import { testIo } from "../test-io.js";
import { describeMetrics, formatDuration, plainLines } from "./plain-lines.js";

const flow = graphFlow(queryFlow("t"), {});
const plain = picocolors.createColors(false);

/** What is printed for what is said; the clock stands still unless the test moves it. */
function print(say: (emitter: Emitter) => void, quiet = false): string[] {
  const io = testIo();
  const reporter = plainLines(io, plain, { quiet });
  say(createEmitter("shop", "r", io.clock, [reporter.listen]));
  reporter.close();
  return io.err().split("\n").slice(0, -1);
}

const story = (emitter: Emitter): void => {
  emitter.started("run", "me");
  emitter.flow(flow, "QUEUED");
  emitter.flow(flow, "RUNNING");
  const metrics = { num_output_rows: 1234, num_corrupt_records: 1, table_version: 7, duration_ms: 1500 };
  emitter.flow(flow, "COMPLETED", { reason: "2 new files, 1,234 records", metrics });
  emitter.flow(flow, "COMPLETED", { reason: "nothing new", metrics: { num_output_rows: 0 } });
  emitter.flow(flow, "FAILED", { error: new IngotError("DIVIDE_BY_ZERO", "a / 0\nmore"), retry: true });
  emitter.flow(flow, "SKIPPED", { reason: "upstream a failed" });
  emitter.notice("WARN", "x.csv is held back");
  emitter.run("FAILED", { error: new IngotError("DIVIDE_BY_ZERO", "a / 0") });
};

describe("plainLines", () => {
  it("prints Spark's lines, UTC, with what came of them", () => {
    expect(print(story)).toEqual([
      "2026-10-01 12:00:00: Flow spark_catalog.default.t is QUEUED.",
      "2026-10-01 12:00:00: Flow spark_catalog.default.t is RUNNING.",
      "2026-10-01 12:00:00: Flow spark_catalog.default.t has COMPLETED. (2 new files, 1,234 records; 1,234 rows, 1 corrupt, version 7, 1.5 s)",
      "2026-10-01 12:00:00: Flow spark_catalog.default.t has COMPLETED. (nothing new)",
      "2026-10-01 12:00:00: Flow 'spark_catalog.default.t' has FAILED. DIVIDE_BY_ZERO: a / 0",
      "2026-10-01 12:00:00: Flow 'spark_catalog.default.t' SKIPPED due to upstream failure(s). (upstream a failed)",
      "2026-10-01 12:00:00: x.csv is held back",
      "2026-10-01 12:00:00: Run is FAILED.",
    ]);
  });

  it("prints warnings and errors alone when it is quiet", () => {
    expect(print(story, true).map((line) => line.slice(21))).toEqual([
      "Flow 'spark_catalog.default.t' has FAILED. DIVIDE_BY_ZERO: a / 0",
      "Flow 'spark_catalog.default.t' SKIPPED due to upstream failure(s). (upstream a failed)",
      "x.csv is held back",
      "Run is FAILED.",
    ]);
  });

  it("paints warnings yellow and errors red", () => {
    const io = testIo();
    const { listen, close } = plainLines(io, picocolors.createColors(true), { quiet: false });
    const emitter = createEmitter("shop", "r", io.clock, [listen]);
    emitter.notice("WARN", "w");
    emitter.notice("ERROR", "e");
    close();
    const [warning, error] = io.err().split("\n");
    expect([warning?.slice(0, 5), error?.slice(0, 5)]).toEqual(["\u001B[33m", "\u001B[31m"]);
  });

  describe("when nothing happens for long", () => {
    beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-10-01T12:00:00Z") }));
    afterEach(() => void vi.useRealTimers());

    it("says every 30 seconds what still runs", () => {
      const io = testIo({ clock: () => new Date() });
      const { listen, close } = plainLines(io, plain, { quiet: true });
      const emitter = createEmitter("shop", "r", io.clock, [listen]);
      emitter.flow(flow, "RUNNING");
      vi.advanceTimersByTime(61_000);
      expect(io.err()).toBe(
        "2026-10-01 12:00:30: still running: spark_catalog.default.t\n2026-10-01 12:01:00: still running: spark_catalog.default.t\n",
      );
      emitter.flow(flow, "COMPLETED");
      vi.advanceTimersByTime(120_000);
      close();
      expect(io.err().split("\n")).toHaveLength(3);
    });
  });
});

it.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1000, "1.0 s"],
  [2540, "2.5 s"],
  [59_949, "59.9 s"],
  [59_950, "1m 00s"],
  [60_000, "1m 00s"],
  [64_400, "1m 04s"],
  [3_600_000, "60m 00s"],
])("formatDuration(%d) is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [undefined, ""],
  [{ num_output_rows: 5 }, ""],
  [{ num_output_rows: 1, table_version: 0 }, "1 row, version 0"],
  [{ num_upserted_rows: 1200, num_deleted_rows: 1, table_version: 4 }, "1,200 upserted, 1 deleted, version 4"],
  [
    { num_upserted_rows: 0, num_deleted_rows: 0, num_truncated_rows: 2, num_late: 3, table_version: 4 },
    "0 upserted, 0 deleted, 2 truncated, 3 late, version 4",
  ],
  [{ num_output_rows: 2, num_corrupt_records: 0, table_version: 3, duration_ms: 12 }, "2 rows, version 3, 12 ms"],
])("describeMetrics(%j) is %s", (metrics, text) => {
  expect(describeMetrics(metrics)).toBe(text);
});
