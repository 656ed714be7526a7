import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import type { GraphNode } from "../graph/graph.js";
import { DEFAULTS, dataset, graphFlow, graphNode, keyOf, queryFlow, rejected } from "../graph/test-builders.js";
import { LandingFiles } from "../sources/files/landing-files.js";
import { knownPipelineId } from "./pipeline-state.js";
import { planRun } from "./plan-run.js";
import { TestEngine, testRun } from "./test-engine.js";

const SOURCE = { kind: "table", stream: true, location: "/p/source", name: "source" } as const;
const bronze = graphNode(dataset("bronze"), [graphFlow(queryFlow("bronze"), { r0: SOURCE })]);
const view = (name: string, read: GraphNode) => {
  const location = read.location ?? "";
  const input = { kind: "table", stream: false, location, name: read.dataset.name.table, key: read.key } as const;
  const flow = graphFlow(queryFlow(name), { r0: input });
  return graphNode(dataset(name, "materialized-view"), [flow], { upstream: new Set([read.key]) });
};
const silver = view("silver", bronze);
const gold = view("gold", silver);
const NODES = [bronze, silver, gold];

async function plan(engine: TestEngine, storage: string, only = NODES, reset: readonly GraphNode[] = []) {
  const nodes = await Promise.all(
    NODES.map(async (node) => {
      const existing = await engine.describe(node.location ?? "");
      return existing === undefined ? node : { ...node, existing };
    }),
  );
  const keys = (of: readonly GraphNode[]) => new Set(of.map((n) => n.key));
  const selection = { selected: keys(only), reset: keys(reset), protectedTables: [] };
  const owner = await knownPipelineId(storage, undefined);
  const context = { root: "/p", storage, owner, engine, landing: new LandingFiles("/p"), clock: () => new Date(0) };
  const tables = await planRun({ defaults: DEFAULTS, nodes, externals: [], warnings: [] }, selection, context);
  return tables.flatMap((t) => t.flows.map((f) => `${f.flow}: ${f.action}, ${f.reason}`));
}

function world() {
  const engine = new TestEngine();
  engine.put("/p/source", { version: 2n });
  return { engine, storage: join(writeProject({}), "state") };
}

it("says what a first run does, below it too, and writes nothing", async () => {
  const { engine, storage } = world();
  expect(await plan(engine, storage)).toEqual([
    "bronze: append, source up to version 2",
    "silver: recompute, after bronze",
    "gold: recompute, after silver",
  ]);
  expect([existsSync(storage), engine.writes]).toEqual([false, []]);
});

it("says that nothing is to be done, and what is excluded", async () => {
  const { engine, storage } = world();
  await testRun(engine, storage, NODES);
  const unchanged = "unchanged: the same query over the same inputs";
  expect(await plan(engine, storage)).toEqual([
    "bronze: nothing, nothing new",
    `silver: nothing, ${unchanged}`,
    `gold: nothing, ${unchanged}`,
  ]);
  engine.put("/p/source", { version: 3n });
  expect(await plan(engine, storage, [silver])).toEqual([
    "bronze: excluded, not named by --refresh or --full-refresh",
    `silver: nothing, ${unchanged}`,
    "gold: excluded, not named by --refresh or --full-refresh",
  ]);
});

it("says a full refresh and a replay", async () => {
  const { engine, storage } = world();
  await testRun(engine, storage, NODES);
  expect((await plan(engine, storage, [bronze], [bronze]))[0]).toBe(
    "bronze: full refresh, full refresh: source up to version 2",
  );
  engine.put("/p/source", { version: 3n });
  engine.onWrite = async () => {
    throw new Error("died");
  };
  await testRun(engine, storage, NODES);
  expect(await plan(engine, storage)).toEqual([
    "bronze: replay, batch 1 was planned and not committed",
    "silver: recompute, after bronze",
    "gold: recompute, after silver",
  ]);
});

it("refuses a table of another pipeline, also below one that changes", async () => {
  const { engine, storage } = world();
  engine.put("/p/tables/gold", { properties: { "pipelines.pipelineId": "theirs" } });
  expect(await rejected(plan(engine, storage))).toMatchObject({
    code: "TABLE_OWNED_BY_OTHER_PIPELINE",
    object: "spark_catalog.default.gold",
  });
  expect(
    await plan(
      engine,
      storage,
      NODES.filter((n) => n.key !== keyOf("gold")),
    ),
  ).toHaveLength(3);
});
