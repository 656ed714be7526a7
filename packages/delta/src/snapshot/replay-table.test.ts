import { readdir, truncate, writeFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { hyparquetReader } from "../files/parquet.js";
import { checkpointPath, logFolder } from "../log/log-files.js";
import { localStore } from "../store/local-store.js";
import type { Store } from "../store/store.js";
import { add, metaData, PROTOCOL, temporaryFolder, writeLog } from "../testing/test-log.js";
import { replayTable } from "./replay-table.js";
import { writeCheckpoint } from "./write-checkpoint.js";

let table: string;
/** The names that listings of the log gave. */
let listed: string[];

const store: Store = {
  ...localStore,
  list: async (folder, after) => {
    const entries = await localStore.list(folder, after);
    listed.push(...entries.map(({ name }) => name));
    return entries;
  },
};

/** Ten commits, each with the file of its version, and a checkpoint of version 6 to which the table points. */
beforeEach(async () => {
  table = await temporaryFolder();
  const commits = Array.from({ length: 10 }, (_, version) => [add(`f${version}`)]);
  await writeLog(table, [[PROTOCOL, metaData(), add("f0")], ...commits.slice(1)]);
  await writeCheckpoint(localStore, table, { version: 6n });
  listed = [];
});

const point = (text: string): Promise<void> => writeFile(`${logFolder(table)}/_last_checkpoint`, text);
const filesOf = async (version?: bigint): Promise<number | undefined> =>
  (await replayTable(store, table, version, hyparquetReader))?.state.files.size;

describe("replayTable", () => {
  it("lists the log from the last checkpoint on", async () => {
    expect(await filesOf()).toBe(10);
    expect(await filesOf(8n)).toBe(9);
    expect([...new Set(listed)].sort()[0]).toBe("00000000000000000006.checkpoint.parquet");
  });

  it("lists the whole log for an older version", async () => {
    expect(await filesOf(5n)).toBe(6);
    expect(listed).toHaveLength((await readdir(logFolder(table))).length);
  });

  it.each([
    ["broken", "{"],
    ["of a version that has no checkpoint", '{"version":4,"size":1}'],
    ["beyond the newest version", '{"version":40,"size":1}'],
    ["no object", "[6]"],
  ])("is right with a pointer that is %s", async (_title, text) => {
    await point(text);
    expect(await filesOf()).toBe(10);
    expect(await filesOf(7n)).toBe(8);
  });

  it("takes a checkpoint that is newer than the pointer", async () => {
    await point('{"version":6,"size":9}');
    await writeCheckpoint(localStore, table, { version: 8n });
    await truncate(checkpointPath(table, 6n), 20);
    expect((await replayTable(store, table, undefined, hyparquetReader))?.state.warnings).toEqual([]);
  });

  it("goes behind a damaged checkpoint, and says so once", async () => {
    await truncate(checkpointPath(table, 6n), 20);
    const { state } = (await replayTable(store, table, undefined, hyparquetReader)) ?? {};
    expect(state?.files.size).toBe(10);
    expect(state?.warnings).toEqual([expect.stringContaining("00000000000000000006.checkpoint.parquet")]);
  });

  it("tells of a version that is not there by the whole log", async () => {
    await expect(filesOf(12n)).rejects.toMatchObject({
      code: "DELTA_VERSION_NOT_FOUND",
      message: expect.stringContaining("it has 0 to 9"),
    });
  });
});
