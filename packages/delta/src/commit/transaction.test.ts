import { describe, expect, it } from "vitest";
import { formatStats } from "../files/stats.js";
import { parseCommit } from "../log/commit-file.js";
import { parseJson } from "../log/json.js";
import { commitPath, logFolder } from "../log/log-files.js";
import { cleanUpLog } from "../snapshot/clean-up-log.js";
import { localStore } from "../store/local-store.js";
import type { Store } from "../store/store.js";
import {
  add,
  ID_SCHEMA,
  metaData,
  PROTOCOL,
  pathsOf,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { commit, createTable } from "./transaction.js";

const NOW = (): number => 1_714_557_600_000;
const CREATE = { operation: "CREATE TABLE" };

function append(path: string, more: object = {}) {
  return { operation: "WRITE", add: [{ path, size: 10 }], isBlindAppend: true, ...more };
}

async function newTable(): Promise<string> {
  const table = await temporaryFolder();
  await createTable(localStore, table, { schema: ID_SCHEMA }, CREATE, { now: NOW });
  return table;
}

async function linesOf(table: string, version: bigint): Promise<unknown[]> {
  const text = new TextDecoder().decode(await localStore.read(commitPath(table, version)));
  return text.trimEnd().split("\n").map(parseJson);
}

describe("createTable", () => {
  it("commits version 0 with the least protocol", async () => {
    const table = await temporaryFolder();
    const definition = { schema: ID_SCHEMA, description: "ids", configuration: { "delta.appendOnly": "true" } };
    expect(
      await createTable(
        localStore,
        table,
        definition,
        { ...append("a"), operation: "CREATE TABLE AS SELECT" },
        { now: NOW },
      ),
    ).toEqual({ version: 0n });
    const [commitInfo, protocol, meta, ...rest] = await linesOf(table, 0n);
    expect(commitInfo).toEqual({
      commitInfo: {
        timestamp: NOW(),
        operation: "CREATE TABLE AS SELECT",
        operationParameters: {},
        isolationLevel: "Serializable",
        isBlindAppend: true,
        operationMetrics: { numFiles: "1", numOutputBytes: "10" },
        engineInfo: "Ingot-Delta/0.1.0",
        txnId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(protocol).toEqual(PROTOCOL);
    expect(meta).toEqual({
      metaData: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        description: "ids",
        format: { provider: "parquet", options: {} },
        schemaString: '{"type":"struct","fields":[{"name":"id","type":"long","nullable":true,"metadata":{}}]}',
        partitionColumns: [],
        configuration: { "delta.appendOnly": "true" },
        createdTime: NOW(),
      },
    });
    expect(rest).toHaveLength(1);
  });

  it("loses to another creator", async () => {
    const table = await newTable();
    await expect(createTable(localStore, table, { schema: ID_SCHEMA }, CREATE)).rejects.toMatchObject({
      code: "DELTA_PROTOCOL_CHANGED",
      version: 0n,
    });
  });
});

describe("commit", () => {
  it("appends with statistics, metrics and the application's progress", async () => {
    const table = await newTable();
    const stats = formatStats(
      { numRecords: 3, columns: new Map([['"id"', { min: "1", max: "9007199254740993", nullCount: 0 }]]) },
      ID_SCHEMA,
    );
    const file = { path: "50% ä.parquet", size: 10, stats };
    const change = {
      ...append("x"),
      add: [file],
      transactions: [{ appId: "flow", version: 2n ** 62n }],
    };
    const options = { now: NOW, userMetadata: "run 7", engineInfo: "engine/1" };
    expect(await commit(localStore, await snapshotOf(table), change, options)).toEqual({ version: 1n });
    const [info, ...actions] = await linesOf(table, 1n);
    expect(info).toMatchObject({
      commitInfo: {
        readVersion: 0,
        isBlindAppend: true,
        operationMetrics: { numFiles: "1", numOutputRows: "3", numOutputBytes: "10" },
        userMetadata: "run 7",
        engineInfo: "engine/1",
      },
    });
    expect(actions).toEqual([
      { txn: { appId: "flow", version: 2n ** 62n, lastUpdated: NOW() } },
      {
        add: {
          path: "50%25%20%C3%A4.parquet",
          partitionValues: {},
          size: 10,
          modificationTime: NOW(),
          dataChange: true,
          stats: '{"numRecords":3,"minValues":{"id":1},"maxValues":{"id":9007199254740993},"nullCount":{"id":0}}',
        },
      },
    ]);
    const snapshot = await snapshotOf(table);
    expect(pathsOf(snapshot)).toEqual(["50% ä.parquet"]);
    expect(snapshot.transactions).toEqual(new Map([["flow", 2n ** 62n]]));
  });

  it("overwrites: every remove repeats its add, the path letter by letter", async () => {
    const table = await temporaryFolder();
    const old = { partitionValues: { id: "1" }, size: 7, tags: { t: "x" } };
    await writeLog(table, [[PROTOCOL, metaData({ partitionColumns: ["id"] }), add("id%3D1/a.parquet", old)]]);
    const change = {
      operation: "WRITE",
      remove: "all",
      add: [{ path: "b", size: 1, partitionValues: { id: null } }],
    } as const;
    await commit(localStore, await snapshotOf(table), change, { now: NOW });
    expect((await linesOf(table, 1n)).slice(1)).toEqual([
      {
        remove: {
          path: "id%3D1/a.parquet",
          ...old,
          deletionTimestamp: NOW(),
          dataChange: true,
          extendedFileMetadata: true,
        },
      },
      { add: { path: "b", partitionValues: { id: null }, size: 1, modificationTime: NOW(), dataChange: true } },
    ]);
    expect(pathsOf(await snapshotOf(table))).toEqual(["b"]);
  });

  it("repeats the deletion vector of a file that it removes: without it, it would be another file", async () => {
    const table = await temporaryFolder();
    const names = ["deletionVectors"];
    const protocol = { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: names, writerFeatures: names };
    const deletionVector = { storageType: "u", pathOrInlineDv: "x", offset: 1, sizeInBytes: 34, cardinality: 2 };
    await writeLog(table, [[{ protocol }, metaData(), add("a", { deletionVector })]]);
    await commit(localStore, await snapshotOf(table), { operation: "WRITE", remove: "all" }, { now: NOW });
    expect((await linesOf(table, 1n))[1]).toMatchObject({ remove: { path: "a", deletionVector } });
    expect((await snapshotOf(table)).files).toEqual([]);
  });

  it("changes schema and properties, keeps the table's identity, and raises the protocol as needed", async () => {
    const table = await newTable();
    const before = await snapshotOf(table);
    const ntz = { name: "at", type: { kind: "timestamp_ntz" }, nullable: true, metadata: {} } as const;
    const schema = { kind: "struct", fields: [...ID_SCHEMA.fields, ntz] } as const;
    await commit(localStore, before, { operation: "ADD COLUMNS", metadata: { schema, configuration: { k: "v" } } });
    const after = await snapshotOf(table);
    expect(after.schema).toEqual(schema);
    expect(after.metadata).toMatchObject({ id: before.metadata.id, configuration: { k: "v" } });
    expect(after.protocol).toMatchObject({ minReaderVersion: 3, readerFeatures: ["timestampNtz"] });
  });

  it("refuses to remove from an append-only table, and to rewrite files under a change data feed", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData({ configuration: { "delta.appendOnly": "true" } }), add("a")]]);
    const appendOnly = await snapshotOf(table);
    await expect(commit(localStore, appendOnly, { operation: "DELETE", remove: "all" })).rejects.toMatchObject({
      code: "DELTA_CANNOT_MODIFY_APPEND_ONLY",
    });
    const fed = {
      ...appendOnly,
      metadata: { ...appendOnly.metadata, configuration: { "delta.enableChangeDataFeed": "true" } },
    };
    await expect(
      commit(localStore, fed, { operation: "UPDATE", remove: fed.files, add: [{ path: "b", size: 1 }] }),
    ).rejects.toMatchObject({ code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE" });
    expect(await commit(localStore, fed, { operation: "WRITE", remove: "all", add: [{ path: "b", size: 1 }] })).toEqual(
      { version: 1n },
    );
  });

  it.each([
    [
      "a file twice",
      {
        add: [
          { path: "b", size: 1 },
          { path: "b", size: 1 },
        ],
      },
      "it adds b twice",
    ],
    ["a file that is there", { add: [{ path: "a", size: 1 }] }, "it adds a, which is in the table"],
    ["a file elsewhere", { add: [{ path: "x/../../b", size: 1 }] }, "no path of a data file"],
    ["an absolute path", { add: [{ path: "s3://bucket/b", size: 1 }] }, "no path of a data file"],
    [
      "partition values where there are no partitions",
      { add: [{ path: "b", size: 1, partitionValues: { id: "1" } }] },
      "the partition columns []",
    ],
    ["a blind append that removes", { remove: "all", isBlindAppend: true }, "removes nothing"],
  ])("refuses %s", async (_name, change, message) => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData(), add("a")]]);
    const snapshot = await snapshotOf(table);
    await expect(commit(localStore, snapshot, { operation: "WRITE", ...change } as never)).rejects.toMatchObject({
      code: "DELTA_INVALID_COMMIT",
      message: expect.stringContaining(message),
    });
  });

  it("refuses to remove a file that is not in the snapshot", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData(), add("a")]]);
    const snapshot = await snapshotOf(table);
    const [file] = snapshot.files;
    const change = { operation: "DELETE", remove: [file, file] };
    await expect(commit(localStore, snapshot, change as never)).rejects.toMatchObject({ code: "DELTA_INVALID_COMMIT" });
  });
});

describe("a commit that comes second", () => {
  it("goes behind other appends when it is a blind append", async () => {
    const table = await newTable();
    const snapshot = await snapshotOf(table);
    const transactions = (appId: string) => ({ transactions: [{ appId, version: 1n }] });
    expect(await commit(localStore, snapshot, append("a", transactions("x")))).toEqual({ version: 1n });
    expect(await commit(localStore, snapshot, append("b", transactions("y")))).toEqual({ version: 2n });
    expect(await commit(localStore, snapshot, append("c"))).toEqual({ version: 3n });
    expect(pathsOf(await snapshotOf(table))).toEqual(["a", "b", "c"]);
  });

  it("knows its own commit when the store repeated a request whose answer was lost", async () => {
    const table = await newTable();
    const repeating: Store = {
      ...localStore,
      async putIfAbsent(path, content) {
        await localStore.putIfAbsent(path, content);
        return localStore.putIfAbsent(path, content);
      },
    };
    const overwrite = { operation: "WRITE", remove: "all" } as const;
    expect(await commit(repeating, await snapshotOf(table), overwrite)).toEqual({ version: 1n });
    expect(parseCommit(new TextDecoder().decode(await localStore.read(commitPath(table, 1n))))).toHaveLength(1);
  });

  it("knows its own commit when the store fails after it was made, and no other's", async () => {
    const table = await newTable();
    const failing: Store = {
      ...localStore,
      async putIfAbsent(path, content) {
        await localStore.putIfAbsent(path, content);
        throw new Error("connection reset");
      },
    };
    const snapshot = await snapshotOf(table);
    expect(await commit(failing, snapshot, append("a"))).toEqual({ version: 1n });
    // Version 1 is another's by now.
    expect(await commit(failing, snapshot, append("b"))).toEqual({ version: 2n });
    expect(pathsOf(await snapshotOf(table))).toEqual(["a", "b"]);
  });

  it("is refused for a table whose first commits a clean-up took", async () => {
    const table = await newTable();
    for (let i = 0; i < 10; i += 1) await commit(localStore, await snapshotOf(table), append(`f${i}`));
    await cleanUpLog(localStore, table, { keepFrom: 10n });
    await expect(createTable(localStore, table, { schema: ID_SCHEMA }, CREATE)).rejects.toMatchObject({
      code: "DELTA_PROTOCOL_CHANGED",
    });
    expect((await localStore.list(logFolder(table))).map(({ name }) => name)).not.toContain(
      "00000000000000000000.json",
    );
  });
});
