import { describe, expect, it } from "vitest";
import { commit } from "../commit/transaction.js";
import type { Protocol } from "../log/actions.js";
import { parseSchema, type StructType } from "../schema/schema.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import { localStore } from "../store/local-store.js";
import { add, ID_SCHEMA, metaData, PROTOCOL, snapshotOf, temporaryFolder, writeLog } from "../testing/test-log.js";
import { requireProtocol, withoutProtocolProperties } from "./require-protocol.js";

const APPEND = { operation: "WRITE", add: [{ path: "new.parquet", size: 1 }], isBlindAppend: true };

async function tableWith(protocol: object, metadata: object = {}, actions: object[] = []): Promise<string> {
  const table = await temporaryFolder();
  await writeLog(table, [[{ protocol }, metaData(metadata), ...actions]]);
  return table;
}

function features(reader: string[], writer: string[]): object {
  return { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: reader, writerFeatures: [...reader, ...writer] };
}

/** A schema with one column of a type and with marks of features. */
function schemaString(type: unknown, metadata: object = {}): string {
  return JSON.stringify({ type: "struct", fields: [{ name: "x", type, nullable: true, metadata }] });
}

const VECTOR = { deletionVector: { storageType: "i", pathOrInlineDv: "x", sizeInBytes: 1, cardinality: 1 } };
const CHANGED = { "delta.typeChanges": [{ fromType: "integer", toType: "long" }] };
const MAPPED = {
  configuration: { "delta.columnMapping.mode": "name" },
  schemaString: schemaString("long", { "delta.columnMapping.id": 1, "delta.columnMapping.physicalName": "col-1" }),
};

describe("reading", () => {
  it.each<[string, object, object?]>([
    ["reader version 4", { minReaderVersion: 4, minWriterVersion: 7, readerFeatures: [], writerFeatures: [] }],
    ["geospatial", features(["timestampNtz", "geospatial"], [])],
    ["catalogManaged", features(["catalogManaged"], [])],
    [
      "columnMapping in the mode someday",
      { minReaderVersion: 2, minWriterVersion: 5 },
      { configuration: { "delta.columnMapping.mode": "someday" } },
    ],
    ["schema.x has the unknown type interval", PROTOCOL.protocol, { schemaString: schemaString("interval") }],
    ["format orc", PROTOCOL.protocol, { format: { provider: "orc", options: {} } }],
  ])("names what stops it: %s", async (feature, protocol, metadata) => {
    const table = await tableWith(protocol, metadata);
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
      message: expect.stringContaining(`needs ${feature}`),
      version: 0n,
    });
  });

  it.each<[string, object, object?, object[]?]>([
    ["deletion vectors", features(["deletionVectors"], []), {}, [add("f", VECTOR)]],
    ["column mapping", { minReaderVersion: 2, minWriterVersion: 5 }, MAPPED],
    ["type widening", features(["typeWidening"], []), { schemaString: schemaString("long", CHANGED) }],
    ["features for reading as it is", features(["timestampNtz", "v2Checkpoint", "vacuumProtocolCheck"], [])],
    ["features of writers, unknown ones too", features([], ["rowTracking", "icebergCompatV2", "someday"])],
    [
      "collations, which are a writer's matter",
      features([], ["collations"]),
      { schemaString: schemaString("string", { __COLLATIONS: { x: "spark.UTF8_LCASE" } }) },
    ],
    [
      "columns of the type variant",
      features(["variantType", "variantShredding"], []),
      { schemaString: schemaString({ type: "array", elementType: { type: "variant" }, containsNull: true }) },
    ],
    ["writer version 8", { minReaderVersion: 1, minWriterVersion: 8 }],
  ])("passes: %s", async (_name, protocol, metadata, actions) => {
    await snapshotOf(await tableWith(protocol, metadata, actions));
  });

  it.each([
    ["name", { "delta.columnMapping.id": 1 }],
    ["id", { "delta.columnMapping.physicalName": "col-1" }],
  ])("refuses column mapping in the mode %s whose marks are not all there", async (mode, marks) => {
    const configuration = { "delta.columnMapping.mode": mode };
    const table = await tableWith(
      { minReaderVersion: 2, minWriterVersion: 5 },
      { configuration, schemaString: schemaString("long", marks) },
    );
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      message: expect.stringContaining("the column x has no"),
    });
  });

  it.each([
    { minReaderVersion: 3, minWriterVersion: 7, writerFeatures: [] },
    { minReaderVersion: 3, minWriterVersion: 6, readerFeatures: [] },
    { minReaderVersion: 1, minWriterVersion: 7 },
    { minReaderVersion: 1, minWriterVersion: 7, readerFeatures: ["deletionVectors"], writerFeatures: [] },
  ])("refuses a protocol that contradicts itself: %j", async (protocol) => {
    const table = await tableWith(protocol);
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({ code: "DELTA_TABLE_UNREADABLE" });
  });
});

const RULED: [string, object, object][] = [
  ["invariants", PROTOCOL.protocol, { schemaString: schemaString("long", { "delta.invariants": "{}" }) }],
  [
    "invariants",
    PROTOCOL.protocol,
    {
      schemaString: schemaString({
        type: "array",
        elementType: JSON.parse(schemaString("long", { "delta.invariants": "{}" })),
        containsNull: true,
      }),
    },
  ],
  [
    "checkConstraints",
    { minReaderVersion: 1, minWriterVersion: 3 },
    { configuration: { "delta.constraints.c": "x > 0" } },
  ],
  [
    "generatedColumns",
    { minReaderVersion: 1, minWriterVersion: 4 },
    { schemaString: schemaString("long", { "delta.generationExpression": "1" }) },
  ],
  [
    "allowColumnDefaults",
    features([], ["allowColumnDefaults"]),
    { schemaString: schemaString("long", { CURRENT_DEFAULT: "1" }) },
  ],
];
const UNRULED: [string, object, object][] = [
  [
    "identityColumns",
    { minReaderVersion: 1, minWriterVersion: 6 },
    { schemaString: schemaString("long", { "delta.identity.step": 1 }) },
  ],
  ["columns of type void", PROTOCOL.protocol, { schemaString: schemaString("void") }],
];

describe("writing", () => {
  it.each<[string, object, object?]>([
    ["writer version 8", { minReaderVersion: 1, minWriterVersion: 8 }],
    ["icebergCompatV1", features([], ["icebergCompatV1"])],
    ["someday", features([], ["appendOnly", "someday"])],
    ...RULED,
    ...UNRULED,
  ])("names what stops it: %s", async (feature, protocol, metadata) => {
    const snapshot = await snapshotOf(await tableWith(protocol, metadata));
    await expect(commit(localStore, snapshot, APPEND)).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      message: expect.stringContaining(`needs ${feature}.`),
    });
    expect((await snapshotOf(snapshot.table)).version).toBe(0n);
  });

  it.each(RULED)("takes new rows that the engine has checked: %s", async (_name, protocol, metadata) => {
    const snapshot = await snapshotOf(await tableWith(protocol, metadata));
    expect(await commit(localStore, snapshot, { ...APPEND, rulesEnforced: true })).toEqual({ version: 1n });
  });

  it.each(UNRULED)("takes no new rows, checked or not: %s", async (feature, protocol, metadata) => {
    const snapshot = await snapshotOf(await tableWith(protocol, metadata));
    await expect(commit(localStore, snapshot, { ...APPEND, rulesEnforced: true })).rejects.toThrow(feature);
  });

  it.each([...RULED, ...UNRULED])(
    "removes and moves rows whatever the rules: %s",
    async (_name, protocol, metadata) => {
      const snapshot = await snapshotOf(await tableWith(protocol, metadata, [add("a")]));
      expect(await commit(localStore, snapshot, { operation: "DELETE", remove: "all" })).toEqual({ version: 1n });
    },
  );

  it.each<[string, object, object?]>([
    ["an old protocol that uses none of its features", { minReaderVersion: 2, minWriterVersion: 6 }],
    [
      "listed features that are not used",
      features(["deletionVectors", "timestampNtz"], ["appendOnly", "checkConstraints", "identityColumns"]),
    ],
    ["an append to an append-only table", PROTOCOL.protocol, { configuration: { "delta.appendOnly": "true" } }],
    [
      "an append to a table with a change data feed",
      { minReaderVersion: 1, minWriterVersion: 4 },
      { configuration: { "delta.enableChangeDataFeed": "true" } },
    ],
    ["column mapping", { minReaderVersion: 2, minWriterVersion: 5 }, MAPPED],
    ["widened types", features(["typeWidening"], []), { schemaString: schemaString("long", CHANGED) }],
  ])("passes: %s", async (_name, protocol, metadata) => {
    const snapshot = await snapshotOf(await tableWith(protocol, metadata));
    expect(await commit(localStore, snapshot, APPEND)).toEqual({ version: 1n });
  });
});

describe("requireProtocol", () => {
  const ntz = parseSchema(schemaString("timestamp_ntz"));
  const at = { table: "t", version: 0n };
  // By the protocol's section "Table Features for New and Existing Tables".
  it.each<[string, StructType, Record<string, string>, Protocol | undefined, Protocol]>([
    ["a plain table", ID_SCHEMA, {}, undefined, { minReaderVersion: 1, minWriterVersion: 2 }],
    [
      "a change data feed",
      ID_SCHEMA,
      { "delta.enableChangeDataFeed": "true" },
      undefined,
      { minReaderVersion: 1, minWriterVersion: 4 },
    ],
    [
      "timestamps without time zone",
      ntz,
      {},
      undefined,
      {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["timestampNtz"],
        writerFeatures: ["appendOnly", "invariants", "timestampNtz"],
      },
    ],
    [
      "the same, later, with all that writer version 4 implied",
      ntz,
      {},
      { minReaderVersion: 1, minWriterVersion: 4 },
      {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["timestampNtz"],
        writerFeatures: [
          "appendOnly",
          "changeDataFeed",
          "checkConstraints",
          "generatedColumns",
          "invariants",
          "timestampNtz",
        ],
      },
    ],
    [
      "a change data feed where features are listed",
      ID_SCHEMA,
      { "delta.enableChangeDataFeed": "true" },
      { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ["clustering"] },
      {
        minReaderVersion: 1,
        minWriterVersion: 7,
        // Clustering needs the other one, which whoever listed it forgot.
        writerFeatures: ["changeDataFeed", "clustering", "domainMetadata"],
      },
    ],
    [
      "row tracking, which needs metadata domains",
      ID_SCHEMA,
      { "delta.enableRowTracking": "true" },
      undefined,
      {
        minReaderVersion: 1,
        minWriterVersion: 7,
        writerFeatures: ["appendOnly", "domainMetadata", "invariants", "rowTracking"],
      },
    ],
    [
      "column mapping, by versions",
      ID_SCHEMA,
      { "delta.columnMapping.mode": "name" },
      undefined,
      { minReaderVersion: 2, minWriterVersion: 5 },
    ],
    [
      "column mapping where writers' features are listed: readers' version 2 implies it",
      ID_SCHEMA,
      { "delta.columnMapping.mode": "name" },
      { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ["rowTracking", "domainMetadata"] },
      { minReaderVersion: 2, minWriterVersion: 7, writerFeatures: ["columnMapping", "domainMetadata", "rowTracking"] },
    ],
    [
      "column mapping where readers' features are listed",
      ID_SCHEMA,
      { "delta.columnMapping.mode": "id" },
      {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["deletionVectors"],
        writerFeatures: ["deletionVectors"],
      },
      {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["columnMapping", "deletionVectors"],
        writerFeatures: ["columnMapping", "deletionVectors"],
      },
    ],
    [
      "a feature by its property, in any case",
      ID_SCHEMA,
      { "delta.feature.VACUUMprotocolcheck": "supported" },
      undefined,
      {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["vacuumProtocolCheck"],
        writerFeatures: ["appendOnly", "invariants", "vacuumProtocolCheck"],
      },
    ],
    [
      "versions by their properties: the features that they imply",
      ID_SCHEMA,
      { "delta.minReaderVersion": "2", "delta.minWriterVersion": "5" },
      undefined,
      { minReaderVersion: 2, minWriterVersion: 5 },
    ],
    [
      "lists by the versions",
      ID_SCHEMA,
      { "delta.minReaderVersion": "3", "delta.minWriterVersion": "7" },
      undefined,
      { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: [], writerFeatures: ["appendOnly", "invariants"] },
    ],
    [
      "lower versions than it has: nothing",
      ID_SCHEMA,
      { "delta.minReaderVersion": "1", "delta.minWriterVersion": "2" },
      { minReaderVersion: 1, minWriterVersion: 4 },
      { minReaderVersion: 1, minWriterVersion: 4 },
    ],
    [
      "widened types where the feature has its old name",
      ID_SCHEMA,
      { "delta.enableTypeWidening": "true" },
      {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["typeWidening-preview"],
        writerFeatures: ["typeWidening-preview"],
      },
      {
        minReaderVersion: 3,
        minWriterVersion: 7,
        readerFeatures: ["typeWidening-preview"],
        writerFeatures: ["typeWidening-preview"],
      },
    ],
  ])("%s", (_name, schema, configuration, current, expected) => {
    expect(requireProtocol({ schema, configuration }, current, at)).toEqual(expected);
  });

  it.each([
    ["delta.enableIcebergCompatV2", "true", "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE"],
    ["delta.feature.someday", "supported", "DELTA_UNSUPPORTED_FEATURES_IN_CONFIG"],
    ["delta.feature.clustering", "no", "DELTA_UNSUPPORTED_FEATURE_STATUS"],
    ["delta.minReaderVersion", "4", "DELTA_INVALID_PROTOCOL_VERSION"],
    ["delta.minWriterVersion", "x", "DELTA_INVALID_PROTOCOL_VERSION"],
  ])("refuses what is not there: %s = %s", (key, value, code) => {
    expect(() => requireProtocol({ schema: ID_SCHEMA, configuration: { [key]: value } }, undefined, at)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it("does not store what only raises the protocol", () => {
    const configuration = { "delta.feature.clustering": "supported", "delta.minWriterVersion": "7", k: "v" };
    expect(withoutProtocolProperties(configuration)).toEqual({ k: "v" });
  });
});
