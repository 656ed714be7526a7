import { describe, expect, it } from "vitest";
import type { Action, AddFile } from "../log/actions.js";
import { parseCommit } from "../log/commit-file.js";
import { formatJson, type JsonObject } from "../log/json.js";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import { memoryStore } from "../testing/memory-store.js";
import { add, ID_SCHEMA, metaData, PROTOCOL, remove } from "../testing/test-log.js";
import { type Change, READS_NOTHING, type ReadSet } from "./change.js";
import { type Contender, findConflict } from "./conflict.js";
import { commit, createTable } from "./transaction.js";

const NOTHING: Contender = {
  isolation: "Serializable",
  isBlindAppend: false,
  reads: READS_NOTHING,
  touched: new Set(),
  changesMetadata: false,
  appIds: new Set(),
  domains: new Set(),
};
const reads = (...paths: string[]): ReadSet => ({
  files: paths.map((path) => ({ path }) as AddFile),
  wouldRead: ({ path }) => paths.includes(path),
});
const actions = (...lines: object[]): Action[] =>
  parseCommit(lines.map((line) => formatJson(line as JsonObject)).join("\n"));
const blind = { commitInfo: { isBlindAppend: true } };
const domain = (name: string) => ({ domainMetadata: { domain: name, configuration: "{}", removed: false } });
const txn = { txn: { appId: "app", version: 1 } };

/** By the table in Delta's documentation ("Concurrency control") and Spark's ConflictChecker. */
describe("findConflict", () => {
  it.each<[string, Partial<Contender>, object[], string | undefined]>([
    ["nothing clashes with nothing", {}, [blind], undefined],
    ["a new protocol, for an append", { isBlindAppend: true }, [PROTOCOL], "DELTA_PROTOCOL_CHANGED"],
    ["new metadata, for an append", { isBlindAppend: true }, [metaData()], "DELTA_METADATA_CHANGED"],
    ["protocol is told before metadata", {}, [metaData(), PROTOCOL], "DELTA_PROTOCOL_CHANGED"],
    ["the same application", { appIds: new Set(["app"]) }, [txn], "DELTA_CONCURRENT_TRANSACTION"],
    ["another application", { appIds: new Set(["other"]) }, [txn], undefined],
    ["the same domain", { domains: new Set(["d"]) }, [domain("d")], "DELTA_CONCURRENT_TRANSACTION"],
    ["another domain", { domains: new Set(["d"]) }, [domain("e")], undefined],
    ["high-water marks", { domains: new Set(["delta.rowTracking"]) }, [domain("delta.rowTracking")], undefined],

    ["an append to an appender", { isBlindAppend: true, reads: { files: "all" } }, [blind, add("a")], undefined],
    ["an append to a reader", { reads: { files: "all" } }, [blind, add("a")], "DELTA_CONCURRENT_APPEND"],
    ["an append of what it reads", { reads: reads("a") }, [blind, add("a")], "DELTA_CONCURRENT_APPEND"],
    ["an append of what it does not read", { reads: reads("b") }, [blind, add("a")], undefined],
    ["an append, where nobody knows what is read", { reads: { files: [] } }, [add("a")], "DELTA_CONCURRENT_APPEND"],
    [
      "a blind append under WriteSerializable",
      { isolation: "WriteSerializable", reads: { files: "all" } },
      [blind, add("a")],
      undefined,
    ],
    [
      "another append under WriteSerializable",
      { isolation: "WriteSerializable", reads: { files: "all" } },
      [add("a")],
      "DELTA_CONCURRENT_APPEND",
    ],
    [
      "a blind append under WriteSerializable, to a change of metadata",
      { isolation: "WriteSerializable", reads: { files: "all" }, changesMetadata: true },
      [blind, add("a")],
      "DELTA_CONCURRENT_APPEND",
    ],
    ["an append to a compaction", { isolation: "SnapshotIsolation", reads: reads("b") }, [add("a")], undefined],

    ["a removal of what it read", { reads: reads("a") }, [remove("a")], "DELTA_CONCURRENT_DELETE_READ"],
    ["a removal of what it did not read", { reads: reads("b") }, [remove("a")], undefined],
    ["any removal, for who read all", { reads: { files: "all" } }, [remove("a")], "DELTA_CONCURRENT_DELETE_READ"],
    ["a removal of what it touches", { touched: new Set(["a"]) }, [remove("a")], "DELTA_CONCURRENT_DELETE_DELETE"],
    [
      "another vector for the file it touches",
      { touched: new Set(["a"]), reads: READS_NOTHING },
      [remove("a", { deletionVector: { storageType: "u", pathOrInlineDv: "x", sizeInBytes: 1, cardinality: 1 } })],
      "DELTA_CONCURRENT_DELETE_DELETE",
    ],
    [
      "a compaction of files that it did not read",
      { reads: reads("b"), touched: new Set(["b"]) },
      [remove("a", { dataChange: false }), add("c", { dataChange: false })],
      undefined,
    ],
    [
      "a compaction of files that it read",
      { reads: reads("a") },
      [remove("a", { dataChange: false }), add("c", { dataChange: false })],
      "DELTA_CONCURRENT_DELETE_READ",
    ],
    [
      "two compactions of one file",
      { isolation: "SnapshotIsolation", reads: READS_NOTHING, touched: new Set(["a"]) },
      [remove("a", { dataChange: false }), add("c", { dataChange: false })],
      "DELTA_CONCURRENT_DELETE_DELETE",
    ],
  ])("%s", (_name, loser, winner, code) => {
    expect(findConflict({ ...NOTHING, ...loser }, actions(...winner))?.code).toBe(code);
  });
});

describe("case V44: writers that replace slices", () => {
  const YEAR = { name: "year", type: { kind: "string" }, nullable: true, metadata: {} } as const;
  const partition = (year: string, path: string) => ({ path, size: 1, partitionValues: { year } });

  function replace(snapshot: Snapshot, year: string, path: string): Change {
    const isSlice = ({ partitionValues }: AddFile): boolean => partitionValues["year"] === year;
    const files = snapshot.files.filter(isSlice);
    return { operation: "WRITE", remove: files, add: [partition(year, path)], reads: { files, wouldRead: isSlice } };
  }

  it("the same slice is a conflict, another one is not", async () => {
    const store = memoryStore();
    const schema = { kind: "struct", fields: [...ID_SCHEMA.fields, YEAR] } as const;
    const creation = { operation: "CREATE TABLE" };
    await createTable(store, "/t", { schema, partitionColumns: ["year"] }, creation);
    const read = async (): Promise<Snapshot> => (await readSnapshot(store, "/t")) as Snapshot;
    const start = { operation: "WRITE", add: [partition("2023", "k=10,11"), partition("2024", "k=20,21")] };
    await commit(store, await read(), { ...start, isBlindAppend: true });

    const version1 = await read();
    expect(await commit(store, version1, replace(version1, "2023", "k=12,13,14"))).toEqual({ version: 2n });
    await expect(commit(store, version1, replace(version1, "2023", "k=15"))).rejects.toMatchObject({
      code: "DELTA_CONCURRENT_APPEND",
      version: 2n,
      message: expect.stringContaining("[year=2023]"),
    });
    expect(await commit(store, version1, replace(version1, "2024", "k=29"))).toEqual({ version: 3n });
    expect((await read()).files.map(({ path }) => path).sort()).toEqual(["k=12,13,14", "k=29"]);

    const blindAppend = (path: string): Change => ({
      operation: "WRITE",
      add: [partition("2025", path)],
      isBlindAppend: true,
    });
    const version3 = await read();
    expect(await commit(store, version3, blindAppend("a"))).toEqual({ version: 4n });
    expect(await commit(store, version3, blindAppend("b"))).toEqual({ version: 5n });
  });
});
