import { describe, expect, it } from "vitest";
import { isConflict } from "../error.js";
import { type Action, type AddFile, commitInfoOf, fileKey, inCommitTimestamp } from "../log/actions.js";
import { readActions } from "../log/log.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { type Intent, type Row, RowTable } from "../testing/row-table.js";
import { ID_SCHEMA } from "../testing/test-log.js";
import { seeded, Turns, takingTurns } from "../testing/turns.js";
import { transact } from "./transact.js";
import { createTable } from "./transaction.js";

const TABLE = "/table";
const RUNS = 2000;
const WRITERS = 4;
const KEYS = 8;
const noFollowUp = { afterCommit: async () => undefined };

/** A store whose answers get lost now and then: the commit is made, or the file of another is there, and nobody knows. */
function losingAnswers(store: Store, random: () => number): Store {
  return {
    ...store,
    async putIfAbsent(path, content) {
      const isNew = await store.putIfAbsent(path, content);
      if (random() < 0.1) throw new Error("the connection was reset");
      return isNew;
    },
  };
}

function someIntent(table: RowTable, name: string, random: () => number): Intent {
  const some = (count: number): Set<number> =>
    new Set(Array.from({ length: count }, () => Math.floor(random() * KEYS)));
  const rows = (): Row[] => [...some(3)].map((key) => ({ key, value: name }));
  const by = random() < 0.7 ? "vectors" : "copy";
  const kind = random();
  if (kind < 0.25) return table.append(name, rows());
  if (kind < 0.45) return table.delete(name, some(1), by);
  if (kind < 0.75) return table.merge(name, some(2), name, by);
  if (kind < 0.9) return table.optimize(name, random);
  return kind < 0.95 ? table.overwrite(name, rows()) : table.setProperty(name);
}

interface Run {
  readonly intents: ReadonlyMap<string, Intent>;
  readonly table: RowTable;
  readonly store: Store;
  /** How often each batch was committed by what its writers were told. */
  readonly acknowledged: readonly string[];
}

/** Some writers, each with two pieces of work; two of them work on the same batch. */
async function run(seed: number): Promise<Run> {
  const random = seeded(seed);
  const turns = new Turns(random);
  const now = (): number => 1000 + Math.floor(random() * 5);
  const base = memoryStore(now);
  const properties = {
    "delta.enableDeletionVectors": "true",
    ...(random() < 0.5 ? { "delta.enableRowTracking": "true" } : {}),
    ...(random() < 0.5 ? { "delta.enableInCommitTimestamps": "true" } : {}),
  };
  await createTable(
    base,
    TABLE,
    { schema: ID_SCHEMA, configuration: properties },
    { operation: "CREATE TABLE" },
    noFollowUp,
  );

  const store = losingAnswers(takingTurns(base, turns), random);
  const table = new RowTable();
  const intents = new Map<string, Intent>();
  const acknowledged: string[] = [];
  const work = (writer: number, batch: number): (() => Promise<void>) => {
    // Writers 0 and 1 deliver the same batches.
    const name = `${Math.max(writer, 1)}.${batch}`;
    const intent = intents.get(name) ?? someIntent(table, name, random);
    intents.set(name, intent);
    const transactions = [{ appId: name.split(".")[0] ?? "", version: BigInt(batch) }];
    return async () => {
      const options = { now, transactions, attempts: 50, wait: turns.turn, ...noFollowUp };
      try {
        const { isCommitted } = await transact(
          store,
          TABLE,
          (snapshot) => withName(intent.plan(snapshot), name),
          options,
        );
        if (isCommitted) acknowledged.push(name);
      } catch (error) {
        if (!isConflict(error) && !/was reset/.test(String(error))) throw error;
      }
    };
  };
  const tasks = Array.from({ length: WRITERS }, (_, writer) => {
    const pieces = [work(writer, 0), work(writer, 1)];
    return async () => {
      for (const piece of pieces) await piece();
    };
  });
  await turns.run(tasks);
  return { intents, table, store: base, acknowledged };
}

function withName(change: ReturnType<Intent["plan"]>, userMetadata: string): ReturnType<Intent["plan"]> {
  return change && { ...change, userMetadata };
}

const inOrder = (rows: readonly Row[]): string[] => rows.map(({ key, value }) => `${key} ${value}`).sort();

describe("writers at the same time", () => {
  it(`leave what they would have left one after the other (${RUNS} orders of steps)`, {
    timeout: 120_000,
  }, async () => {
    let commits = 0;
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const { intents, table, store, acknowledged } = await run(seed);
      const newest = await readSnapshot(store, TABLE);
      const files = new Map<string, AddFile>();
      let model: readonly Row[] = [];
      const log: Action[][] = [];
      const done: string[] = [];
      for (let version = 1n; version <= (newest?.version ?? 0n); version += 1n) {
        const actions = await readActions(store, TABLE, version);
        log.push(actions);
        const name = String(commitInfoOf(actions)?.["userMetadata"]);
        done.push(name);
        model = intents.get(name)?.apply(model) ?? [];
        for (const action of actions) if ("remove" in action) expect(files.delete(fileKey(action.remove))).toBe(true);
        for (const action of actions) if ("add" in action) files.set(fileKey(action.add), action.add);
        expect(inOrder(table.rowsOf(files.values())), `seed ${seed}, version ${version}`).toEqual(inOrder(model));
      }
      expect(inOrder(table.rowsOf(newest?.files ?? [])), `seed ${seed}`).toEqual(inOrder(model));
      commits += done.length;
      expect(new Set(done).size, `seed ${seed}: a batch twice`).toBe(done.length);
      expect(done, `seed ${seed}: a commit that was told and is not there`).toEqual(
        expect.arrayContaining([...acknowledged]),
      );
      assertRowIds(log, newest?.domains.get("delta.rowTracking"), seed);
      assertTimes(log, seed);
    }
    // Most work gets done, so that there is something to compare.
    expect(commits).toBeGreaterThan(RUNS * 4);
  });
});

/** No id is given twice, files keep theirs, and the mark is the highest one. */
function assertRowIds(log: readonly Action[][], domain: string | undefined, seed: number): void {
  const files = new Map<string, { first: bigint; count: bigint; version: bigint }>();
  for (const [index, actions] of log.entries())
    for (const action of actions) {
      if (!("add" in action) || action.add.baseRowId === undefined) continue;
      const { path, baseRowId, stats = "", defaultRowCommitVersion = -1n } = action.add;
      const count = BigInt(/"numRecords":(\d+)/.exec(stats)?.[1] ?? 0);
      const known = files.get(path) ?? { first: baseRowId, count, version: BigInt(index + 1) };
      files.set(path, known);
      expect([baseRowId, count, defaultRowCommitVersion], `seed ${seed}, ${path}`).toEqual([
        known.first,
        known.count,
        known.version,
      ]);
    }
  if (files.size === 0) return;
  let next = 0n;
  for (const { first, count } of [...files.values()].sort((a, b) => Number(a.first - b.first))) {
    expect(first >= next, `seed ${seed}: ids twice`).toBe(true);
    next = first + count;
  }
  expect(domain).toBe(`{"rowIdHighWaterMark":${next - 1n}}`);
}

function assertTimes(log: readonly Action[][], seed: number): void {
  const times = log.flatMap((actions) => inCommitTimestamp(commitInfoOf(actions)) ?? []);
  expect(times.length === 0 || times.length === log.length).toBe(true);
  for (const [i, time] of times.entries()) expect(time, `seed ${seed}`).toBeGreaterThan(times[i - 1] ?? 0);
}
