import { describe, expect, test } from "vitest";
import type { AddFile } from "../log/actions.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { ID_SCHEMA } from "../testing/test-log.js";
import { compactionDue } from "./compaction-policy.js";
import { deletedRatio } from "./optimize-plan.js";

const MB = 2 ** 20;

function file(path: string, rows: number, size: number, deleted = 0, fields: Partial<AddFile> = {}): AddFile {
  return {
    path,
    uri: path,
    partitionValues: {},
    size,
    modificationTime: 1,
    dataChange: true,
    stats: `{"numRecords":${rows}}`,
    deletionVector:
      deleted === 0
        ? undefined
        : { storageType: "u", pathOrInlineDv: path, offset: 1, sizeInBytes: 40, cardinality: BigInt(deleted) },
    ...fields,
  };
}

function table(files: readonly AddFile[], domains: ReadonlyMap<string, string> = new Map()): Snapshot {
  return {
    table: "/t",
    version: 1n,
    timestamp: 1,
    protocol: { minReaderVersion: 1, minWriterVersion: 2 },
    metadata: {
      id: "1",
      format: { provider: "parquet", options: {} },
      schemaString: "",
      partitionColumns: [],
      configuration: {},
    },
    schema: ID_SCHEMA,
    files,
    transactions: new Map(),
    domains,
    commitInfo: undefined,
    warnings: [],
  };
}

function due(files: readonly AddFile[], domains?: ReadonlyMap<string, string>): string[][] {
  return compactionDue(table(files, domains)).map((group) => group.files.map(({ path }) => path).sort());
}

describe("compactionDue", () => {
  test("merges eight files of one size, not seven", () => {
    const seven = ["a", "b", "c", "d", "e", "f", "g"].map((path) => file(path, 1000, 7 * MB));
    expect(due(seven)).toEqual([]);
    expect(due([...seven, file("h", 1000, 7 * MB)])).toEqual([["a", "b", "c", "d", "e", "f", "g", "h"]]);
  });

  test("leaves files of other sizes and of other partitions aside", () => {
    const sizes = [1, 1, 1, 1, 30, 30, 30, 30, 70, 70, 70, 70, 130, 130, 130, 130];
    expect(due(sizes.map((size, i) => file(`f${i}`, 1000, size * MB)))).toEqual([]);
    const partitions = [..."abcdefgh"].map((path, i) =>
      file(path, 1000, 7 * MB, 0, { partitionValues: { p: i < 4 ? "x" : "y" } }),
    );
    expect(due(partitions)).toEqual([]);
  });

  test("purges where more than a fifth is deleted, whatever the size", () => {
    const files = [file("a", 1000, 130 * MB, 200), file("b", 1000, 130 * MB, 201), file("c", 10, MB, 3)];
    expect(due(files)).toEqual([["b", "c"]]);
  });

  test("makes a cube of eight files that are not clustered", () => {
    const domains = new Map([["delta.clustering", '{"clusteringColumns":[["id"]],"domainName":"delta.clustering"}']]);
    const fresh = [..."abcdefgh"].map((path) => file(path, 1000, 7 * MB));
    const cube = file("old", 1000, 130 * MB, 0, { clusteringProvider: "liquid", tags: { ZCUBE_ID: "1" } });
    expect(due([cube, ...fresh.slice(1)], domains)).toEqual([]);
    const [group] = compactionDue(table([cube, ...fresh], domains));
    expect(group?.files.map(({ path }) => path).join("")).toBe("abcdefgh");
    expect(group).toMatchObject({ order: { curve: "hilbert", columns: [["id"]] }, marks: "new cube" });
  });
});

/**
 * A table of 5 M rows that takes 2,000 batches of 208,000 changes, a row here standing for 500. Deletion vectors mark
 * old rows, the rows of a batch are one file.
 */
test.each([
  { recent: 1_000, clustered: false, bytes: 3.3 },
  { recent: 10_000, clustered: false, bytes: 4.6 },
  { recent: 1_000, clustered: true, bytes: 4.1 },
])("2,000 batches with updates of the newest $recent rows, clustered: $clustered", ({ recent, clustered, bytes }) => {
  const { mostExtraFiles, mostDeleted, amplification } = simulate(recent, clustered);
  // Two tiers of small files lie between a batch of 9 MB and half of the target, seven files each.
  expect(mostExtraFiles).toBeLessThanOrEqual(14);
  expect(mostDeleted).toBeLessThan(0.2);
  expect(amplification).toBeLessThan(bytes);
  expect(amplification).toBeGreaterThan(bytes - 0.6);
});

interface Simulated {
  /** Files beyond the table's live bytes in files of half the target size. */
  mostExtraFiles: number;
  /** Of all rows, after compaction. */
  mostDeleted: number;
  /** All bytes written for each byte of the batches, the batches included. */
  amplification: number;
}

function simulate(recent: number, clustered: boolean): Simulated {
  const BYTES = 22_800;
  const target = 128 * MB;
  const domains: ReadonlyMap<string, string> = clustered
    ? new Map([["delta.clustering", '{"clusteringColumns":[["id"]]}']])
    : new Map();
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };

  interface Part {
    rows: number;
    deleted: number;
    readonly cube: string | undefined;
  }
  const parts = new Map<number, Part>();
  /** The part that holds each key, -1 for a deleted one; keys count up with their inserts. */
  const home: number[] = [];
  const members = new Map<number, number[]>();
  let next = 0;
  const write = (keys: readonly number[], cube: string | undefined): void => {
    const count = Math.max(1, Math.ceil((keys.length * BYTES) / target));
    const each = Math.ceil(keys.length / count);
    for (let start = 0; start < keys.length; start += each) {
      const chunk = keys.slice(start, start + each);
      for (const key of chunk) home[key] = next;
      parts.set(next, { rows: chunk.length, deleted: 0, cube });
      members.set(next, chunk);
      next += 1;
    }
  };
  const mask = (key: number): void => {
    const id = home[key] ?? -1;
    const part = parts.get(id);
    if (part === undefined) return;
    part.deleted += 1;
    home[key] = -1;
    if (part.deleted < part.rows) return;
    parts.delete(id);
    members.delete(id);
  };

  write([...Array(10_000).keys()], clustered ? "0" : undefined);
  let written = 0;
  let batches = 0;
  const result = { mostExtraFiles: 0, mostDeleted: 0, amplification: 0 };
  for (let batch = 0; batch < 2_000; batch += 1) {
    const newest = home.length;
    const touched = new Set<number>();
    for (let i = 0; i < 237; i += 1) touched.add(newest - 1 - random(recent));
    for (let i = 0; i < 12; i += 1) touched.add(random(newest));
    const updated = [...touched].filter((key) => (home[key] ?? -1) >= 0);
    updated.forEach(mask);
    for (let i = 0; i < 21; i += 1) mask(random(newest));
    const inserted = Array.from({ length: 146 }, (_, i) => newest + i);
    write([...updated, ...inserted], undefined);
    batches += updated.length + inserted.length;
    written += updated.length + inserted.length;

    const files = [...parts].map(([id, part]) =>
      file(String(id), part.rows, part.rows * BYTES, part.deleted, {
        ...(part.cube === undefined ? {} : { clusteringProvider: "liquid", tags: { ZCUBE_ID: part.cube } }),
      }),
    );
    for (const [place, group] of compactionDue(table(files, domains)).entries()) {
      const keys: number[] = [];
      for (const { path } of group.files) {
        for (const key of members.get(Number(path)) ?? []) if (home[key] === Number(path)) keys.push(key);
        parts.delete(Number(path));
        members.delete(Number(path));
      }
      const kept = group.marks === "new cube" ? `${batch}.${place}` : group.marks.tags?.["ZCUBE_ID"];
      write(keys, kept ?? undefined);
      written += keys.length;
    }

    const rows = [...parts.values()].reduce((sum, part) => sum + part.rows, 0);
    const deleted = [...parts.values()].reduce((sum, part) => sum + part.deleted, 0);
    const needed = Math.ceil(((rows - deleted) * BYTES) / (target / 2));
    result.mostExtraFiles = Math.max(result.mostExtraFiles, parts.size - needed);
    result.mostDeleted = Math.max(result.mostDeleted, deleted / rows);
  }
  result.amplification = written / batches;
  return result;
}

test("the ratio of deleted rows is that of the log", () => {
  expect(deletedRatio(file("a", 1000, 1, 200))).toBe(0.2);
  expect(deletedRatio(file("a", 1000, 1))).toBe(0);
  expect(deletedRatio(file("a", 1000, 1, 5, { stats: undefined }))).toBe(1);
});
