import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localStore, readSnapshot } from "@ingot/delta";
import { expect, it, onTestFinished } from "vitest";
import { DuckdbSession } from "../../packages/ingot/src/engine/duckdb/duckdb-session.js";

const MAP = "MAP(VARCHAR, VARCHAR)";
const COLUMNS = {
  txn: 'STRUCT("appId" VARCHAR, "version" BIGINT, "lastUpdated" BIGINT)',
  add: `STRUCT("path" VARCHAR, "partitionValues" ${MAP}, "size" BIGINT, "modificationTime" BIGINT, "dataChange" BOOLEAN,
    "stats" VARCHAR, "tags" ${MAP}, "baseRowId" BIGINT, "stats_parsed" STRUCT("numRecords" BIGINT, "nullCount" STRUCT("id" BIGINT)),
    "deletionVector" STRUCT("storageType" VARCHAR, "pathOrInlineDv" VARCHAR, "offset" INTEGER, "sizeInBytes" INTEGER, "cardinality" BIGINT))`,
  metaData: `STRUCT("id" VARCHAR, "format" STRUCT("provider" VARCHAR, "options" ${MAP}), "schemaString" VARCHAR,
    "partitionColumns" VARCHAR[], "configuration" ${MAP}, "createdTime" BIGINT)`,
  protocol:
    'STRUCT("minReaderVersion" INTEGER, "minWriterVersion" INTEGER, "readerFeatures" VARCHAR[], "writerFeatures" VARCHAR[])',
};

const PROTOCOL = {
  minReaderVersion: 3,
  minWriterVersion: 7,
  readerFeatures: ["deletionVectors"],
  writerFeatures: ["deletionVectors"],
};
const METADATA = {
  id: "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
  format: { provider: "parquet", options: {} },
  schemaString: '{"type":"struct","fields":[{"name":"id","type":"long","nullable":true,"metadata":{}}]}',
  partitionColumns: ["id"],
  configuration: { "delta.appendOnly": "true" },
  createdTime: 1_700_000_000_000,
};
const VECTOR = {
  storageType: "u",
  pathOrInlineDv: "ab^-aqEH.-t@S}K{vb[*k^",
  offset: 1,
  sizeInBytes: 34,
  cardinality: 2,
};
const ADD = { partitionValues: { id: null }, size: 7, modificationTime: 8, dataChange: false };
const ROWS = [
  { protocol: PROTOCOL },
  { metaData: METADATA },
  { txn: { appId: "a", version: 9 } },
  { add: { ...ADD, path: "a%20b", stats: '{"numRecords":1}', baseRowId: 4_611_686_018_427, deletionVector: VECTOR } },
  { add: { ...ADD, path: "c", stats_parsed: { numRecords: 5, nullCount: { id: 5 } }, tags: { t: "x" } } },
];

it.each(["uncompressed", "snappy", "gzip", "brotli"])(
  "a Parquet checkpoint (%s) is read without an engine",
  async (codec) => {
    const folder = mkdtempSync(join(tmpdir(), "delta-checkpoint-"));
    const session = new DuckdbSession(folder);
    onTestFinished(async () => {
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const log = join(folder, "table", "_delta_log");
    mkdirSync(log, { recursive: true });
    const rows = join(folder, "rows.json");
    writeFileSync(rows, ROWS.map((row) => JSON.stringify(row)).join("\n"));
    const columns = Object.entries(COLUMNS).map(([name, type]) => `${name}: '${type}'`);
    const checkpoint = join(log, "00000000000000000003.checkpoint.parquet");
    await session.use(new AbortController().signal, (connection) =>
      connection.run(
        `COPY (FROM read_json('${rows}', columns = {${columns.join(", ")}})) TO '${checkpoint}' (FORMAT parquet, COMPRESSION ${codec})`,
      ),
    );

    const snapshot = await readSnapshot(localStore, join(folder, "table"));
    expect(snapshot).toMatchObject({ version: 3n, protocol: PROTOCOL, metadata: METADATA, warnings: [] });
    expect(snapshot?.transactions).toEqual(new Map([["a", 9n]]));
    expect(snapshot?.files).toMatchObject([
      {
        ...ADD,
        path: "a b",
        uri: "a%20b",
        stats: '{"numRecords":1}',
        tags: undefined,
        baseRowId: 4_611_686_018_427n,
        deletionVector: { ...VECTOR, cardinality: 2n },
      },
      {
        ...ADD,
        path: "c",
        stats: '{"numRecords":5,"nullCount":{"id":5}}',
        tags: { t: "x" },
        deletionVector: undefined,
      },
    ]);
  },
);
