import { describe, expect, test } from "vitest";
import { readChangeFeed } from "../changes/change-feed.js";
import type { FileRewriter } from "../engine/file-rewriter.js";
import { deleteRows } from "../javascript/delete-rows.js";
import { readRows } from "../javascript/read-rows.js";
import { fileRewriter } from "../javascript/rewrite-files.js";
import { appendRows } from "../javascript/write-rows.js";
import type { AddFile } from "../log/actions.js";
import { readHistory } from "../snapshot/history.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { compact, optimize, purge } from "./optimize.js";
import { planOptimize } from "./optimize-scope.js";

const VECTORS = { "delta.enableDeletionVectors": "true" };
const LIQUID = "delta.clustering";
const MB = 2 ** 20;

async function rowsOf(store: Store, table: string): Promise<string[]> {
  const rows = await gatherRows(readRows(store, await stateOf(store, table)));
  return rows.map((row) => Object.values(row).join(" ")).sort();
}

async function filesOf(store: Store, table: string): Promise<readonly AddFile[]> {
  return (await stateOf(store, table)).files;
}

/** Paths of data files that lie in the store. */
async function stored(store: Store, table: string): Promise<string[]> {
  return (await store.list(table)).map(({ name }) => name).filter((name) => name.endsWith(".parquet"));
}

/** Appends one row a commit. */
async function appendEach(store: Store, table: string, ids: readonly bigint[], fields: object = {}): Promise<void> {
  for (const id of ids) await appendRows(store, table, [{ id, ...fields }]);
}

/** Does something of another writer after each rewrite, before it is committed. */
function interrupted(rewriter: FileRewriter, other: (call: number) => Promise<unknown>): FileRewriter {
  let call = 0;
  return {
    async rewrite(...task) {
      const files = await rewriter.rewrite(...task);
      call += 1;
      await other(call);
      return files;
    },
  };
}

describe("optimize", () => {
  test("gathers small files and drops deleted rows; the rows stay, the feed shows nothing, a second run does nothing", async () => {
    const store = memoryStore();
    const table = await tableOf(
      store,
      { id: "long" },
      { configuration: { ...VECTORS, "delta.enableChangeDataFeed": "true" } },
    );
    await appendRows(store, table, [{ id: 1n }, { id: 2n }, { id: 3n }]);
    await appendEach(store, table, [4n, 5n]);
    await deleteRows(store, table, ({ id }) => id === 2n);
    const before = await rowsOf(store, table);
    const { version } = await stateOf(store, table);

    const result = await optimize(store, table, fileRewriter(store));
    expect(result).toMatchObject({
      version: version + 1n,
      metrics: { numFilesAdded: 1, numFilesRemoved: 3, numDeletionVectorsRemoved: 1 },
      givenUp: [],
    });
    expect(await rowsOf(store, table)).toEqual(before);
    expect(before).toEqual(["1", "3", "4", "5"]);
    const [file, ...others] = await filesOf(store, table);
    expect(others).toEqual([]);
    expect(file).toMatchObject({ dataChange: false, deletionVector: undefined });
    for await (const { changes } of readChangeFeed(store, await stateOf(store, table), version + 1n))
      expect(changes).toEqual([]);

    const [entry] = await readHistory(store, table);
    expect(entry?.operation).toBe("OPTIMIZE");
    expect(Object.fromEntries(entry?.operationParameters ?? [])).toEqual({
      predicate: "[]",
      zOrderBy: "[]",
      clusterBy: "[]",
      auto: "false",
    });
    expect(entry?.operationMetrics.get("numRemovedFiles")).toBe("3");
    expect(await optimize(store, table, fileRewriter(store))).toMatchObject({ version: version + 1n });
  });

  test("keeps row ids", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "long" }, { configuration: { "delta.enableRowTracking": "true" } });
    await appendEach(store, table, [10n, 11n, 12n]);
    const ids = async (): Promise<unknown[]> => {
      const rows = await gatherRows(readRows(store, await stateOf(store, table), { rowIds: true }));
      return rows
        .map((row) => JSON.stringify(row, (_key, value) => (typeof value === "bigint" ? `${value}` : value)))
        .sort();
    };
    const before = await ids();
    await optimize(store, table, fileRewriter(store));
    expect(await filesOf(store, table)).toHaveLength(1);
    expect(await ids()).toEqual(before);
  });

  test("of some partitions leaves the others alone", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { p: "string", id: "long" }, { partitionColumns: ["p"] });
    for (const p of ["x", "y", null]) await appendEach(store, table, [1n, 2n], { p });
    const where = { kind: "compare", column: ["P"], operator: "=", value: "x" } as const;
    await optimize(store, table, fileRewriter(store), { where });
    expect((await filesOf(store, table)).map(({ partitionValues }) => partitionValues["p"]).sort()).toEqual(
      ["x", "y", "y", null, null].sort(),
    );
    const [entry] = await readHistory(store, table);
    expect(entry?.operationParameters.get("predicate")).toBe(`["P = 'x'"]`);
    await optimize(store, table, fileRewriter(store));
    expect(await filesOf(store, table)).toHaveLength(3);
  });

  test("gives up what another writer took and keeps the rest", async () => {
    const store = memoryStore();
    const table = await tableOf(
      store,
      { p: "string", id: "long" },
      { partitionColumns: ["p"], configuration: VECTORS },
    );
    for (const p of ["x", "y"]) await appendEach(store, table, [1n, 2n], { p });
    const rewriter = interrupted(fileRewriter(store), async (call) => {
      if (call === 1) await deleteRows(store, table, ({ p, id }) => p === "x" && id === 2n);
      if (call === 2) await appendRows(store, table, [{ p: "y", id: 3n }]);
    });
    const result = await optimize(store, table, rewriter);
    expect(result.givenUp.map(({ files }) => files.map(({ partitionValues }) => partitionValues["p"]))).toEqual([
      ["x", "x"],
    ]);
    expect(result.metrics).toMatchObject({ numFilesAdded: 1, numFilesRemoved: 2 });
    expect(await rowsOf(store, table)).toEqual(["x 1", "y 1", "y 2", "y 3"]);
    // No file is left over from the group that was given up.
    const named = new Set<string>();
    for (let version = 0n; version <= result.version; version += 1n)
      for (const { path } of (await stateOf(store, table, version)).files) named.add(path);
    expect((await stored(store, table)).filter((name) => !named.has(name))).toEqual([]);
  });

  test("commits in parts where it is asked to, so that what is done stays when a later part fails", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { p: "string", id: "long" }, { partitionColumns: ["p"] });
    for (const p of ["x", "y"]) await appendEach(store, table, [1n, 2n], { p });
    const failing = interrupted(fileRewriter(store), async (call) => {
      if (call === 2) throw new Error("disk full");
    });
    await expect(optimize(store, table, failing, { commitBytes: 1 })).rejects.toThrow("disk full");
    expect(await filesOf(store, table)).toHaveLength(3);
    expect(await rowsOf(store, table)).toEqual(["x 1", "x 2", "y 1", "y 2"]);
  });

  test("gives up all when the table gets another definition", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "long" });
    await appendEach(store, table, [1n, 2n]);
    const rewriter = interrupted(fileRewriter(store), async () => {
      const { commit } = await import("../commit/transaction.js");
      const snapshot = await stateOf(store, table);
      await commit(store, snapshot, { operation: "SET TBLPROPERTIES", metadata: { configuration: { owner: "x" } } });
    });
    expect((await optimize(store, table, rewriter)).givenUp).toHaveLength(1);
    expect(await filesOf(store, table)).toHaveLength(2);
  });

  test("lays out rows along a Z-order curve", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { a: "long", b: "long" });
    const side = [0n, 1n, 2n, 3n];
    await appendRows(
      store,
      table,
      side.flatMap((a) => side.map((b) => ({ a, b }))),
    );
    await optimize(store, table, fileRewriter(store), { zOrderBy: [["A"], ["b"]] });
    const rows = await gatherRows(readRows(store, await stateOf(store, table)));
    // By hand: quarter by quarter, a before b.
    expect(rows.map(({ a, b }) => `${a}${b}`).join(" ")).toBe("00 01 10 11 02 03 12 13 20 21 30 31 22 23 32 33");
    const [entry] = await readHistory(store, table);
    expect(entry?.operationParameters.get("zOrderBy")).toBe('["A","b"]');
  });

  test("clusters new rows into cubes, merges cubes as they grow, and lays out all in full", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "long" });
    const { commit } = await import("../commit/transaction.js");
    const configuration = JSON.stringify({ clusteringColumns: [["id"]], domainName: LIQUID });
    await commit(store, await stateOf(store, table), {
      operation: "CLUSTER BY",
      domains: new Map([[LIQUID, configuration]]),
    });
    const cubes = async (): Promise<number> =>
      new Set((await filesOf(store, table)).map(({ tags }) => tags?.["ZCUBE_ID"])).size;

    await appendEach(store, table, [4n, 2n, 3n, 1n]);
    await optimize(store, table, fileRewriter(store));
    const [first] = await filesOf(store, table);
    expect(first).toMatchObject({ clusteringProvider: "liquid", tags: { ZCUBE_ZORDER_BY: '["id"]' } });
    expect((await gatherRows(readRows(store, await stateOf(store, table)))).map(({ id }) => id)).toEqual([
      1n,
      2n,
      3n,
      4n,
    ]);
    const { version } = await stateOf(store, table);
    expect((await optimize(store, table, fileRewriter(store))).version).toBe(version);

    await appendRows(
      store,
      table,
      Array.from({ length: 5000 }, (_, i) => ({ id: BigInt(i * 7919) })),
    );
    await optimize(store, table, fileRewriter(store));
    expect(await cubes()).toBe(1);
    await appendRows(store, table, [{ id: 9n }]);
    await optimize(store, table, fileRewriter(store));
    expect(await cubes()).toBe(2);
    await optimize(store, table, fileRewriter(store), { full: true });
    expect(await cubes()).toBe(1);
    const [entry] = await readHistory(store, table);
    expect(entry?.operationParameters.get("clusterBy")).toBe('["id"]');
    expect(entry?.operationParameters.get("isFull")).toBe("true");

    for (const [options, code] of [
      [{ zOrderBy: [["id"]] }, "DELTA_CLUSTERING_WITH_ZORDER_BY"],
      [{ where: { kind: "isNull", column: ["id"] } }, "DELTA_CLUSTERING_WITH_PARTITION_PREDICATE"],
    ] as const)
      await expect(optimize(store, table, fileRewriter(store), options)).rejects.toMatchObject({ code });
  });

  test("refuses what it cannot do by Delta's names", async () => {
    const store = memoryStore();
    const columns = { id: "long", p: "string", s: { kind: "struct", fields: [] } } as const;
    const table = await tableOf(store, columns, {
      partitionColumns: ["p"],
      configuration: { "delta.dataSkippingNumIndexedCols": "0" },
    });
    for (const [options, code] of [
      [{ full: true }, "DELTA_OPTIMIZE_FULL_NOT_SUPPORTED"],
      [{ zOrderBy: [["nowhere"]] }, "DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST"],
      [{ zOrderBy: [["P"]] }, "DELTA_ZORDERING_ON_PARTITION_COLUMN"],
      [{ zOrderBy: [["id"]] }, "DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS"],
      [{ where: { kind: "isNull", column: ["id"] } }, "DELTA_NON_PARTITION_COLUMN_REFERENCE"],
    ] as const)
      await expect(optimize(store, table, fileRewriter(store), options)).rejects.toMatchObject({ code });
    await expect(optimize(store, "/nowhere", fileRewriter(store))).rejects.toMatchObject({ code: "NO_DELTA_TABLE" });
  });
});

describe("planOptimize", () => {
  const sized = (path: string, size: number, deleted = 0, rows: number | null = 100): AddFile => ({
    path,
    uri: path,
    partitionValues: {},
    size,
    modificationTime: 1,
    dataChange: true,
    stats: rows === null ? undefined : `{"numRecords":${rows}}`,
    deletionVector:
      deleted === 0
        ? undefined
        : { storageType: "u", pathOrInlineDv: path, offset: 1, sizeInBytes: 1, cardinality: BigInt(deleted) },
  });

  async function plan(files: readonly AddFile[], options: Parameters<typeof planOptimize>[1] = {}): Promise<string[]> {
    const store = memoryStore();
    const snapshot = await stateOf(store, await tableOf(store, { id: "long" }));
    return planOptimize({ ...snapshot, files }, options).map((group) => group.files.map(({ path }) => path).join(""));
  }

  test("fills bins up to 128 MB, the smallest files first", async () => {
    const files = [
      sized("a", 60 * MB),
      sized("b", 70 * MB),
      sized("c", 50 * MB),
      sized("d", 128 * MB),
      sized("e", 8 * MB),
    ];
    // 8 + 50 + 60 = 118; 70 stays alone, 128 is large enough.
    expect(await plan(files)).toEqual(["eca"]);
    expect(await plan(files, { minFileSize: 55 * MB })).toEqual(["ec"]);
  });

  test("writes a file with more than 5 % deleted rows anew, alone if need be, and one that does not tell", async () => {
    const files = [sized("a", 200 * MB, 5), sized("b", 200 * MB, 6), sized("c", 200 * MB, 1, null)];
    expect((await plan(files)).sort()).toEqual(["b", "c"]);
    expect((await plan(files, { maxDeletedRowsRatio: 0.1 })).sort()).toEqual(["c"]);
  });
});

test("purge takes every deleted row out, and only files that have some", async () => {
  const store = memoryStore();
  const table = await tableOf(store, { id: "long" }, { configuration: VECTORS });
  await appendRows(
    store,
    table,
    Array.from({ length: 100 }, (_, i) => ({ id: BigInt(i) })),
  );
  await appendRows(store, table, [{ id: 100n }]);
  await deleteRows(store, table, ({ id }) => id === 7n);
  const before = await rowsOf(store, table);
  const result = await purge(store, table, fileRewriter(store));
  expect(result.metrics).toMatchObject({ numFilesAdded: 1, numFilesRemoved: 1, numDeletionVectorsRemoved: 1 });
  expect((await filesOf(store, table)).every(({ deletionVector }) => deletionVector === undefined)).toBe(true);
  expect(await rowsOf(store, table)).toEqual(before);
  const [entry] = await readHistory(store, table);
  expect(entry?.operation).toBe("REORG");
  expect(entry?.operationParameters.get("applyPurge")).toBe("true");
  expect((await purge(store, table, fileRewriter(store))).version).toBe(result.version);
});

test("compact does nothing for seven small files and merges eight", async () => {
  const store = memoryStore();
  const table = await tableOf(store, { id: "long" });
  await appendEach(store, table, [1n, 2n, 3n, 4n, 5n, 6n, 7n]);
  await compact(store, table, fileRewriter(store));
  expect(await filesOf(store, table)).toHaveLength(7);
  await appendEach(store, table, [8n]);
  await compact(store, table, fileRewriter(store));
  expect(await filesOf(store, table)).toHaveLength(1);
  expect(await rowsOf(store, table)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
});
