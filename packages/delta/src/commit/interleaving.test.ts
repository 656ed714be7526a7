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
      const options = { now, transactions, userMetadata: name, attempts: 50, wait: turns.turn, ...noFollowUp };
      try {
        const { isCommitted } = await transact(store, TABLE, (snapshot) => intent.plan(snapshot), options);
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

function inOrder(rows: readonly Row[]): string {
  return rows
    .map(({ key, value }) => `${key} ${value}`)
    .sort()
    .join(", ");
}

describe("writers at the same time", () => {
  it(`leave what they would have left one after the other (${RUNS} orders of steps)`, {
    timeout: 120_000,
  }, async () => {
    let commits = 0;
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const ended = await run(seed);
      const newest = await readSnapshot(ended.store, TABLE);
      const log: Action[][] = [];
      for (let version = 1n; version <= (newest?.version ?? 0n); version += 1n)
        log.push(await readActions(ended.store, TABLE, version));
      commits += log.length;
      // One assertion a run: a hundred of them would take as long as the run.
      const faults = [
        ...faultsOfRows(ended, log, newest?.files ?? []),
        ...faultsOfBatches(ended, log),
        ...faultsOfRowIds(log, newest?.domains.get("delta.rowTracking")),
        ...faultsOfTimes(log),
      ];
      expect(faults, `seed ${seed}`).toEqual([]);
    }
    // Most work gets done, so that there is something to compare.
    expect(commits).toBeGreaterThan(RUNS * 4);
  });
});

function nameOf(commit: readonly Action[]): string {
  return String(commitInfoOf(commit)?.["userMetadata"]);
}

/** After each version the table has the rows that the work so far leaves, one piece after the other. */
function faultsOfRows({ intents, table }: Run, log: readonly Action[][], newest: readonly AddFile[]): string[] {
  const faults: string[] = [];
  const files = new Map<string, AddFile>();
  let model: readonly Row[] = [];
  const compare = (present: Iterable<AddFile>, when: string): void => {
    const [found, expected] = [inOrder(table.rowsOf(present)), inOrder(model)];
    if (found !== expected) faults.push(`${when}: ${found} instead of ${expected}`);
  };
  for (const [index, actions] of log.entries()) {
    model = intents.get(nameOf(actions))?.apply(model) ?? [];
    for (const action of actions)
      if ("remove" in action && !files.delete(fileKey(action.remove))) faults.push(`${action.remove.path} goes twice`);
    for (const action of actions) if ("add" in action) files.set(fileKey(action.add), action.add);
    compare(files.values(), `version ${index + 1}`);
  }
  compare(newest, "the snapshot");
  return faults;
}

/** No batch is there twice, and each commit that a writer was told of is there. */
function faultsOfBatches({ acknowledged }: Run, log: readonly Action[][]): string[] {
  const done = log.map(nameOf);
  return [
    ...done.filter((name, i) => done.indexOf(name) < i).map((name) => `${name} is there twice`),
    ...acknowledged.filter((name) => !done.includes(name)).map((name) => `${name} was told and is not there`),
  ];
}

/** No id is given twice, files keep theirs, and the mark is the highest one. */
function faultsOfRowIds(log: readonly Action[][], domain: string | undefined): string[] {
  const faults: string[] = [];
  const files = new Map<string, { first: bigint; count: bigint; version: bigint }>();
  for (const [index, actions] of log.entries())
    for (const action of actions) {
      if (!("add" in action) || action.add.baseRowId === undefined) continue;
      const { path, baseRowId, stats = "", defaultRowCommitVersion = -1n } = action.add;
      const count = BigInt(/"numRecords":(\d+)/.exec(stats)?.[1] ?? 0);
      const known = files.get(path) ?? { first: baseRowId, count, version: BigInt(index + 1) };
      files.set(path, known);
      if (baseRowId !== known.first || count !== known.count || defaultRowCommitVersion !== known.version)
        faults.push(`${path} changes its ids or their version`);
    }
  if (files.size === 0) return faults;
  let next = 0n;
  for (const { first, count } of [...files.values()].sort((a, b) => Number(a.first - b.first))) {
    if (first < next) faults.push(`the id ${first} is given twice`);
    next = first + count;
  }
  if (domain !== `{"rowIdHighWaterMark":${next - 1n}}`) faults.push(`the mark is ${domain}, the last id ${next - 1n}`);
  return faults;
}

function faultsOfTimes(log: readonly Action[][]): string[] {
  const times = log.flatMap((actions) => inCommitTimestamp(commitInfoOf(actions)) ?? []);
  if (times.length > 0 && times.length < log.length) return ["some commits state no time"];
  return times.flatMap((time, i) => (time > (times[i - 1] ?? 0) ? [] : [`version ${i + 1} is no later than before`]));
}
