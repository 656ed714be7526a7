import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { logFolder } from "../log/log-files.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import { localStore } from "../store/local-store.js";
import { ID_SCHEMA, pathsOf, snapshotOf, temporaryFolder } from "../testing/test-log.js";
import { buildProgram, runCommand } from "../testing/test-process.js";
import { createTable } from "./transaction.js";

const WRITERS = ["a", "b", "c", "d"];
const COMMITS = 15;

/** Appends blindly on one old snapshot, every fifth time it overwrites a marker of its own by read and compare. */
const WRITER = `
  import { commit, localStore, readSnapshot } from "../index.js";
  import { isConflict } from "../error.js";
  const [, , table, writer] = process.argv;
  const read = async () => (await readSnapshot(localStore, table))!;
  let snapshot = await read();
  for (let i = 0; i < ${COMMITS}; i++) {
    const transactions = [{ appId: writer, version: BigInt(i) }];
    await commit(localStore, snapshot, { operation: "WRITE", add: [{ path: writer + i, size: 1 }], transactions, isBlindAppend: true });
    snapshot = await read();
    if (i % 5 !== 4) continue;
    for (;;) {
      const marker = snapshot.files.filter((file) => file.path.startsWith("marker"));
      const count = Number(marker[0]?.path.split("-")[1] ?? 0) + 1;
      try {
        await commit(localStore, snapshot, { operation: "MERGE", remove: marker, add: [{ path: "marker-" + count, size: 1 }] });
        break;
      } catch (error) {
        if (!isConflict(error)) throw error;
        snapshot = await read();
      }
    }
    snapshot = await read();
  }`;

describe("several processes on one table", () => {
  it("lose no commit and no version", async () => {
    const folder = await temporaryFolder();
    const table = `${folder}/table`;
    await createTable(localStore, table, { schema: ID_SCHEMA }, { operation: "CREATE TABLE" });
    const program = await buildProgram(folder, WRITER);
    await Promise.all(WRITERS.map((writer) => runCommand(process.execPath, [program, table, writer])));

    const markers = WRITERS.length * (COMMITS / 5);
    const snapshot = await snapshotOf(table);
    const files = WRITERS.flatMap((writer) => Array.from({ length: COMMITS }, (_, i) => `${writer}${i}`));
    // Each marker was counted on from the one before: the last one says that no overwrite was lost.
    expect(pathsOf(snapshot)).toEqual([...files, `marker-${markers}`].sort());
    expect(snapshot.version).toBe(BigInt(files.length + markers));
    expect(snapshot.transactions).toEqual(new Map(WRITERS.map((writer) => [writer, BigInt(COMMITS - 1)])));
    const commits = (await readdir(logFolder(table))).filter((name) => /^\d{20}\.json$/.test(name));
    expect(commits).toHaveLength(files.length + markers + 1);
    expect(await readSnapshot(localStore, table, { version: 0n })).toMatchObject({ files: [] });
  });
});
