import { expect, test } from "vitest";
import { add, metaData, PROTOCOL, setTime, snapshotOf, temporaryFolder, writeLog } from "../testing/test-log.js";
import { describeDetail } from "./detail.js";

test("describes a table with Spark's columns", async () => {
  const table = await temporaryFolder();
  const properties = { "delta.appendOnly": "true" };
  const definition = { name: "orders", createdTime: 1_700_000_000_000, configuration: properties };
  await writeLog(table, [[PROTOCOL, metaData(definition), add("a", { size: 10 }), add("b", { size: 32 })]]);
  await setTime(table, 0n, 1_700_000_001_000);
  expect(describeDetail(await snapshotOf(table))).toEqual({
    format: "delta",
    id: "5fba94ed-9794-4965-ba6e-6ee3c0d22af9",
    name: "orders",
    description: undefined,
    location: table,
    createdAt: 1_700_000_000_000,
    lastModified: 1_700_000_001_000,
    partitionColumns: [],
    clusteringColumns: [],
    numFiles: 2,
    sizeInBytes: 42,
    properties,
    minReaderVersion: 1,
    minWriterVersion: 2,
    // What Spark shows of a table with writer version 2.
    tableFeatures: ["appendOnly", "invariants"],
  });
});

test("names clustering columns as users do, and features that the protocol lists", async () => {
  const table = await temporaryFolder();
  const writerFeatures = ["clustering", "columnMapping", "domainMetadata"];
  const field = {
    name: "The Key",
    type: "long",
    nullable: true,
    metadata: { "delta.columnMapping.id": 1, "delta.columnMapping.physicalName": "col-1" },
  };
  await writeLog(table, [
    [
      { protocol: { minReaderVersion: 2, minWriterVersion: 7, writerFeatures } },
      metaData({
        schemaString: JSON.stringify({ type: "struct", fields: [field] }),
        configuration: { "delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "1" },
      }),
      {
        domainMetadata: {
          domain: "delta.clustering",
          configuration: '{"clusteringColumns":[["col-1"]]}',
          removed: false,
        },
      },
    ],
  ]);
  expect(describeDetail(await snapshotOf(table))).toMatchObject({
    clusteringColumns: ["`The Key`"],
    tableFeatures: writerFeatures,
  });
});
