import { describe, expect, it } from "vitest";
import { readSnapshot } from "../snapshot/snapshot.js";
import { localStore } from "../store/local-store.js";
import {
  add,
  metaData,
  PROTOCOL,
  remove,
  setTime,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { readChanges, type VersionChanges } from "./table-changes.js";

async function collect(changes: AsyncIterable<VersionChanges>): Promise<VersionChanges[]> {
  const all: VersionChanges[] = [];
  for await (const change of changes) all.push(change);
  return all;
}

const CDC = { cdc: { path: "_change_data/c%201", partitionValues: {}, size: 1, dataChange: false } };

describe("readChanges", () => {
  it("tells each version's files from a version on", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [
      [PROTOCOL, metaData(), add("a")],
      [{ commitInfo: { operation: "UPDATE" } }, add("b"), remove("a"), CDC],
      [add("c", { dataChange: false }), remove("b", { dataChange: false })],
      [metaData({ configuration: { k: "v" } })],
    ]);
    await setTime(table, 1n, 1_714_557_600_000);
    const changes = await collect(readChanges(localStore, await snapshotOf(table), 1n));
    expect(changes).toMatchObject([
      {
        version: 1n,
        timestamp: expect.any(Number),
        added: [{ path: "b", dataChange: true }],
        removed: [{ path: "a", dataChange: true }],
        changeFiles: [{ path: "_change_data/c 1" }],
        metadata: undefined,
        commitInfo: { operation: "UPDATE" },
      },
      {
        version: 2n,
        added: [{ path: "c", dataChange: false }],
        removed: [{ path: "b", dataChange: false }],
        changeFiles: [],
      },
      { version: 3n, added: [], removed: [], metadata: { configuration: { k: "v" } } },
    ]);
  });

  it("stops at the snapshot, and is empty beyond it", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData()], [add("a")], [add("b")]]);
    const snapshot = (await readSnapshot(localStore, table, { version: 1n })) ?? expect.fail();
    expect((await collect(readChanges(localStore, snapshot, 0n))).map(({ version }) => version)).toEqual([0n, 1n]);
    expect(await collect(readChanges(localStore, snapshot, 2n))).toEqual([]);
  });

  it("refuses a commit of the range that cannot be read as it is, though the snapshot can", async () => {
    const table = await temporaryFolder();
    const orc = metaData({ format: { provider: "orc", options: {} } });
    await writeLog(table, [[PROTOCOL, metaData()], [orc], [metaData()]]);
    await expect(collect(readChanges(localStore, await snapshotOf(table), 0n))).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
      version: 1n,
    });
  });

  it("refuses versions that the log does not have any more", async () => {
    const [table, shorter] = [await temporaryFolder(), await temporaryFolder()];
    await writeLog(table, [[PROTOCOL, metaData()], [add("a")]]);
    await writeLog(shorter, [[PROTOCOL, metaData()]]);
    const snapshot = { ...(await snapshotOf(table)), table: shorter };
    await expect(collect(readChanges(localStore, snapshot, 1n))).rejects.toMatchObject({
      code: "DELTA_VERSION_NOT_FOUND",
    });
  });
});
