import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import type { WriteStep } from "../engine/engine.js";
import type { GraphNode } from "../graph/graph.js";
import { dataset, graphFlow, graphNode, keyOf, queryFlow, rejected } from "../graph/test-builders.js";
import { IngotError } from "../model/error.js";
import { OWNER_PROPERTY } from "../model/table.js";
import { takeLock } from "./lock.js";
import { TestEngine, testRun } from "./test-engine.js";

/** A materialized view over others, by name. */
function view(name: string, ...reads: string[]): GraphNode {
  const inputs = reads.map((read, i) => {
    const location = `/p/tables/${read}`;
    return [`r${i}`, { kind: "table", stream: false, location, name: read, key: keyOf(read) }] as const;
  });
  const flow = graphFlow(queryFlow(name), Object.fromEntries(inputs));
  return graphNode(dataset(name, "materialized-view"), [flow], { upstream: new Set(reads.map(keyOf)) });
}

/** `a` above `b` and `c`, which stand side by side above `d`; `e` alone. */
const GRAPH = [view("a"), view("e"), view("b", "a"), view("c", "a"), view("d", "b", "c")];
const only = (...names: string[]) => GRAPH.filter((node) => names.includes(node.dataset.name.table));
const nameOf = (step: WriteStep) => step.target.location.split("/").at(-1) ?? "";

function failing(names: readonly string[], error: () => Error): TestEngine {
  const engine = new TestEngine();
  engine.onWrite = async (step) => {
    if (names.includes(nameOf(step))) throw error();
    return undefined;
  };
  return engine;
}

const conflict = () => new IngotError({ code: "DELTA_CONCURRENT_DELETE_READ", exit: "locked" }, "another writer won");
const statuses = (flows: readonly string[], name: string) =>
  flows.flatMap((f) => (f.startsWith(`${name} `) ? f.slice(2) : []));
const TERMINAL = ["COMPLETED", "FAILED", "SKIPPED", "STOPPED", "EXCLUDED"];

describe("a run", () => {
  it("writes each table once, after what it reads", async () => {
    const engine = new TestEngine();
    const { summary, flows, events } = await testRun(engine, writeProject({}), GRAPH);
    expect(summary.state).toBe("COMPLETED");
    const order = engine.writes.map(nameOf);
    expect([...order].sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect(order.indexOf("a")).toBeLessThan(Math.min(order.indexOf("b"), order.indexOf("c")));
    expect(order.indexOf("d")).toBeGreaterThan(Math.max(order.indexOf("b"), order.indexOf("c")));
    expect(statuses(flows, "d")).toEqual(["QUEUED", "PLANNING", "STARTING", "RUNNING", "COMPLETED"]);
    expect(flows.slice(0, 5)).toEqual(["a QUEUED", "e QUEUED", "b QUEUED", "c QUEUED", "d QUEUED"]);
    expect(events.at(-1)).toMatchObject({
      message: "Run is COMPLETED.",
      details: { run_progress: { state: "COMPLETED" } },
    });
    expect(events.map((e) => e.sequence)).toEqual(events.map((_, i) => i));
  });

  it("runs independent tables side by side", async () => {
    const engine = new TestEngine();
    // Each of the two waits in its write until the other is there: one after the other would never end.
    const waiting: (() => void)[] = [];
    engine.onWrite = async (step) => {
      if (!["b", "c"].includes(nameOf(step))) return undefined;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 2) for (const go of waiting) go();
      });
      return undefined;
    };
    expect((await testRun(engine, writeProject({}), GRAPH)).summary.state).toBe("COMPLETED");
  });

  it("fills no more tables at once than it may", async () => {
    const engine = new TestEngine();
    let [now, most] = [0, 0];
    engine.onWrite = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return undefined;
    };
    await testRun(engine, writeProject({}), GRAPH, { maxConcurrent: 1 });
    expect(most).toBe(1);
  });

  it("does nothing where nothing changed", async () => {
    const engine = new TestEngine();
    const storage = writeProject({});
    await testRun(engine, storage, GRAPH);
    engine.writes.length = 0;
    const { summary, flows } = await testRun(engine, storage, GRAPH);
    expect([summary.state, engine.writes]).toEqual(["COMPLETED", []]);
    expect(statuses(flows, "d").at(-1)).toBe("COMPLETED");
  });

  it("excludes what was not asked for, and reads it as it is", async () => {
    const engine = new TestEngine();
    const storage = writeProject({});
    await testRun(engine, storage, GRAPH);
    engine.put("/p/tables/a", { version: 9n, id: "id of /p/tables/a" });
    const { flows } = await testRun(engine, storage, GRAPH, { only: only("b") });
    expect(engine.rows("/p/tables/b")).toEqual(["/p/tables/a as of 9"]);
    expect(flows.filter((f) => f.endsWith("EXCLUDED"))).toEqual([
      "a EXCLUDED",
      "e EXCLUDED",
      "c EXCLUDED",
      "d EXCLUDED",
    ]);
    expect(statuses(flows, "b").at(-1)).toBe("COMPLETED");
  });
});

describe("a flow that fails", () => {
  it("skips what reads it and stops nothing else", async () => {
    const engine = failing(["b"], () => new IngotError("DIVIDE_BY_ZERO", "a / 0"));
    const { summary, flows, events, pauses } = await testRun(engine, writeProject({}), [...GRAPH, view("f", "d")]);
    expect(Object.fromEntries([...summary.outcomes].map(([key, o]) => [key.split("\u0000")[2], o.status]))).toEqual({
      a: "COMPLETED",
      b: "FAILED",
      c: "COMPLETED",
      d: "SKIPPED",
      e: "COMPLETED",
      f: "SKIPPED",
    });
    expect(summary).toMatchObject({ state: "FAILED", error: { code: "DIVIDE_BY_ZERO" } });
    expect(statuses(flows, "d")).toEqual(["QUEUED", "SKIPPED"]);
    expect(pauses).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      level: "ERROR",
      message: "Run is FAILED since flow 'spark_catalog.default.b' has failed.",
      error: { code: "DIVIDE_BY_ZERO", sqlState: "22012" },
    });
    expect(events.find((e) => e.message.includes("SKIPPED"))?.details).toMatchObject({
      flow_progress: { reason: "upstream b failed" },
    });
  });

  it("ends each flow in one terminal state, and names all that failed", async () => {
    const { flows, events } = await testRun(
      failing(["b", "e"], () => new Error("odd")),
      writeProject({}),
      GRAPH,
    );
    for (const name of "abcde") expect(statuses(flows, name).filter((s) => TERMINAL.includes(s))).toHaveLength(1);
    expect(events.at(-1)?.message).toBe(
      "Run is FAILED since flows 'spark_catalog.default.e', 'spark_catalog.default.b' have failed.",
    );
    expect(events.at(-1)?.error?.code).toBe("INTERNAL_ERROR");
  });

  it("is tried again where another writer won, with growing pauses", async () => {
    let left = 2;
    const engine = new TestEngine();
    engine.onWrite = async (step) => {
      if (nameOf(step) === "e" && left-- > 0) throw conflict();
      return undefined;
    };
    const { summary, flows, events, pauses } = await testRun(engine, writeProject({}), only("e"));
    expect([summary.state, pauses]).toEqual(["COMPLETED", [1000, 2000]]);
    const attempt = ["STARTING", "RUNNING"];
    expect(statuses(flows, "e")).toEqual([
      "QUEUED",
      "PLANNING",
      ...attempt,
      "FAILED",
      ...attempt,
      "FAILED",
      ...attempt,
      "COMPLETED",
    ]);
    expect(events.filter((e) => e.message.includes("FAILED")).map((e) => e.level)).toEqual(["WARN", "WARN"]);
  });

  it("is still a full refresh where it could not be planned at first", async () => {
    const [engine, storage] = [new TestEngine(), writeProject({})];
    await testRun(engine, storage, only("e"));
    const describeTable = engine.describe.bind(engine);
    // The graph looks, then the run whether the graph still holds, then the plan.
    let looks = 0;
    engine.describe = async (...args) => {
      if (++looks === 3) throw conflict();
      return describeTable(...args);
    };
    const selection = { selected: new Set([keyOf("e")]), reset: new Set([keyOf("e")]), protectedTables: [] };
    const { summary, flows } = await testRun(engine, storage, only("e"), { selection });
    expect(summary.state).toBe("COMPLETED");
    expect(statuses(flows, "e").filter((s) => TERMINAL.includes(s))).toEqual(["FAILED", "COMPLETED"]);
    expect(engine.writes.map(nameOf)).toEqual(["e", "e"]);
  });

  it("gives up after the third attempt", async () => {
    const { summary, events, pauses } = await testRun(failing(["e"], conflict), writeProject({}), only("e"));
    expect(summary).toMatchObject({ state: "FAILED", error: { code: "DELTA_CONCURRENT_DELETE_READ" } });
    expect(pauses).toEqual([1000, 2000]);
    const levels = events.filter((e) => e.message.includes("has FAILED")).map((e) => e.level);
    expect(levels).toEqual(["WARN", "WARN", "ERROR"]);
  });
});

describe("a run that is interrupted", () => {
  it("begins nothing new after the first signal; what is committing ends", async () => {
    const stop = new AbortController();
    const engine = new TestEngine();
    engine.onWrite = async () => {
      stop.abort();
      return undefined;
    };
    const { summary, flows, events } = await testRun(engine, writeProject({}), only("a", "b"), { stop: stop.signal });
    expect(summary.state).toBe("CANCELED");
    expect(statuses(flows, "a").at(-1)).toBe("COMPLETED");
    expect(statuses(flows, "b")).toEqual(["QUEUED", "STOPPED"]);
    expect(events.at(-1)?.message).toBe("Run is CANCELED.");
  });

  it("stops in the middle at the second signal, and the table stays as it was", async () => {
    const [stop, abort] = [new AbortController(), new AbortController()];
    const engine = new TestEngine();
    engine.onWrite = async (_, signal) => {
      stop.abort();
      abort.abort(new IngotError("INTERRUPTED", "The run was interrupted"));
      signal.throwIfAborted();
      return undefined;
    };
    const signals = { stop: stop.signal, abort: abort.signal };
    const { summary, flows } = await testRun(engine, writeProject({}), only("a"), signals);
    expect([summary.state, engine.tables.size]).toEqual(["CANCELED", 0]);
    expect(statuses(flows, "a").at(-1)).toBe("STOPPED");
  });

  it("does not try again when it is stopped in a pause", async () => {
    const stop = new AbortController();
    const engine = failing(["e"], conflict);
    const wait = async () => stop.abort();
    const { summary, flows } = await testRun(engine, writeProject({}), only("e"), { wait, stop: stop.signal });
    expect([summary.state, engine.writes.length]).toEqual(["CANCELED", 1]);
    expect(statuses(flows, "e").slice(-2)).toEqual(["FAILED", "STOPPED"]);
  });
});

describe("one owner a table", () => {
  it.each([
    ["another pipeline", { [OWNER_PROPERTY]: "theirs" }, /belongs to the pipeline theirs/],
    ["nobody", {}, /is there already .* and no pipeline made it/],
  ])("refuses a table of %s before anything runs", async (_, properties, message) => {
    const engine = new TestEngine();
    engine.put("/p/tables/d", { properties });
    const storage = writeProject({});
    const error = await rejected(testRun(engine, storage, GRAPH));
    expect(error).toMatchObject({ code: "TABLE_OWNED_BY_OTHER_PIPELINE", object: "spark_catalog.default.d" });
    expect(error.message).toMatch(message);
    expect(engine.writes).toEqual([]);
    (await takeLock(storage, "free again")).release();
  });

  it("tells all of them at once, and none that the run would not write", async () => {
    const engine = new TestEngine();
    for (const name of ["a", "b", "e"]) engine.put(`/p/tables/${name}`);
    const error = await rejected(testRun(engine, writeProject({}), GRAPH, { only: only("b", "e") }));
    expect([error, ...error.others].map((e) => e.object?.at(-1))).toEqual(["e", "b"]);
  });

  it("marks the tables that it makes", async () => {
    const engine = new TestEngine();
    await testRun(engine, writeProject({}), only("a"), { id: "mine" });
    expect(engine.writes[0]?.target.properties).toEqual({ [OWNER_PROPERTY]: "mine" });
  });
});

describe("before the tables", () => {
  it("tells a table that nobody defines any more, and keeps its data (V09)", async () => {
    const engine = new TestEngine();
    const storage = writeProject({});
    await testRun(engine, storage, only("a", "e"));
    const kept = "/p/tables/e";
    const { events } = await testRun(engine, storage, only("a"));
    expect(events.filter((e) => e.event_type === "notice").map((e) => [e.level, e.message])).toEqual([
      ["WARN", `e is no longer defined, data kept at ${kept}`],
    ]);
    expect(engine.tables.has(kept)).toBe(true);
  });

  it("tells tables that forbid the full refresh of all", async () => {
    const selection = { selected: new Set([keyOf("a")]), reset: new Set<string>(), protectedTables: [keyOf("a")] };
    const { events } = await testRun(new TestEngine(), writeProject({}), only("a"), { selection });
    expect(events[0]).toMatchObject({ level: "WARN", message: expect.stringMatching(/^a forbids a full refresh/) });
  });

  it("is locked out by another run, which it names, and writes nothing", async () => {
    const [engine, storage] = [new TestEngine(), writeProject({})];
    const lock = await takeLock(storage, "other");
    expect(await rejected(testRun(engine, storage, GRAPH))).toMatchObject({ code: "RUN_LOCKED" });
    lock.release();
    expect(engine.writes).toEqual([]);
    expect((await testRun(engine, storage, GRAPH)).summary.state).toBe("COMPLETED");
  });
});
