import { expect, it } from "vitest";
import { createTable } from "../commit/transaction.js";
import { readSnapshot } from "../snapshot/snapshot.js";
import { memoryStore } from "../testing/memory-store.js";
import { field, struct } from "../testing/test-schema.js";
import { userProperties } from "./user-properties.js";

it("userProperties gives what a user has set and can set, features too", async () => {
  const store = memoryStore();
  const configuration = {
    "delta.columnMapping.mode": "name",
    "delta.enableRowTracking": "true",
    "delta.minReaderVersion": "2",
    "delta.feature.vacuumProtocolCheck": "supported",
    Owner: "me",
  };
  await createTable(store, "/t", { schema: struct(field("a", "long")), configuration }, { operation: "CREATE TABLE" });
  const snapshot = await readSnapshot(store, "/t");
  expect(Object.keys(snapshot?.metadata.configuration ?? {})).toContain("delta.columnMapping.maxColumnId");
  expect(snapshot && userProperties(snapshot)).toEqual({
    "delta.columnMapping.mode": "name",
    "delta.enableRowTracking": "true",
    "delta.feature.appendonly": "supported",
    "delta.feature.columnmapping": "supported",
    "delta.feature.domainmetadata": "supported",
    "delta.feature.invariants": "supported",
    "delta.feature.rowtracking": "supported",
    "delta.feature.vacuumprotocolcheck": "supported",
    Owner: "me",
  });
});
