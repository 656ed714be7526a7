import picocolors from "picocolors";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { graphFlow, queryFlow } from "../../graph/test-builders.js";
import { IngotError } from "../../model/error.js";
import { createEmitter } from "../../run/emitter.js";
import { testIo } from "../test-io.js";
import { liveView } from "./live-view.js";

// Built from text: a control character may not stand in a regular expression.
const ESCAPE = "\u001B";
const UP = new RegExp(`${ESCAPE}\\[(\\d+)A${ESCAPE}\\[0J`, "g");
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, "g");

/** What a terminal shows after this text: of control codes it knows "up" and "clear below". */
function screen(text: string): string[] {
  const lines: string[] = [];
  let row = 0;
  // The numbers of lines to go up stand between the texts.
  for (const [i, part] of text.split(UP).entries()) {
    if (i % 2 === 1) {
      row -= Number(part);
      lines.length = row;
      continue;
    }
    const written = part.split("\n");
    for (const [j, line] of written.entries()) if (line !== "") lines[row + j] = line;
    row += written.length - 1;
  }
  return lines;
}

function view(terminal: { columns?: number; rows?: number } = {}) {
  const io = testIo({ ...terminal, isTTY: true, clock: () => new Date() });
  const reporter = liveView(io, picocolors.createColors(false));
  const emitter = createEmitter("shop", "r", io.clock, [reporter.listen]);
  return { io, reporter, emitter, shown: () => screen(io.err()).map((line) => line.trimEnd()) };
}

const flow = (name: string) => graphFlow(queryFlow(name), {});

describe("liveView", () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-10-01T12:00:00Z") }));
  afterEach(() => void vi.useRealTimers());

  it("keeps one line a flow, with what it does and came to", () => {
    const { emitter, shown } = view();
    for (const name of ["a", "bronze"]) emitter.flow(flow(name), "QUEUED");
    emitter.flow(flow("a"), "RUNNING");
    expect(shown()).toEqual(["▸ spark_catalog.default.a       RUNNING", "· spark_catalog.default.bronze  QUEUED"]);
    const metrics = { num_output_rows: 3, table_version: 1, duration_ms: 20 };
    emitter.flow(flow("a"), "COMPLETED", { reason: "1 new file", metrics });
    emitter.flow(flow("bronze"), "FAILED", { error: new IngotError("DIVIDE_BY_ZERO", "a / 0\nmore") });
    expect(shown()).toEqual([
      "✔ spark_catalog.default.a       COMPLETED  1 new file; 3 rows, version 1, 20 ms",
      "✖ spark_catalog.default.bronze  FAILED     DIVIDE_BY_ZERO: a / 0",
    ]);
  });

  it("keeps warnings above the lines", () => {
    const { emitter, shown } = view();
    emitter.flow(flow("a"), "QUEUED");
    emitter.notice("WARN", "x.csv is held back");
    emitter.flow(flow("a"), "RUNNING");
    expect(shown()).toEqual(["! x.csv is held back", "▸ spark_catalog.default.a  RUNNING"]);
  });

  it("counts the time of a flow that works", () => {
    const { emitter, shown } = view();
    emitter.flow(flow("a"), "RUNNING");
    vi.advanceTimersByTime(64_000);
    expect(shown()).toEqual(["▸ spark_catalog.default.a  RUNNING    1m 04s"]);
  });

  it("shows nothing of what is excluded", () => {
    const { emitter, shown } = view();
    emitter.flow(flow("a"), "EXCLUDED");
    expect(shown()).toEqual([]);
  });

  it("never draws beyond the terminal, which could not be erased", () => {
    const { io, emitter, shown } = view({ columns: 30, rows: 4 });
    for (let i = 0; i < 9; i++) emitter.flow(flow(`table_with_a_long_name_${i}`), "QUEUED");
    expect(shown()).toHaveLength(3);
    for (const line of shown()) expect(line.length).toBeLessThan(30);
    for (const [, up] of io.err().matchAll(UP)) expect(Number(up)).toBeLessThan(4);
  });

  it("cuts by what is seen: colours take no room and are closed", () => {
    const io = testIo({ columns: 12, isTTY: true });
    const { listen, close } = liveView(io, picocolors.createColors(true));
    createEmitter("shop", "r", io.clock, [listen]).flow(flow("a"), "COMPLETED");
    close();
    const last = io.err().trimEnd().split("\n").at(-1) ?? "";
    expect(last.replace(COLOUR, "")).toBe("✔ spark_cat");
    expect(last.endsWith("\u001B[22m") || last.endsWith("\u001B[39m")).toBe(true);
  });

  it("leaves the last state on the screen, once, and stops", () => {
    const { io, emitter, reporter, shown } = view();
    emitter.flow(flow("a"), "COMPLETED");
    reporter.close();
    const text = io.err();
    io.stderr.write("result\n");
    reporter.close();
    vi.advanceTimersByTime(10_000);
    expect(io.err()).toBe(`${text}result\n`);
    expect(shown()).toEqual(["✔ spark_catalog.default.a  COMPLETED", "result"]);
  });
});
