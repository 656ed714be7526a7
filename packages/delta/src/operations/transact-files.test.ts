import { describe, expect, it } from "vitest";
import type { Change } from "../commit/change.js";
import { commit } from "../commit/transaction.js";
import { commitPath } from "../log/log-files.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { stateOf, tableOf } from "../testing/test-table.js";
import { transactFiles } from "./transact-files.js";

const options = { wait: async () => undefined };

/** Writes `a0`, `a1`, … and plans to add it. */
function writing(
  store: Store,
  table: string,
  before: (snapshot: Snapshot) => Promise<unknown> = async () => undefined,
) {
  let attempt = 0;
  return async (snapshot: Snapshot, wrote: (paths: readonly string[]) => void): Promise<Change> => {
    const path = `a${attempt}`;
    attempt += 1;
    await store.put(`${table}/${path}`, "rows");
    wrote([`${table}/${path}`]);
    await before(snapshot);
    return { operation: "WRITE", add: [{ path, size: 4 }] };
  };
}

async function filesOf(store: Store, table: string): Promise<string[]> {
  return (await store.list(table)).flatMap(({ name, kind }) => (kind === "file" ? [name] : [])).sort();
}

describe("transactFiles", () => {
  it("keeps the files of the attempt that is committed, and no other", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "long" });
    const other = { operation: "WRITE", add: [{ path: "other", size: 1 }] };
    const plan = writing(store, table, async (snapshot) => {
      if (snapshot.version === 0n) await commit(store, snapshot, other);
    });
    expect(await transactFiles(store, table, plan, options)).toEqual({ version: 2n, isCommitted: true });
    expect(await filesOf(store, table)).toEqual(["a1"]);
    expect((await stateOf(store, table)).files.map(({ path }) => path)).toEqual(["other", "a1"]);
  });

  it("removes what a plan has written that fails", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "long" });
    const plan = writing(store, table, () => Promise.reject(new TypeError("out of memory")));
    await expect(transactFiles(store, table, plan, options)).rejects.toThrow("out of memory");
    expect(await filesOf(store, table)).toEqual([]);
  });

  it("removes what was written for a batch that the table has", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "long" });
    const transactions = [{ appId: "flow", version: 1n }];
    await commit(store, await stateOf(store, table), { operation: "WRITE", transactions });
    const plan = writing(store, table);
    const late = async (...given: Parameters<typeof plan>) => ({ ...(await plan(...given)), transactions });
    expect(await transactFiles(store, table, late, options)).toEqual({ version: 1n, isCommitted: false });
    expect(await filesOf(store, table)).toEqual([]);
  });

  it.each([
    ["its answer is lost", new Error("the connection was reset")],
    ["the store finds its own commit", false],
  ])("keeps the files of a commit that may be made: %s, and the log cannot be read", async (_name, answer) => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "long" });
    let isCut = false;
    const cut: Store = {
      ...store,
      async putIfAbsent(path, content) {
        const isNew = await store.putIfAbsent(path, content);
        if (path !== commitPath(table, 1n)) return isNew;
        isCut = true;
        if (answer instanceof Error) throw answer;
        return answer;
      },
      read: (path, range) => (isCut ? Promise.reject(new Error("no connection")) : store.read(path, range)),
    };
    await expect(transactFiles(cut, table, writing(store, table), options)).rejects.toThrow();
    expect((await stateOf(store, table)).files.map(({ path }) => path)).toEqual(["a0"]);
    expect(await filesOf(store, table)).toEqual(["a0"]);
  });
});
