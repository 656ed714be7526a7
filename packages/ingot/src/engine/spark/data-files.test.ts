import type { AddFile, Snapshot } from "@ingot/delta";
import { expect, it } from "vitest";
import { toDeltaSchema } from "../tables/delta-schema.js";
import { isPlain } from "./data-files.js";

const file = (path: string, more: Partial<AddFile> = {}): AddFile => ({
  path,
  uri: path,
  partitionValues: {},
  size: 1,
  modificationTime: 0,
  dataChange: true,
  ...more,
});
const snapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  table: "/data/t",
  version: 1n,
  timestamp: 0,
  protocol: { minReaderVersion: 1, minWriterVersion: 2 },
  metadata: {
    id: "1",
    format: { provider: "parquet", options: {} },
    schemaString: "",
    partitionColumns: [],
    configuration: {},
  },
  schema: toDeltaSchema([{ name: "a", type: { kind: "int" }, nullable: true }]),
  files: [file("a.parquet"), file("b.parquet")],
  transactions: new Map(),
  domains: new Map(),
  commitInfo: undefined,
  warnings: [],
  ...more,
});
const { metadata } = snapshot();
const deletionVector = { storageType: "u", pathOrInlineDv: "x", sizeInBytes: 1, cardinality: 1n } as const;
const reader = (...readerFeatures: string[]) => ({
  protocol: { minReaderVersion: 3, minWriterVersion: 7, readerFeatures, writerFeatures: readerFeatures },
});

it.each<[what: string, more: Partial<Snapshot>, is: boolean]>([
  ["some files", {}, true],
  ["32 files", { files: Array.from({ length: 32 }, (_, i) => file(`${i}.parquet`)) }, true],
  ["33 files", { files: Array.from({ length: 33 }, (_, i) => file(`${i}.parquet`)) }, false],
  ["deletion vectors allowed", reader("deletionVectors"), true],
  ["a row that was deleted", { files: [file("a.parquet", { deletionVector })] }, false],
  ["columns found by name", { metadata: { ...metadata, configuration: { "delta.columnMapping.mode": "name" } } }, true],
  ["columns found by id", { metadata: { ...metadata, configuration: { "delta.columnMapping.mode": "id" } } }, false],
  ["values that became wider", reader("typeWidening"), false],
  ["partitions", { metadata: { ...metadata, partitionColumns: ["a"] } }, false],
  ["a file elsewhere", { files: [file("s3://bucket/a.parquet")] }, false],
  ["a path with a pattern", { table: "/data/[x]/t" }, false],
])("knows whether a version with %s may be read as its files", (_, more, is) => {
  expect(isPlain(snapshot(more))).toBe(is);
});
