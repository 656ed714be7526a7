import { describe, expect, it } from "vitest";
import type { Store } from "../store/store.js";
import { file, linesOf, newTable, snapshotOf } from "../testing/two-files.js";
import { READS_NOTHING } from "./change.js";
import { commit } from "./transaction.js";

describe("in-commit timestamps", () => {
  const TIMES = { "delta.enableInCommitTimestamps": "true" };
  const times = async (store: Store, ...versions: bigint[]) =>
    Promise.all(versions.map(async (v) => (await linesOf(store, v))[0].commitInfo.inCommitTimestamp));

  it("grow though the clock stands, also behind commits of others", async () => {
    const { store } = await newTable(TIMES);
    const before = await snapshotOf(store);
    for (const path of ["c", "d", "e"])
      await commit(store, before, { operation: "WRITE", add: [file(path)], isBlindAppend: true }, { now: () => 900 });
    expect(await times(store, 0n, 1n, 2n, 3n, 4n)).toEqual([1000, 1001, 1002, 1003, 1004]);
    expect((await snapshotOf(store)).timestamp).toBe(1004);
    expect((await snapshotOf(store)).metadata.configuration).toEqual(TIMES);
  });

  it("tell where they begin on a table with commits, later than the file before", async () => {
    const { store, commitNow } = await newTable();
    const before = await snapshotOf(store);
    await commitNow({ operation: "WRITE", add: [file("c")], isBlindAppend: true });
    // Version 2 was another writer's, at 1002 by the rule that files' times grow.
    const change = {
      operation: "SET",
      metadata: { configuration: TIMES },
      reads: READS_NOTHING,
    };
    expect(await commit(store, before, change, { now: () => 900 })).toEqual({ version: 3n });
    expect(await times(store, 1n, 3n)).toEqual([undefined, 1003]);
    const enabled = {
      ...TIMES,
      "delta.inCommitTimestampEnablementVersion": "3",
      "delta.inCommitTimestampEnablementTimestamp": "1003",
    };
    expect((await snapshotOf(store)).metadata.configuration).toEqual(enabled);
    await commitNow({ operation: "SET", metadata: { configuration: { ...TIMES, k: "v" } } });
    expect((await snapshotOf(store)).metadata.configuration).toEqual({ ...enabled, k: "v" });
    await commitNow({ operation: "SET", metadata: { configuration: {} } });
    expect((await snapshotOf(store)).metadata.configuration).toEqual({});
    expect(await times(store, 5n)).toEqual([undefined]);
  });
});
