import { beforeEach, describe, expect, it } from "vitest";
import { readChangeFeed } from "../changes/change-feed.js";
import { readChanges } from "../changes/table-changes.js";
import { commit } from "../commit/transaction.js";
import type { DeltaError } from "../error.js";
import { deleteRows } from "../javascript/delete-rows.js";
import { mergeRows } from "../javascript/merge-rows.js";
import { readRows } from "../javascript/read-rows.js";
import { appendRows } from "../javascript/write-rows.js";
import { checksumPath, commitPath } from "../log/log-files.js";
import { alterTable } from "../operations/alter-table.js";
import { restore } from "../operations/restore.js";
import { vacuum } from "../operations/vacuum.js";
import { cleanUpLog } from "../snapshot/clean-up-log.js";
import { readHistory } from "../snapshot/history.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import { writeCheckpoint } from "../snapshot/write-checkpoint.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "./memory-store.js";
import { gatherRows, stateOf, tableOf } from "./test-table.js";

let store: Store;
let table: string;

/** Version 1 of a table with one row. */
beforeEach(async () => {
  store = memoryStore();
  table = await tableOf(store, { id: "long" });
  await appendRows(store, table, [{ id: 1n }]);
});

const setProperty = async (name: string, value: string): Promise<unknown> =>
  commit(store, await stateOf(store, table), { operation: "X", metadata: { configuration: { [name]: value } } });
const damage = (path: string): Promise<void> => store.put(path, "{");

type Told = Partial<Pick<DeltaError, "version" | "path">>;

describe("an error tells of which version or file it is", () => {
  it.each<[code: string, deed: () => Promise<unknown>, told: () => Promise<Told> | Told]>([
    ["NO_DELTA_TABLE", () => readHistory(store, "/none"), () => ({ path: "/none/_delta_log" })],
    ["DELTA_VERSION_NOT_FOUND", () => readSnapshot(store, table, { version: 7n }), () => ({ version: 7n })],
    ["DELTA_VERSION_NOT_FOUND", () => cleanUpLog(store, table, { keepFrom: 7n }), () => ({ version: 7n })],
    [
      "DELTA_VERSION_NOT_FOUND",
      async () => {
        const snapshot = await stateOf(store, table);
        await store.delete(commitPath(table, 0n));
        return gatherRows(readChanges(store, snapshot, 0n));
      },
      () => ({ version: 0n }),
    ],
    [
      "DELTA_TABLE_UNREADABLE",
      async () => {
        await damage(commitPath(table, 1n));
        return readSnapshot(store, table);
      },
      () => ({ version: 1n, path: commitPath(table, 1n) }),
    ],
    [
      "DELTA_TABLE_UNREADABLE",
      async () => {
        await store.put(checksumPath(table, 1n), '{"numFiles":9,"tableSizeBytes":1}');
        return readSnapshot(store, table);
      },
      () => ({ version: 1n, path: checksumPath(table, 1n) }),
    ],
    [
      "DELTA_TABLE_UNREADABLE",
      async () => {
        await store.put(commitPath(table, 0n), '{"commitInfo":{}}\n');
        return readSnapshot(store, table, { version: 0n });
      },
      () => ({ version: 0n }),
    ],
    [
      "DELTA_TABLE_UNREADABLE",
      async () => {
        const snapshot = await stateOf(store, table);
        await damage(`${table}/${snapshot.files[0]?.path}`);
        return gatherRows(readRows(store, snapshot));
      },
      async () => ({ version: 1n, path: `${table}/${(await stateOf(store, table)).files[0]?.path}` }),
    ],
    [
      "DELTA_INVALID_INTERVAL",
      async () => {
        const metaData = {
          ...(await stateOf(store, table)).metadata,
          configuration: { "delta.logRetentionDuration": "x" },
        };
        await store.put(commitPath(table, 2n), `${JSON.stringify({ metaData })}\n`);
        return writeCheckpoint(store, table);
      },
      () => ({ version: 2n }),
    ],
    [
      "DELTA_INVALID_ISOLATION_LEVEL",
      async () => {
        const metaData = { ...(await stateOf(store, table)).metadata, configuration: { "delta.isolationLevel": "x" } };
        await store.put(commitPath(table, 2n), `${JSON.stringify({ metaData })}\n`);
        return appendRows(store, table, [{ id: 2n }]);
      },
      () => ({ version: 2n }),
    ],
    [
      "DELTA_CANNOT_MODIFY_APPEND_ONLY",
      async () => {
        await setProperty("delta.appendOnly", "true");
        return deleteRows(store, table, () => true);
      },
      () => ({ version: 2n }),
    ],
    [
      "DELTA_MISSING_CHANGE_DATA",
      async () => gatherRows(readChangeFeed(store, await stateOf(store, table), 1n)),
      () => ({ version: 1n }),
    ],
    [
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      () => mergeRows(store, table, { source: [], on: ["x"], whenMatched: [{ delete: true }] }),
      () => ({ version: 1n }),
    ],
    [
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      () => deleteRows(store, table, { kind: "isNull", column: ["x"] }),
      () => ({ version: 1n }),
    ],
    ["DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", () => appendRows(store, table, [{ x: 1 }]), () => ({ version: 1n })],
    [
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      () => alterTable(store, table, { kind: "rename column", column: ["x"], to: "y" }),
      () => ({ version: 1n }),
    ],
    ["DELTA_VERSION_NOT_FOUND", () => restore(store, table, { version: 9n }), () => ({ version: 9n })],
    ["DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT", () => vacuum(store, table, { retention: 0 }), () => ({ version: 1n })],
  ])("%s", async (code, deed, told) => {
    const expected = { code, table: expect.any(String), hint: expect.stringMatching(/\.$/) };
    const error = await deed().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ ...expected, ...(await told()) });
  });
});
