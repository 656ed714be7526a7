import { beforeEach, describe, expect, it } from "vitest";
import type { TableDefinition } from "../commit/change.js";
import { commit, createTable } from "../commit/transaction.js";
import type { Field } from "../schema/schema.js";
import { readSnapshot, type Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { field, listOf, struct } from "../testing/test-schema.js";
import { planDefinition } from "./plan-definition.js";

const TABLE = "/t";
const SCHEMA = struct(field("id", "long", { nullable: false }), field("s", struct(field("x y", "long"))));
const PLAIN = struct(field("id", "long"), field("l", listOf(struct(field("x", "date")))));

let store: Store;
beforeEach(() => {
  store = memoryStore();
});

async function snapshot(): Promise<Snapshot> {
  const found = await readSnapshot(store, TABLE);
  if (found === undefined) throw new Error("no table");
  return found;
}

/** Commits a definition as a writer of rows does: planned, and only where the table is not so already. */
async function write(definition: TableDefinition, isReplaced = false): Promise<{ wasSame: boolean; now: Snapshot }> {
  const before = await readSnapshot(store, TABLE);
  const plan = planDefinition(TABLE, definition, before, isReplaced);
  const change = { operation: "WRITE", ...(isReplaced ? { remove: "all" as const } : { isBlindAppend: true }) };
  if (before === undefined) await createTable(store, TABLE, plan.definition, change);
  else await commit(store, before, { ...change, ...(plan.isChanged ? { metadata: plan.definition } : {}) });
  const now = await snapshot();
  expect(plan.table.schema).toEqual(now.schema);
  expect(plan.layout.configuration).toMatchObject(
    Object.fromEntries(Object.entries(now.metadata.configuration).filter(([key]) => !/Enablement/.test(key))),
  );
  return { wasSame: !plan.isChanged, now };
}

const MAPPED = { "delta.columnMapping.mode": "name" };

describe.each<[string, Record<string, string>]>([
  ["column mapping by name", MAPPED],
  ["column mapping by id", { "delta.columnMapping.mode": "id" }],
  ["row tracking", { ...MAPPED, "delta.enableRowTracking": "true" }],
  ["in-commit timestamps", { ...MAPPED, "delta.enableInCommitTimestamps": "true" }],
  [
    "deletion vectors and type widening",
    { ...MAPPED, "delta.enableDeletionVectors": "true", "delta.enableTypeWidening": "true" },
  ],
  ["features by name", { ...MAPPED, "delta.feature.vacuumProtocolCheck": "supported" }],
  ["protocol versions", { ...MAPPED, "delta.minReaderVersion": "2", "delta.minWriterVersion": "5" }],
])("a table with %s", (_, configuration) => {
  const definition: TableDefinition = { schema: SCHEMA, configuration, name: "t", description: "what it is" };

  it("is what was planned, and the same definition is none any more", async () => {
    await write(definition);
    const { now, wasSame } = await write(definition);
    expect(wasSame).toBe(true);
    expect((await write(definition, true)).wasSame).toBe(true);
    expect((await snapshot()).schema).toEqual(now.schema);
    expect((await snapshot()).protocol).toEqual(now.protocol);
  });

  it("gets it later, and the same definition is none any more then", async () => {
    const isReplaced = configuration["delta.columnMapping.mode"] === "id";
    await write({ ...definition, schema: PLAIN, configuration: {} });
    expect((await write({ ...definition, schema: PLAIN }, isReplaced)).wasSame).toBe(false);
    expect((await write({ ...definition, schema: PLAIN })).wasSame).toBe(true);
  });
});

describe("a change of the definition", () => {
  const definition = { schema: SCHEMA, configuration: { ...MAPPED, quality: "gold" }, name: "t", description: "a" };
  const { description: _, ...uncommented } = definition;
  const [id, s] = SCHEMA.fields as [Field, Field];

  it.each<[string, TableDefinition]>([
    ["a column more", { ...definition, schema: struct(id, s, field("new", "date")) }],
    [
      "a field more",
      { ...definition, schema: struct(id, { ...s, type: struct(field("x y", "long"), field("z", "long")) }) },
    ],
    ["NOT NULL gone", { ...definition, schema: struct({ ...id, nullable: true }, s) }],
    ["a column's comment", { ...definition, schema: struct({ ...id, metadata: { comment: "key" } }, s) }],
    ["another comment", { ...definition, description: "b" }],
    ["no comment any more", uncommented],
    ["another property", { ...definition, configuration: { ...MAPPED, quality: "silver" } }],
    ["a property less", { ...definition, configuration: MAPPED }],
    [
      "a feature more",
      { ...definition, configuration: { ...definition.configuration, "delta.feature.clustering": "supported" } },
    ],
  ])("is seen, once: %s", async (_name, changed) => {
    const before = (await write(definition)).now;
    const { wasSame, now } = await write(changed);
    expect(wasSame).toBe(false);
    expect(now.metadata.description).toBe(changed.description);
    expect(now.metadata.configuration["quality"]).toBe(changed.configuration?.["quality"]);
    // Columns that stay are found in the files that stay.
    const marks = ({ schema }: Snapshot) =>
      schema.fields.map(({ metadata }) => metadata["delta.columnMapping.physicalName"]);
    expect(marks(now).slice(0, 2)).toEqual(marks(before));
    expect((await write(changed)).wasSame).toBe(true);
  });

  it("that the table cannot have is refused before anything is written", async () => {
    expect(() => planDefinition(TABLE, { schema: SCHEMA })).toThrow(
      expect.objectContaining({ code: "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES" }),
    );
    const { now } = await write(definition);
    expect(() =>
      planDefinition(TABLE, { ...definition, configuration: { "delta.columnMapping.mode": "id" } }, now),
    ).toThrow(expect.objectContaining({ code: "DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE" }));
  });
});

it("a type that became wider is noted, each time, for the readers of older files", async () => {
  const amount = (precision: number) => ({
    schema: struct(field("amount", { kind: "decimal", precision, scale: 2 })),
    configuration: { "delta.enableTypeWidening": "true" },
  });
  for (const precision of [13, 23, 23, 38]) await write(amount(precision));
  // The protocol, "Type Change Metadata": the oldest change first, types as in the schema's text.
  expect((await snapshot()).schema.fields[0]?.metadata).toEqual({
    "delta.typeChanges": [
      { fromType: "decimal(13,2)", toType: "decimal(23,2)" },
      { fromType: "decimal(23,2)", toType: "decimal(38,2)" },
    ],
  });
  expect((await write(amount(38))).wasSame).toBe(true);
});

it("a new table's columns of row tracking have the names that were planned", async () => {
  const definition = { schema: struct(field("id", "long")), configuration: { "delta.enableRowTracking": "true" } };
  const plan = planDefinition(TABLE, definition);
  await createTable(store, TABLE, plan.definition, { operation: "WRITE" });
  expect(plan.layout.rowTracking).toEqual({
    rowId: (await snapshot()).metadata.configuration["delta.rowTracking.materializedRowIdColumnName"],
    rowCommitVersion: (await snapshot()).metadata.configuration[
      "delta.rowTracking.materializedRowCommitVersionColumnName"
    ],
  });
});
