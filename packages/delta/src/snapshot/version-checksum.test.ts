import { writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Action, AddFile } from "../log/actions.js";
import { parseCommit } from "../log/commit-file.js";
import { checksumPath } from "../log/log-files.js";
import { add, metaData, PROTOCOL, remove, snapshotOf, temporaryFolder, writeLog } from "../testing/test-log.js";
import { applyActions, emptyState } from "./log-state.js";
import { advance, formatChecksum, sumFiles } from "./version-checksum.js";

async function writeTable(checksum: object | string): Promise<string> {
  const table = await temporaryFolder();
  await writeLog(table, [
    [PROTOCOL, metaData({ configuration: { b: "2", a: "1" } }), add("f1", { size: 10 }), add("f2", { size: 5 })],
    [remove("f1"), add("f3", { size: 7 })],
  ]);
  const text = typeof checksum === "string" ? checksum : JSON.stringify(checksum);
  await writeFile(checksumPath(table, 1n), text);
  return table;
}

/** As the protocol describes it for this log: f2 and f3 are left. */
const RIGHT = {
  tableSizeBytes: 12,
  numFiles: 2,
  numMetadata: 1,
  numProtocol: 1,
  metadata: Object(metaData({ configuration: { a: "1", b: "2" } })).metaData,
  protocol: PROTOCOL.protocol,
};

describe("a version's checksum", () => {
  it("that tells of the same state says nothing", async () => {
    expect((await snapshotOf(await writeTable(RIGHT))).warnings).toEqual([]);
    const { metadata: _metadata, protocol: _protocol, ...old } = RIGHT;
    expect((await snapshotOf(await writeTable(old))).warnings).toEqual([]);
  });

  it.each([
    ["it has 2 files, not 3", { numFiles: 3 }],
    ["its files have 12 bytes, not 13", { tableSizeBytes: 13 }],
    ["it has another protocol", { protocol: { minReaderVersion: 1, minWriterVersion: 4 } }],
    ["it has other metadata", { metadata: { ...RIGHT.metadata, id: "other" } }],
    ["it has other metadata", { metadata: { ...RIGHT.metadata, configuration: { a: "1" } } }],
    ["it has other metadata", { metadata: { ...RIGHT.metadata, schemaString: "{damaged" } }],
  ])("that does not match is refused: %s", async (fault, wrong) => {
    const table = await writeTable({ ...RIGHT, ...wrong });
    await expect(snapshotOf(table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      version: 1n,
      path: checksumPath(table, 1n),
      message: expect.stringContaining(fault),
    });
  });

  it("that is damaged proves nothing, and is told", async () => {
    const table = await writeTable("{damaged");
    expect((await snapshotOf(table)).warnings).toEqual([expect.stringContaining("00000000000000000001.crc")]);
  });
});

/** Few paths and vectors, so that actions meet. */
const file = fc
  .record({ path: fc.constantFrom("a", "b", "c"), vector: fc.constantFrom(undefined, "x", "y"), size: fc.nat(99) })
  .map(({ path, vector, size }): AddFile => {
    const deletionVector =
      vector === undefined ? undefined : { storageType: "i", pathOrInlineDv: vector, sizeInBytes: 1, cardinality: 3n };
    return { path, uri: path, partitionValues: {}, size, modificationTime: 0, dataChange: true, deletionVector };
  });
const commits = fc.array(
  fc.array(
    fc.oneof(
      file.map((item): Action => ({ add: item })),
      file.map((item): Action => ({ remove: item })),
    ),
    {
      maxLength: 4,
    },
  ),
  { maxLength: 6 },
);

describe("advance", () => {
  it("comes to the sums of the whole replay, from whatever version it starts", () => {
    const start = parseCommit(`${JSON.stringify(PROTOCOL)}\n${JSON.stringify(metaData())}`);
    fc.assert(
      fc.property(commits, fc.nat(6), (all, split) => {
        const [before, whole] = [emptyState(), emptyState()];
        for (const actions of [start, ...all.slice(0, split)]) applyActions(before, actions);
        for (const actions of [start, ...all]) applyActions(whole, actions);
        const { protocol, metadata } = before;
        if (protocol === undefined || metadata === undefined) throw new Error("the log has no start");
        const snapshot = { protocol, metadata, files: [...before.files.values()], domains: before.domains };
        expect(advance(snapshot, all.slice(split))?.sums).toEqual(sumFiles(whole.files.values()));
      }),
    );
  });

  it("takes protocol, metadata, domains and commit information from the commits", () => {
    const state = advance(undefined, [
      parseCommit(
        [
          { commitInfo: { txnId: "t", inCommitTimestamp: 77 } },
          PROTOCOL,
          metaData(),
          { domainMetadata: { domain: "d", configuration: "{}", removed: false } },
          add("f", {
            size: 4,
            deletionVector: { storageType: "i", pathOrInlineDv: "x", sizeInBytes: 1, cardinality: 2 },
          }),
        ]
          .map((action) => JSON.stringify(action))
          .join("\n"),
      ),
    ]);
    if (state === undefined) throw new Error("the commit has a start");
    expect(JSON.parse(formatChecksum(state))).toEqual({
      txnId: "t",
      tableSizeBytes: 4,
      numFiles: 1,
      numDeletedRecordsOpt: 2,
      numDeletionVectorsOpt: 1,
      numMetadata: 1,
      numProtocol: 1,
      inCommitTimestampOpt: 77,
      domainMetadata: [{ domain: "d", configuration: "{}", removed: false }],
      metadata: Object(metaData()).metaData,
      protocol: PROTOCOL.protocol,
    });
  });
});
