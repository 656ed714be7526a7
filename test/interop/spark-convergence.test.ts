import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localStore, type Store } from "../../packages/delta/src/index.js";
import {
  type TestEvent,
  type TestTarget,
  targetMaker,
  testRules,
} from "../../packages/ingot/src/engine/duckdb/cdc/test-changes.js";
import { DuckdbEngine } from "../../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import { SparkEngine } from "../../packages/ingot/src/engine/spark/spark-engine.js";
import { type ChangeRules, END_AT, START_AT } from "../../packages/ingot/src/model/changes.js";
import type { Field } from "../../packages/ingot/src/model/data-type.js";
import { type ModelRules, modelRows, modelVersions } from "./change-model.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const describeSpark = await describeWith("spark");

/** A batch costs seconds, and its keys nothing: so one stream holds many histories, each random by itself. */
const KEYS = 40;
const MOST = 8;
/** Names that may stand in the list of an event. */
const LISTABLE = ["k", "v", "w"];

const event = (k: string, truncates: boolean) =>
  fc
    .record({
      kind: fc.constantFrom<TestEvent["kind"]>("upsert", "upsert", "delete"),
      isTruncate: fc.integer({ min: 0, max: 60 }).map((n) => truncates && n === 0),
      seq: fc.integer({ min: 0, max: 7 }),
      v: fc.constantFrom("x", "y", null),
      w: fc.constantFrom("x", null),
      listed: fc.subarray(["v", "w"]),
    })
    .map(
      ({ isTruncate, ...one }): TestEvent =>
        // Early ones, so that rows are left behind the last.
        isTruncate ? { ...one, kind: "truncate", k: null, seq: Math.min(one.seq, 4) } : { ...one, k },
    );

/** Events in any order, cut into batches, some events twice. */
function stream(seed: number, truncates = false): readonly (readonly TestEvent[])[] {
  const histories = Array.from({ length: KEYS }, (_, i) =>
    fc.array(event(`k${i}`, truncates), { minLength: 1, maxLength: MOST }),
  );
  const batches = fc
    .tuple(...histories)
    .map((all) => all.flat())
    .chain((all) => fc.shuffledSubarray([...all, ...all.slice(0, KEYS)], { minLength: all.length + KEYS }))
    .map((all) => TURNS.map((_, i) => all.filter((_, at) => at % TURNS.length === i)));
  const [sample] = fc.sample(batches, { seed, numRuns: 1 });
  return sample ?? [];
}

/** Who applies a batch; `dies`: between the commits of state and target, and Spark does it again. */
const TURNS = [
  { engine: "spark", dies: false },
  { engine: "duckdb", dies: true },
  { engine: "spark", dies: true },
] as const;

/**
 * A store whose process dies between the commits of state and target, once it is told to: where the target is to be
 * written from here, where the state was, or where its log is read behind a commit.
 */
function mortalStore(store: Store) {
  let isArmed = false;
  let known: number | undefined;
  const die = () => {
    throw new Error("the process dies");
  };
  const mortal: Store = {
    ...store,
    list: async (path, after) => {
      const entries = await store.list(path, after);
      if (!isArmed || !path.includes("/state/")) return entries;
      known ??= entries.length;
      return entries.length > known ? die() : entries;
    },
    putIfAbsent: async (path, content) => {
      if (isArmed && path.includes("/t/")) return die();
      const isPut = await store.putIfAbsent(path, content);
      return isArmed && /\/state\/_delta_log\/\d{20}\.json$/.test(path) ? die() : isPut;
    },
  };
  const arm = (is: boolean) => {
    isArmed = is;
    known = undefined;
  };
  return { store: mortal, arm };
}

describeSpark("changes on Spark come to what the events say, in any order, batches, replays and deaths", () => {
  let server: SparkServer;
  beforeAll(async () => {
    server = await startSparkServer();
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
  });

  let turn: (typeof TURNS)[number]["engine"] = "spark";
  const { store, arm } = mortalStore(localStore);
  const openTarget = targetMaker((folder) => {
    const engines = { spark: new SparkEngine(folder, server.remote, store), duckdb: new DuckdbEngine(folder, store) };
    return {
      apply: (step, signal) => engines[turn].apply(step, signal),
      close: async () => {
        for (const engine of Object.values(engines)) await engine.close();
      },
    };
  });

  async function applyAll(target: TestTarget, batches: ReturnType<typeof stream>, columns: readonly Field[]) {
    let deaths = 0;
    for (const [i, { engine, dies }] of TURNS.entries()) {
      turn = engine;
      arm(dies);
      const isDead = await target.apply(batches[i] ?? [], { columns }).then(
        () => false,
        (error: unknown) => {
          if (String(error).includes("the process dies")) return true;
          throw error;
        },
      );
      arm(false);
      turn = "spark";
      if (isDead) await target.replay(batches[i] ?? [], { columns });
      deaths += Number(isDead);
    }
    expect(deaths).toBe(2);
  }

  const bound = (name: string): Field => ({ name, type: { kind: "bigint" }, nullable: true });

  it.each<[name: string, rules: ModelRules, more: Partial<ChangeRules>]>([
    ["all columns tracked, ties to the upsert", { ties: "upsert" }, {}],
    [
      "one column tracked, ties to the delete",
      { ties: "delete", tracksVOnly: true },
      { ties: "delete", tracked: ["v"] },
    ],
    ["NULL says nothing", { ties: "upsert", keepsNull: true }, { ignoreNulls: ["v", "w"] }],
    [
      "each lists what it writes, ties to the delete",
      { ties: "delete", lists: true, tracksVOnly: true },
      { ties: "delete", listable: LISTABLE, tracked: ["v"] },
    ],
  ])(
    "type 2: %s",
    async (name, rules, more) => {
      const batches = stream(name.length);
      const target = openTarget(testRules("state", { storedAs: "scd2", ...more }));
      await applyAll(target, batches, [...target.rules.columns, bound(START_AT), bound(END_AT)]);
      const found = await target.read(target.location, `k, v, w, ${START_AT}, ${END_AT}`);
      expect(found.map((row) => row.map(String).join(":")).sort()).toEqual(modelVersions(batches.flat(), rules));
    },
    400_000,
  );

  it.each<[name: string, sequence: "state" | "column", rules: ModelRules, more: Partial<ChangeRules>]>([
    ["truncates", "state", { ties: "upsert" }, { truncates: true }],
    ["truncates, ties to the delete, the sequence in a column", "column", { ties: "delete" }, { truncates: true }],
    ["NULL says nothing", "state", { ties: "upsert", keepsNull: true }, { ignoreNulls: ["v", "w"] }],
    ["each lists what it writes", "state", { ties: "upsert", lists: true }, { listable: LISTABLE }],
  ])(
    "type 1, which is the open rows of type 2: %s",
    async (name, sequence, rules, more) => {
      const batches = stream(name.length, more.truncates);
      const target = openTarget(testRules(sequence, { ties: rules.ties, ...more }));
      await applyAll(target, batches, target.rules.columns);
      const expected = modelRows(batches.flat(), { ...rules, hasSequence: sequence === "column" });
      expect(expected.length).toBeGreaterThan(0);
      expect(await target.rows()).toEqual(expected);
    },
    400_000,
  );
});
