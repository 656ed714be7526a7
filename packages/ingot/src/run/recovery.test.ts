import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import type { GraphNode } from "../graph/graph.js";
import { dataset, graphFlow, graphNode, manifest, PLACES, queryFlow } from "../graph/test-builders.js";
import type { Checkpoint } from "./checkpoint.js";
import { readCheckpoint, startGeneration } from "./checkpoint.js";
import { TestEngine, testRun } from "./test-engine.js";

// What a run leaves on disk when it dies, and what the next run makes of it. A row is named by the version it came from.

const SOURCE = "/p/source";
const TARGET = "/p/tables/t";
const flowOf = (name: string, kind: "st" | "mv" = "st") => {
  const input = { kind: "table", stream: kind === "st", location: SOURCE, name: "source" } as const;
  return graphFlow(queryFlow("t", "SELECT a int", { name }), { r0: input });
};
const table = (...names: string[]): GraphNode =>
  graphNode(
    dataset("t"),
    names.map((name) => flowOf(name)),
  );

class Death extends Error {}

/** A world of one source, which grows by a version at a time, and one target. */
function world(node: GraphNode) {
  const engine = new TestEngine();
  const storage = writeProject({});
  let version = -1n;
  const grow = () => {
    version += 1n;
    engine.put(SOURCE, { id: "source", version });
  };
  grow();
  const run = (reset = false) => testRun(engine, storage, [node], reset ? { reset: [node] } : {});
  const die = async (when: "before the commit" | "after the commit", reset = false) => {
    engine.onWrite = async () => {
      const dies = () => {
        throw new Death();
      };
      return when === "after the commit" ? dies : dies();
    };
    await run(reset);
    engine.onWrite = async () => undefined;
  };
  /** Every version of the source, once for each of the flows. */
  const all = (flows: number) =>
    Array.from({ length: Number(version) + 1 }, (_, v) => Array<string>(flows).fill(`${SOURCE}@${v}`)).flat();
  return { engine, storage, grow, run, die, all, rows: () => [...engine.rows(TARGET)].sort() };
}

const errorOf = ({ summary }: Awaited<ReturnType<typeof testRun>>) => summary.error;

describe("a streaming table", () => {
  it("loses no row and doubles none, whenever a run dies or starts again", async () => {
    const step = fc.constantFrom("grow", "run", "full refresh", "die before", "die after", "die in a full refresh");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.integer({ min: 1, max: 2 }), async (steps, flows) => {
        const { grow, run, die, all, rows } = world(table(...["one", "two"].slice(0, flows)));
        for (const s of steps) {
          if (s === "grow") grow();
          else if (s === "run" || s === "full refresh") await run(s === "full refresh");
          else if (s === "die in a full refresh") await die("before the commit", true);
          else await die(s === "die before" ? "before the commit" : "after the commit");
        }
        await run();
        expect(rows()).toEqual(all(flows).sort());
      }),
      { numRuns: 40 },
    );
  });

  it("finishes what was planned, and reads on in the same run", async () => {
    const { engine, grow, run, die } = world(table("t"));
    await die("before the commit");
    grow();
    const { summary, events } = await run();
    expect(engine.writes.map((w) => w.parts[0]?.transaction.version)).toEqual([0n, 0n, 1n]);
    expect(events.filter((e) => e.event_type === "notice").map((e) => e.message)).toEqual([
      "Replayed: batch 0 was planned and not committed (1 row, version 0).",
    ]);
    expect([...summary.outcomes.values()]).toMatchObject([{ status: "COMPLETED", rows: 2 }]);
  });

  it("commits a full refresh of all its flows at once", async () => {
    const { engine, grow, run, rows, all } = world(table("one", "two"));
    await run();
    grow();
    engine.writes.length = 0;
    const { events } = await run(true);
    const metrics = events.flatMap(({ details }) =>
      "flow_progress" in details ? (details.flow_progress.metrics ?? []) : [],
    );
    expect(metrics.map((m) => m.num_output_rows)).toEqual([2, 2]);
    expect(engine.writes).toMatchObject([{ mode: "overwrite", parts: [{}, {}] }]);
    expect(rows()).toEqual(all(2).sort());
  });

  it("goes on with a full refresh that died between the checkpoints of two flows", async () => {
    const node = table("one", "two");
    const { engine, storage, run, rows, all, grow } = world(node);
    await run();
    const [one] = node.flows;
    if (one === undefined) throw new Error("two flows");
    const inputs = { [`stream table ${SOURCE}`]: { kind: "appended", tableId: "source", to: "0" } } as const;
    await startGeneration(
      storage,
      one.flow,
      await readCheckpoint(storage, one.flow, PLACES.root),
      manifest(0, inputs, { mode: "reset" }),
      node.location ?? "",
      PLACES.root,
    );
    grow();
    engine.writes.length = 0;
    await run();
    expect(engine.writes[0]).toMatchObject({ mode: "overwrite", parts: [{}, {}] });
    expect(rows()).toEqual(all(2).sort());
  });

  it("keeps its position when a name is written in another case", async () => {
    const { engine, storage, grow, run, rows, all } = world(table("flow"));
    await run();
    grow();
    await testRun(engine, storage, [table("FLOW")]);
    expect(rows()).toEqual(all(1));
  });

  it.each<[string, (w: ReturnType<typeof world>, checkpoint: Checkpoint) => void, RegExp]>([
    [
      "the checkpoint is gone",
      (w) => rmSync(join(w.storage, "_checkpoints"), { recursive: true }),
      /holds batches of it, and the checkpoint is gone/,
    ],
    [
      "the checkpoint was put back from before",
      (_, c) => rmSync(join(c.folder, "batch-2.json")),
      /holds its batches up to 2, and the checkpoint has them up to 1/,
    ],
    ["the table is gone", (w) => w.engine.tables.delete(TARGET), /holds no batch, and the checkpoint has them up to 2/],
    [
      "the table was put back from before",
      (w, c) => {
        const now = w.engine.tables.get(TARGET);
        if (now === undefined) throw new Error("the runs made it");
        w.engine.tables.set(TARGET, { ...now, state: { ...now.state, transactions: new Map([[c.appId, 0n]]) } });
      },
      /holds its batches up to 0, and the checkpoint has them up to 2/,
    ],
  ])("is not continued where %s, until a full refresh", async (_, damage, message) => {
    const node = table("t");
    const w = world(node);
    for (let batch = 0; batch < 3; batch++) {
      w.grow();
      await w.run();
    }
    const checkpoint = await readCheckpoint(w.storage, (node.flows[0] as GraphNode["flows"][0]).flow, PLACES.root);
    if (checkpoint === undefined) throw new Error("the runs made it");
    damage(w, checkpoint);
    w.engine.writes.length = 0;
    w.grow();
    const error = errorOf(await w.run());
    expect(error).toMatchObject({ code: "CHECKPOINT_DAMAGED", object: TARGET });
    expect(error?.message).toMatch(message);
    expect(w.engine.writes).toEqual([]);
    expect((await w.run(true)).summary.state).toBe("COMPLETED");
    expect(w.rows()).toEqual(w.all(1).sort());
  });

  it("refuses a source that was made anew, until a full refresh", async () => {
    const w = world(table("t"));
    await w.run();
    w.engine.put(SOURCE, { id: "another", version: 0n });
    expect(errorOf(await w.run())).toMatchObject({ code: "CHECKPOINT_DAMAGED", object: "source" });
    expect((await w.run(true)).summary.state).toBe("COMPLETED");
  });
});

it("a stream does not follow a table that took rows away", async () => {
  const w = world(table("t"));
  const input = { kind: "table", stream: true, location: TARGET, name: "t", key: table("t").key } as const;
  const reader = graphNode(dataset("reader"), [graphFlow(queryFlow("reader"), { r0: input })], {
    upstream: new Set([input.key]),
  });
  const nodes = [table("t"), reader];
  await testRun(w.engine, w.storage, nodes);
  await w.run(true);
  const error = errorOf(await testRun(w.engine, w.storage, nodes));
  expect(error).toMatchObject({ code: "DELTA_SOURCE_TABLE_IGNORE_CHANGES" });
  expect((await testRun(w.engine, w.storage, nodes, { reset: [reader] })).summary.state).toBe("COMPLETED");
});

describe("a materialized view", () => {
  const view = graphNode(dataset("t", "materialized-view"), [flowOf("t", "mv")]);
  const now = (w: ReturnType<typeof world>) => [`${SOURCE} as of ${w.all(1).length - 1}`];

  it.each<[string, (w: ReturnType<typeof world>) => Promise<unknown> | unknown]>([
    ["a run that died before its commit", (w) => w.die("before the commit")],
    ["a run that died after its commit", (w) => w.die("after the commit")],
    ["a full refresh that died", (w) => w.die("before the commit", true)],
    ["a lost checkpoint", (w) => rmSync(join(w.storage, "_checkpoints"), { recursive: true })],
    ["a lost table", (w) => w.engine.tables.delete(TARGET)],
  ])("is computed anew after %s", async (_, harm) => {
    const w = world(view);
    await w.run();
    w.grow();
    await harm(w);
    expect((await w.run()).summary.state).toBe("COMPLETED");
    expect(w.rows()).toEqual(now(w));
  });
});
