import { describe, expect, it } from "vitest";
import type { Snapshot } from "../snapshot/snapshot.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import { file, fileNamed, linesOf, newTable, snapshotOf, vector } from "../testing/two-files.js";
import { READS_NOTHING } from "./change.js";
import { commit } from "./transaction.js";

const T = "/t";
const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const VECTORS = { "delta.enableDeletionVectors": "true" };

describe("row tracking", () => {
  const TRACKED = { "delta.enableRowTracking": "true", ...VECTORS };
  const idsOf = ({ files }: Snapshot) =>
    Object.fromEntries(
      files.map(({ path, baseRowId, defaultRowCommitVersion }) => [path, [baseRowId, defaultRowCommitVersion]]),
    );

  it("names hidden columns, gives ids, keeps them under new vectors, and moves the mark", async () => {
    const { store, commitNow } = await newTable(TRACKED);
    const created = await snapshotOf(store);
    expect(created.metadata.configuration).toMatchObject({
      "delta.rowTracking.materializedRowIdColumnName": expect.stringMatching(`^_row-id-col-${UUID}$`),
      "delta.rowTracking.materializedRowCommitVersionColumnName": expect.stringMatching(
        `^_row-commit-version-col-${UUID}$`,
      ),
    });
    expect(created.protocol.writerFeatures).toEqual(expect.arrayContaining(["domainMetadata", "rowTracking"]));
    expect(idsOf(created)).toEqual({ a: [0n, 1n], b: [5n, 1n] });
    expect(created.domains.get("delta.rowTracking")).toBe('{"rowIdHighWaterMark":9}');

    const mask = [{ file: await fileNamed(store, "b"), deletionVector: vector("x", 1n) }];
    await commitNow({ operation: "MERGE", mask, add: [file("c")], rowIdsPreserved: true });
    const masked = await snapshotOf(store);
    expect(idsOf(masked)).toEqual({ a: [0n, 1n], b: [5n, 1n], c: [10n, 2n] });
    expect(masked.domains.get("delta.rowTracking")).toBe('{"rowIdHighWaterMark":14}');
    const [{ commitInfo }, , { remove }] = await linesOf(store, 2n);
    expect(commitInfo.tags).toEqual({ "delta.rowTracking.preserved": "true" });
    expect(remove).toMatchObject({ path: "b", baseRowId: 5, defaultRowCommitVersion: 1 });
    // A table keeps the names, whatever properties it is given.
    await commitNow({ operation: "SET", metadata: { configuration: TRACKED } });
    expect((await snapshotOf(store)).metadata.configuration).toEqual(created.metadata.configuration);
  });

  it("says when ids are not kept", async () => {
    const { store, commitNow } = await newTable(TRACKED);
    await commitNow({ operation: "UPDATE", remove: [await fileNamed(store, "a")], add: [file("c")] });
    await commitNow({ operation: "DELETE", remove: [await fileNamed(store, "b")] });
    await commitNow({ operation: "WRITE", remove: "all", add: [file("d")] });
    const tags = await Promise.all([2n, 3n, 4n].map(async (v) => (await linesOf(store, v))[0].commitInfo.tags));
    expect(tags.map((tag) => tag["delta.rowTracking.preserved"])).toEqual(["false", "true", "true"]);
  });

  it("begins on a table with files by stating them again with ids, in the same commit", async () => {
    const { store, commitNow } = await newTable();
    await commitNow({ operation: "SET TBLPROPERTIES", metadata: { configuration: TRACKED } });
    const lines = await linesOf(store, 2n);
    expect(lines.map((line) => Object.keys(line)[0])).toEqual([
      "commitInfo",
      "protocol",
      "metaData",
      "domainMetadata",
      "add",
      "add",
    ]);
    expect(lines[4].add).toMatchObject({ path: "a", dataChange: false, baseRowId: 0, defaultRowCommitVersion: 2 });
    expect(idsOf(await snapshotOf(store))).toEqual({ a: [0n, 2n], b: [5n, 2n] });
    expect((await snapshotOf(store)).files).toHaveLength(2);
  });

  it("does not begin behind an append, whose rows would have no ids", async () => {
    const { store, commitNow } = await newTable();
    const full = await snapshotOf(store);
    const empty = (await readSnapshot(store, T, { version: 0n })) as Snapshot;
    await commitNow({ operation: "WRITE", add: [file("c")], isBlindAppend: true });
    const start = { operation: "SET", metadata: { configuration: TRACKED }, reads: READS_NOTHING, dataChange: false };
    for (const before of [full, empty])
      await expect(commit(store, before, start)).rejects.toMatchObject({ code: "DELTA_CONCURRENT_APPEND" });
  });

  it("does not begin behind a removal, whose rows would come back", async () => {
    const { store, commitNow } = await newTable();
    const before = await snapshotOf(store);
    await commitNow({ operation: "DELETE", remove: [await fileNamed(store, "a")] });
    const start = { operation: "SET", metadata: { configuration: TRACKED }, reads: READS_NOTHING };
    await expect(commit(store, before, start)).rejects.toMatchObject({ code: "DELTA_CONCURRENT_DELETE_READ" });
  });

  it("gives ids where it is supported and not enabled, none where it is suspended", async () => {
    const { store, commitNow } = await newTable({ "delta.feature.rowTracking": "supported" });
    expect(idsOf(await snapshotOf(store))).toEqual({ a: [0n, 1n], b: [5n, 1n] });
    expect((await linesOf(store, 1n))[0].commitInfo.tags).toBeUndefined();
    await commitNow({ operation: "SET", metadata: { configuration: { "delta.rowTrackingSuspended": "true" } } });
    await commitNow({ operation: "WRITE", add: [file("c")] });
    expect(idsOf(await snapshotOf(store))).toMatchObject({ c: [undefined, undefined] });
    const both = { "delta.rowTrackingSuspended": "true", ...TRACKED };
    await expect(commitNow({ operation: "SET", metadata: { configuration: both } })).rejects.toMatchObject({
      code: "DELTA_ROW_TRACKING_ILLEGAL_PROPERTY_COMBINATION",
    });
  });

  it("needs to know how many rows a file holds", async () => {
    const { commitNow } = await newTable(TRACKED);
    await expect(commitNow({ operation: "WRITE", add: [{ path: "c", size: 1 }] })).rejects.toMatchObject({
      code: "DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS",
    });
  });

  it("takes the ids that files bring, and gives none of them again", async () => {
    const { store, commitNow } = await newTable(TRACKED);
    const adopted = file("z", { baseRowId: 40n, defaultRowCommitVersion: 0n });
    await commitNow({ operation: "RESTORE", add: [adopted, file("c")] });
    expect(idsOf(await snapshotOf(store))).toMatchObject({ z: [40n, 0n], c: [45n, 2n] });
    expect((await snapshotOf(store)).domains.get("delta.rowTracking")).toBe('{"rowIdHighWaterMark":49}');
  });
});
