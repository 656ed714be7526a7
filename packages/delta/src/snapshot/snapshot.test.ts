import { mkdir, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { commitPath, logFolder } from "../log/log-files.js";
import { localStore } from "../store/local-store.js";
import {
  add,
  ID_SCHEMA,
  metaData,
  PROTOCOL,
  pathsOf,
  remove,
  setTime,
  snapshotOf,
  temporaryFolder,
  writeLog,
} from "../testing/test-log.js";
import { readSnapshot } from "./snapshot.js";

describe("readSnapshot", () => {
  it("is undefined where there is no log", async () => {
    const table = await temporaryFolder();
    expect(await readSnapshot(localStore, `${table}/absent`)).toBeUndefined();
    await writeFile(`${table}/data.parquet`, "x");
    await mkdir(logFolder(table));
    await writeFile(`${logFolder(table)}/.00000000000000000000.json.1.tmp`, "{");
    expect(await readSnapshot(localStore, table)).toBeUndefined();
    expect(await localStore.list(table)).toHaveLength(2);
  });

  it("reads what the commits add up to", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [
      [
        PROTOCOL,
        metaData({ configuration: { k: "v" }, createdTime: 5 }),
        add("a"),
        add("b%20c"),
        { txn: { appId: "x", version: 1 } },
      ],
      [{ commitInfo: { operation: "DELETE" } }, remove("a"), { txn: { appId: "x", version: 2 } }],
      [
        { domainMetadata: { domain: "d", configuration: "{}", removed: false } },
        add("d", { stats: '{"numRecords":1}' }),
      ],
    ]);
    await setTime(table, 2n, 1_700_000_000_000);
    const snapshot = await snapshotOf(table);
    expect(snapshot).toMatchObject({
      table,
      version: 2n,
      protocol: PROTOCOL.protocol,
      metadata: { configuration: { k: "v" }, partitionColumns: [], createdTime: 5 },
      schema: ID_SCHEMA,
      commitInfo: undefined,
    });
    expect(pathsOf(snapshot)).toEqual(["b c", "d"]);
    expect(snapshot.transactions).toEqual(new Map([["x", 2n]]));
    expect(snapshot.domains).toEqual(new Map([["d", "{}"]]));
  });

  it("tells a file with a deletion vector from the file without", async () => {
    const table = await temporaryFolder();
    const vector = { storageType: "i", pathOrInlineDv: "x", sizeInBytes: 1, cardinality: 1 };
    await writeLog(table, [
      [PROTOCOL, metaData(), add("a")],
      [remove("a"), add("a", { deletionVector: vector })],
      [remove("a", { deletionVector: vector }), add("a")],
    ]);
    expect((await snapshotOf(table)).files).toHaveLength(1);
    expect((await readSnapshot(localStore, table, { version: 1n }))?.files).toMatchObject([
      { path: "a", deletionVector: { ...vector, cardinality: 1n } },
    ]);
  });

  it("sees one file in the spellings of an absolute path (Spark's table canonicalized-paths-special-a)", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [
      [PROTOCOL, metaData(), add("/some/unqualified/with%20space/p@%23h")],
      [remove("file:/some/unqualified/with%20space/p@%23h")],
    ]);
    expect((await snapshotOf(table)).files).toEqual([]);
  });

  it("goes back to a version, and names the range when there is none", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData(), add("a")], [remove("a")]]);
    expect(pathsOf((await readSnapshot(localStore, table, { version: 0n })) ?? expect.fail())).toEqual(["a"]);
    for (const version of [2n, -1n])
      await expect(readSnapshot(localStore, table, { version })).rejects.toMatchObject({
        code: "DELTA_VERSION_NOT_FOUND",
        message: expect.stringContaining("it has 0 to 1"),
        version,
      });
  });
});

describe("a damaged log", () => {
  const start = [PROTOCOL, metaData()];

  it("with a gap is refused with the missing version", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [start, [add("a")], [add("b")]]);
    await rm(commitPath(table, 1n));
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      version: 1n,
      path: commitPath(table, 1n),
      message: expect.stringContaining("lacks the commit of version 1; the next commit is version 2"),
    });
  });

  it("whose newest commits are gone though a checkpoint holds them is refused, not read as an older table", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [start, [add("a")]]);
    await writeFile(`${logFolder(table)}/00000000000000000003.checkpoint.0000000001.0000000002.parquet`, "PAR1");
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      version: 2n,
    });
  });

  it("of which only a checksum is left is refused", async () => {
    const table = await temporaryFolder();
    await mkdir(logFolder(table));
    await writeFile(`${logFolder(table)}/00000000000000000000.crc`, "{}");
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      version: 0n,
    });
  });

  it.each(["", '{"add":{"path":"a","partitionVal', "\u0000\u0000"])(
    "with a half-written commit %j is refused",
    async (text) => {
      const table = await temporaryFolder();
      await writeLog(table, [start, text]);
      await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
        code: "DELTA_TABLE_UNREADABLE",
        version: 1n,
        path: commitPath(table, 1n),
      });
      expect(await readSnapshot(localStore, table, { version: 0n })).toMatchObject({ version: 0n });
    },
  );

  it.each([
    ["protocol", [metaData()]],
    ["metaData", [PROTOCOL]],
  ])("without %s is refused", async (missing, actions) => {
    const table = await temporaryFolder();
    await writeLog(table, [actions]);
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      message: expect.stringContaining(`no ${missing} action`),
    });
  });

  it("with a broken hint or temporary file is read from its commits without a warning", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[...start, add("f1")], [add("f2")]]);
    for (const name of ["_last_checkpoint", "._00000000000000000009.json", "00000000000000000009.json.tmp"])
      await writeFile(`${logFolder(table)}/${name}`, "{damaged");
    await mkdir(`${logFolder(table)}/_staged_commits`);
    const snapshot = await snapshotOf(table);
    expect(pathsOf(snapshot)).toEqual(["f1", "f2"]);
    expect(snapshot.warnings).toEqual([]);
  });
});
