import { describe, expect, it } from "vitest";
import { optimize } from "../operations/optimize.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { deleteRows } from "./delete-rows.js";
import { type ChangedRow, readChangeRows } from "./read-change-rows.js";
import { fileRewriter } from "./rewrite-files.js";
import { updateRows } from "./update-rows.js";
import { appendRows, overwriteRows } from "./write-rows.js";

const FEED = { "delta.enableChangeDataFeed": "true" };
const VECTORS = { "delta.enableDeletionVectors": "true" };
const ids = (...values: number[]) => values.map((id) => ({ id }));

async function changesFrom(store: Store, table: string, version: bigint): Promise<ChangedRow[]> {
  return gatherRows(readChangeRows(store, await stateOf(store, table), version));
}

const told = (changes: readonly ChangedRow[]) =>
  changes.map((row) => `${row._commit_version} ${row._change_type} ${row["id"]}`).sort();

describe("readChangeRows", () => {
  it("tells an update by both images, whatever the table's way of deleting", async () => {
    for (const configuration of [FEED, { ...FEED, ...VECTORS }]) {
      // All commits have one file time: each is taken for a millisecond later than the one before.
      const store = memoryStore(() => 1_714_557_600_123);
      const table = await tableOf(store, { id: "integer", v: "string" }, { configuration });
      await appendRows(store, table, [
        { id: 1, v: "a" },
        { id: 2, v: "b" },
      ]);
      await updateRows(store, table, { set: () => ({ v: "c" }), where: ({ id }) => id === 2 });
      expect(await changesFrom(store, table, 2n)).toEqual([
        { id: 2, v: "b", _change_type: "update_preimage", ...at(2n) },
        { id: 2, v: "c", _change_type: "update_postimage", ...at(2n) },
      ]);
      const at2 = await gatherRows(readChangeRows(store, await stateOf(store, table), 2n, { columns: ["v"] }));
      expect(at2.map(Object.keys)).toEqual(
        Array(2).fill(["v", "_change_type", "_commit_version", "_commit_timestamp"]),
      );
    }
    function at(version: bigint) {
      return { _commit_version: version, _commit_timestamp: "2024-05-01T10:00:00.125000Z" };
    }
  });

  it("V47: follows a table whose files are rewritten", async () => {
    for (const configuration of [FEED, { ...FEED, ...VECTORS }]) {
      const store = memoryStore();
      const table = await tableOf(store, { id: "integer" }, { configuration });
      let next = 0n;
      const follow = async () => {
        const changes = await changesFrom(store, table, next);
        next = (await stateOf(store, table)).version + 1n;
        return changes.map(({ id, _change_type }) => `${_change_type} ${id}`);
      };
      await appendRows(store, table, ids(...Array.from({ length: 1000 }, (_, i) => i + 1)));
      expect(new Set(await follow())).toEqual(new Set(Array.from({ length: 1000 }, (_, i) => `insert ${i + 1}`)));
      await deleteRows(store, table, ({ id }) => id === 500);
      expect(await follow()).toEqual(["delete 500"]);
      const before = await stateOf(store, table);
      await optimize(store, table, fileRewriter(store), { maxDeletedRowsRatio: 0 });
      if ("delta.enableDeletionVectors" in configuration)
        expect((await stateOf(store, table)).files).not.toEqual(before.files);
      expect(await follow()).toEqual([]);
      await appendRows(store, table, ids(1001));
      expect(await follow()).toEqual(["insert 1001"]);
    }
  });

  it("V48: tells deletes and overwrites, and a window of time", async () => {
    let now = Date.parse("2024-05-01T10:00:00Z");
    const store = memoryStore(() => now);
    const options = { now: () => now };
    const table = await tableOf(store, { id: "integer" }, { configuration: FEED });
    // The case's version 0 has rows; a table that is made empty has them in version 1.
    await appendRows(store, table, ids(1, 2, 3), options);
    now += 3_600_000;
    await appendRows(store, table, ids(8, 9), options);
    now += 3_600_000;
    await deleteRows(store, table, ({ id }) => id === 9, options);
    now += 3_600_000;
    await overwriteRows(store, table, ids(5), options);
    expect(told(await changesFrom(store, table, 0n))).toEqual(
      [
        ...["1 insert 1", "1 insert 2", "1 insert 3", "2 insert 8", "2 insert 9", "3 delete 9"],
        ...["4 delete 1", "4 delete 2", "4 delete 3", "4 delete 8", "4 insert 5"],
      ].sort(),
    );
    const [before, end] = await Promise.all(
      ["2024-05-01 10:30:00", "2024-05-01 12:30:00"].map((timestamp) => readSnapshot(store, table, { timestamp })),
    );
    if (before === undefined || end === undefined) throw new Error("no log");
    const window = await gatherRows(readChangeRows(store, end, before.version + 1n));
    expect(told(window)).toEqual(["2 insert 8", "2 insert 9", "3 delete 9"]);
  });
});
