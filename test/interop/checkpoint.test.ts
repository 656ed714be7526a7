import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hyparquetWriter } from "../../packages/delta/src/files/parquet-writer.js";
import { commitPath } from "../../packages/delta/src/log/log-files.js";
import type { DataType, StructType } from "../../packages/delta/src/schema/schema.js";
import { formatSchema } from "../../packages/delta/src/schema/schema.js";
import { cleanUpLog } from "../../packages/delta/src/snapshot/clean-up-log.js";
import { writeCheckpoint } from "../../packages/delta/src/snapshot/write-checkpoint.js";
import { localStore } from "../../packages/delta/src/store/local-store.js";
import { tryDelta, tryDuckdb } from "./deltalake.js";
import { describeWith } from "./peer.js";
import { type Spark, startSpark } from "./spark.js";

const field = (name: string, type: DataType) => ({ name, type, nullable: true, metadata: {} });
const DATA: StructType = {
  kind: "struct",
  fields: [
    field("id", { kind: "long" }),
    field("amount", { kind: "decimal", precision: 20, scale: 2 }),
    field("text", { kind: "string" }),
  ],
};
const SCHEMA: StructType = { kind: "struct", fields: [...DATA.fields, field("day", { kind: "date" })] };

const V2 = {
  minReaderVersion: 3,
  minWriterVersion: 7,
  readerFeatures: ["v2Checkpoint"],
  writerFeatures: ["v2Checkpoint"],
};
const AS_STRUCT = { "delta.checkpoint.writeStatsAsStruct": "true" };
const ONLY_STRUCT = { ...AS_STRUCT, "delta.checkpoint.writeStatsAsJson": "false" };
const FORMS = {
  classic: { configuration: {} },
  classic_struct: { configuration: AS_STRUCT },
  classic_only_struct: { configuration: ONLY_STRUCT },
  v2_parquet: { configuration: { "delta.checkpointPolicy": "v2", ...AS_STRUCT }, format: "parquet" },
  v2_json: { configuration: { "delta.checkpointPolicy": "v2" }, format: "json" },
} as const;

/** Four commits with a file each, the third takes the first file away; then a checkpoint, and the log before it goes. */
async function writeTable(
  table: string,
  { configuration, format }: { configuration: object; format?: "parquet" | "json" },
): Promise<void> {
  await mkdir(join(table, "_delta_log"), { recursive: true });
  for (let version = 0; version < 4; version++) {
    const [day, path] = [`2024-02-2${version}`, `day=2024-02-2${version}/part-${version} %.parquet`];
    const rows = [0, 1].map((i) => ({
      id: BigInt(version * 10 + i),
      amount: 12345678901234567890n + BigInt(version),
      text: `ü ${version}`,
    }));
    const content = await hyparquetWriter(DATA, rows);
    await mkdir(join(table, `day=${day}`));
    await writeFile(join(table, path), content);
    const bounds = (row: (typeof rows)[number] | undefined) =>
      `{"id":${row?.id},"amount":${String(row?.amount).slice(0, -2)}.${String(row?.amount).slice(-2)},"text":"${row?.text}"}`;
    const stats = `{"numRecords":2,"minValues":${bounds(rows[0])},"maxValues":${bounds(rows[1])},"nullCount":{"id":0,"amount":0,"text":0}}`;
    const actions = [
      { commitInfo: { timestamp: Date.now(), operation: "WRITE", operationParameters: {} } },
      ...(version === 0 ? start(configuration) : []),
      { txn: { appId: "app", version } },
      ...(version === 2
        ? [
            {
              remove: {
                path: uriOf(0),
                deletionTimestamp: Date.now(),
                dataChange: true,
                extendedFileMetadata: true,
                partitionValues: { day: "2024-02-20" },
                size: 1,
              },
            },
          ]
        : []),
      {
        add: {
          path: uriOf(version),
          partitionValues: { day },
          size: content.length,
          modificationTime: Date.now(),
          dataChange: true,
          stats,
        },
      },
    ];
    await writeFile(
      commitPath(table, BigInt(version)),
      actions.map((action) => `${JSON.stringify(action)}\n`).join(""),
    );
  }
  await writeCheckpoint(localStore, table, format === undefined ? {} : { format });
  await cleanUpLog(localStore, table, { keepFrom: 3n });
  // The name on disk holds a blank and a per cent sign; the log escapes both.
  function uriOf(version: number): string {
    return `day=2024-02-2${version}/part-${version}%20%25.parquet`;
  }
}

function start(configuration: object): object[] {
  const protocol = "delta.checkpointPolicy" in configuration ? V2 : { minReaderVersion: 1, minWriterVersion: 2 };
  const metaData = {
    id: "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
    format: { provider: "parquet", options: {} },
    schemaString: formatSchema(SCHEMA),
    partitionColumns: ["day"],
    configuration,
    createdTime: 1,
  };
  return [{ protocol }, { metaData }];
}

const ROWS = [1, 2, 3].flatMap((version) =>
  [0, 1].map((i) => [
    String(version * 10 + i),
    `123456789012345678.9${version}`,
    `ü ${version}`,
    `2024-02-2${version}`,
  ]),
);

let folder = "";
let tables: Record<keyof typeof FORMS, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "checkpoints-"));
  const names = Object.entries(FORMS).map(async ([name, form]) => {
    await writeTable(join(folder, name), form);
    return [name, join(folder, name)];
  });
  tables = Object.fromEntries(await Promise.all(names));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const describePeers = await describeWith("deltalake");

describePeers("a table of which only our checkpoint tells", () => {
  it("has lost the commits before it", async () => {
    for (const table of Object.values(tables))
      expect((await readdir(join(table, "_delta_log"))).filter((name) => /^\d+\.json$/.test(name))).toHaveLength(1);
  });

  it.each([
    ["delta-rs", tryDelta],
    ["DuckDB's delta extension", tryDuckdb],
  ])("is read by %s", { timeout: 120_000 }, async (_reader, read) => {
    const readings = await read(Object.values(tables));
    const rows = readings.map((reading) => ("error" in reading ? reading.error : [...reading.rows].sort()));
    expect(Object.fromEntries(Object.keys(tables).map((name, i) => [name, rows[i]]))).toEqual(
      Object.fromEntries(Object.keys(tables).map((name) => [name, ROWS])),
    );
  });
});

const describeSpark = await describeWith("spark");

describeSpark("a table of which only our checkpoint tells", () => {
  let spark: Spark;
  beforeAll(async () => {
    spark = await startSpark();
  }, 300_000);
  afterAll(() => spark.stop());

  it("is read by Spark, pruned by its typed statistics, and written on", { timeout: 300_000 }, async () => {
    for (const table of Object.values(tables)) {
      const from = `delta.\`${table}\``;
      expect((await spark.sql(`SELECT * FROM ${from} ORDER BY id`)).rows).toEqual(ROWS);
      expect((await spark.sql(`SELECT id FROM ${from} WHERE amount > 123456789012345678.92 ORDER BY id`)).rows).toEqual(
        [["30"], ["31"]],
      );
      expect((await spark.sql(`SELECT id FROM ${from} WHERE day = DATE'2024-02-22' ORDER BY id`)).rows).toEqual([
        ["20"],
        ["21"],
      ]);
      await spark.sql(`INSERT INTO ${from} VALUES (40, 1.25, 'x', DATE'2024-02-24')`);
      expect((await spark.sql(`SELECT count(*) FROM ${from}`)).rows).toEqual([["7"]]);
    }
  });
});
