import { describe, expect, it } from "vitest";
import { commit } from "../commit/transaction.js";
import type { Protocol } from "../log/actions.js";
import { parseSchema, type StructType } from "../schema/schema.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import { localStore } from "../store/local-store.js";
import { add, ID_SCHEMA, metaData, PROTOCOL, snapshotOf, temporaryFolder, writeLog } from "../testing/test-log.js";
import { requireProtocol } from "./protocol.js";

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
    ["variantType", features(["timestampNtz", "variantType"], [])],
    ["catalogManaged", features(["catalogManaged"], [])],
    [
      "columnMapping in the mode someday",
      { minReaderVersion: 2, minWriterVersion: 5 },
      { configuration: { "delta.columnMapping.mode": "someday" } },
    ],
    ["schema.x has the unknown type interval", PROTOCOL.protocol, { schemaString: schemaString("interval") }],
    [
      "collations (spark.UTF8_LCASE and icu.UNICODE)",
      features([], ["collations"]),
      {
        schemaString: schemaString(
          {
            type: "array",
            elementType: JSON.parse(schemaString("string", { __COLLATIONS: { x: "icu.UNICODE" } })),
            containsNull: true,
          },
          { __COLLATIONS: { "x.element": "spark.UTF8_LCASE" } },
        ),
      },
    ],
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
      "the collation that compares bytes",
      features([], ["collations"]),
      { schemaString: schemaString("string", { __COLLATIONS: { x: "spark.UTF8_BINARY" } }) },
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

describe("writing", () => {
  it.each<[string, object, object?, object[]?]>([
    ["writer version 8", { minReaderVersion: 1, minWriterVersion: 8 }],
    ["rowTracking", features([], ["rowTracking"])],
    ["someday", features([], ["appendOnly", "someday"])],
    ["invariants", PROTOCOL.protocol, { schemaString: schemaString("long", { "delta.invariants": "{}" }) }],
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
      "identityColumns",
      { minReaderVersion: 1, minWriterVersion: 6 },
      { schemaString: schemaString("long", { "delta.identity.step": 1 }) },
    ],
    [
      "allowColumnDefaults",
      features([], ["allowColumnDefaults"]),
      { schemaString: schemaString("long", { CURRENT_DEFAULT: "1" }) },
    ],
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
      "clustering",
      features([], ["clustering", "domainMetadata"]),
      {},
      [{ domainMetadata: { domain: "delta.clustering", configuration: "{}", removed: false } }],
    ],
    ["columnMapping", { minReaderVersion: 2, minWriterVersion: 5 }, MAPPED],
    ["typeWidening", features(["typeWidening"], []), { schemaString: schemaString("long", CHANGED) }],
    ["columns of type void", PROTOCOL.protocol, { schemaString: schemaString("void") }],
  ])("names what stops it: %s", async (feature, protocol, metadata, actions) => {
    const snapshot = await snapshotOf(await tableWith(protocol, metadata, actions));
    await expect(commit(localStore, snapshot, APPEND)).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      message: expect.stringContaining(`needs ${feature}.`),
    });
    expect((await snapshotOf(snapshot.table)).version).toBe(0n);
  });

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
      { minReaderVersion: 1, minWriterVersion: 7, writerFeatures: ["changeDataFeed", "clustering"] },
    ],
  ])("%s", (_name, schema, configuration, current, expected) => {
    expect(requireProtocol({ schema, configuration }, current, at)).toEqual(expected);
  });

  it("refuses properties of features that are not there", () => {
    const configuration = { "delta.enableRowTracking": "true" };
    expect(() => requireProtocol({ schema: ID_SCHEMA, configuration }, undefined, at)).toThrow(
      "needs the property delta.enableRowTracking",
    );
  });
});
