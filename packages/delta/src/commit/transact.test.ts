import { describe, expect, it } from "vitest";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { ID_SCHEMA } from "../testing/test-log.js";
import type { Change } from "./change.js";
import { transact } from "./transact.js";
import { commit, createTable } from "./transaction.js";

const T = "/t";

async function newTable(): Promise<Store> {
  const store = memoryStore();
  await createTable(store, T, { schema: ID_SCHEMA }, { operation: "CREATE TABLE" });
  return store;
}

const snapshotOf = async (store: Store): Promise<Snapshot> => (await readSnapshot(store, T)) as Snapshot;
const append = (path: string, more: Partial<Change> = {}): Change => ({
  operation: "WRITE",
  add: [{ path, size: 1 }],
  isBlindAppend: true,
  ...more,
});

describe("transact", () => {
  it("plans again on the newer version after a conflict", async () => {
    const store = await newTable();
    const seen: bigint[] = [];
    const waits: number[] = [];
    const result = await transact(
      store,
      T,
      async (snapshot) => {
        seen.push(snapshot.version);
        if (seen.length < 3) await commit(store, snapshot, append(`other${seen.length}`));
        return { operation: "WRITE", remove: "all", add: [{ path: `mine${seen.length}`, size: 1 }] };
      },
      { wait: async (milliseconds) => waits.push(milliseconds) },
    );
    expect(result).toEqual({ version: 3n, isCommitted: true });
    expect(seen).toEqual([0n, 1n, 2n]);
    expect(waits).toHaveLength(2);
    expect((await snapshotOf(store)).files.map(({ path }) => path)).toEqual(["mine3"]);
  });

  it("passes the conflict on when all attempts failed, and any other error at once", async () => {
    const store = await newTable();
    let plans = 0;
    const plan = async (snapshot: Snapshot): Promise<Change> => {
      plans += 1;
      await commit(store, snapshot, append(`other${plans}`));
      return { operation: "WRITE", remove: "all" };
    };
    const options = { attempts: 4, wait: async () => undefined };
    await expect(transact(store, T, plan, options)).rejects.toMatchObject({ code: "DELTA_CONCURRENT_APPEND" });
    expect(plans).toBe(4);
    const failing = transact(store, T, () => Promise.reject(new Error("no engine")), options);
    await expect(failing).rejects.toThrow("no engine");
    await expect(transact(store, "/none", () => undefined)).rejects.toMatchObject({ code: "NO_DELTA_TABLE" });
  });

  it("commits nothing when there is nothing to do", async () => {
    expect(await transact(await newTable(), T, () => undefined)).toEqual({ version: 0n, isCommitted: false });
  });

  it("commits a batch once, whether its plan names the transactions or the call does", async () => {
    const store = await newTable();
    const transactions = [{ appId: "flow", version: 7n }];
    expect(await transact(store, T, () => append("a"), { transactions })).toEqual({ version: 1n, isCommitted: true });
    const again = transact(store, T, () => Promise.reject(new Error("was planned")), { transactions });
    expect(await again).toEqual({ version: 1n, isCommitted: false });
    expect(await transact(store, T, () => append("b", { transactions }))).toEqual({ version: 1n, isCommitted: false });
    expect(await transact(store, T, () => append("c", { transactions: [{ appId: "flow", version: 8n }] }))).toEqual({
      version: 2n,
      isCommitted: true,
    });
  });

  it("finds after a conflict that another writer has committed the batch", async () => {
    const store = await newTable();
    const transactions = [{ appId: "flow", version: 1n }];
    const plan = async (snapshot: Snapshot): Promise<Change> => {
      await commit(store, snapshot, append("other", { transactions }));
      return append("mine");
    };
    expect(await transact(store, T, plan, { transactions })).toEqual({ version: 1n, isCommitted: false });
    expect((await snapshotOf(store)).files.map(({ path }) => path)).toEqual(["other"]);
  });
});

describe("what follows a commit", () => {
  it("is told the version, and may fail without harm", async () => {
    const store = await newTable();
    const versions: bigint[] = [];
    const afterCommit = async (version: bigint): Promise<void> => {
      versions.push(version);
      throw new Error("the disk is full");
    };
    expect(await transact(store, T, () => append("a"), { afterCommit })).toEqual({ version: 1n, isCommitted: true });
    expect(versions).toEqual([1n]);
  });
});

describe("case V45: the commit is made and its answer lost", () => {
  async function atVersion6(): Promise<Store> {
    const store = await newTable();
    for (let version = 1; version <= 6; version += 1)
      await commit(store, await snapshotOf(store), append(`f${version}`));
    return store;
  }
  /** A store whose answer to version 7 is lost, whoever made it. */
  function timingOut(store: Store, before?: () => Promise<unknown>): Store {
    return {
      ...store,
      async putIfAbsent(path, content) {
        const isLate = path.endsWith("07.json");
        if (isLate) await before?.();
        const isNew = await store.putIfAbsent(path, content);
        if (isLate) throw new Error("ETIMEDOUT");
        return isNew;
      },
    };
  }

  it("is found, once, at its version", async () => {
    const store = await atVersion6();
    expect(await transact(timingOut(store), T, () => append("row"))).toEqual({ version: 7n, isCommitted: true });
    expect((await snapshotOf(store)).files.filter(({ path }) => path === "row")).toHaveLength(1);
  });

  it("goes behind the commit that has the version, once", async () => {
    const store = await atVersion6();
    const foreign = async () => commit(store, await snapshotOf(store), append("foreign"));
    expect(await transact(timingOut(store, foreign), T, () => append("row"))).toEqual({
      version: 8n,
      isCommitted: true,
    });
    expect((await snapshotOf(store)).files.filter(({ path }) => path === "row")).toHaveLength(1);
  });

  it("is no success when the store failed before it was made", async () => {
    const store = await atVersion6();
    const failing: Store = { ...store, putIfAbsent: () => Promise.reject(new Error("ENOSPC")) };
    await expect(transact(failing, T, () => append("row"))).rejects.toThrow("ENOSPC");
    expect((await snapshotOf(store)).version).toBe(6n);
  });
});

describe("a commit far behind", () => {
  it("reads what came between and tries the next version", async () => {
    const store = await newTable();
    const old = await snapshotOf(store);
    for (let i = 0; i < 20; i += 1) await commit(store, await snapshotOf(store), append(`f${i}`));
    let puts = 0;
    const counting: Store = {
      ...store,
      putIfAbsent(path, content) {
        if (path.endsWith(".json")) puts += 1;
        return store.putIfAbsent(path, content);
      },
    };
    expect(await commit(counting, old, append("mine"))).toEqual({ version: 21n });
    expect(puts).toBe(2);
  });

  it("is bounded", async () => {
    const store = await newTable();
    const racing: Store = {
      ...store,
      async putIfAbsent(path, content) {
        if (!path.endsWith(".json")) return store.putIfAbsent(path, content);
        await store.put(path, '{"commitInfo":{"isBlindAppend":true}}');
        return false;
      },
    };
    await expect(commit(racing, await snapshotOf(store), append("mine"))).rejects.toMatchObject({
      code: "DELTA_MAX_COMMIT_RETRIES_EXCEEDED",
    });
  });

  it("sets no application back that got further", async () => {
    const store = await newTable();
    await transact(store, T, () => append("a"), { transactions: [{ appId: "x", version: 5n }] });
    const transactions = [
      { appId: "x", version: 3n },
      { appId: "y", version: 1n },
    ];
    await transact(store, T, () => append("b"), { transactions });
    expect((await snapshotOf(store)).transactions).toEqual(
      new Map([
        ["x", 5n],
        ["y", 1n],
      ]),
    );
  });
});
