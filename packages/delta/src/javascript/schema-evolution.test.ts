import { describe, expect, it } from "vitest";
import { createTable } from "../commit/transaction.js";
import type { DataType, StructType } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { columnsOf, gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { mergeRows } from "./merge-rows.js";
import { readChangeRows } from "./read-change-rows.js";
import { readRows } from "./read-rows.js";
import { appendRows, overwriteRows } from "./write-rows.js";

// Expected values: what Spark 4 with Delta 4 does under mergeSchema, overwriteSchema and WITH SCHEMA EVOLUTION.

const schemaOf = (columns: Readonly<Record<string, DataType | DataType["kind"]>>): StructType => ({
  kind: "struct",
  fields: columnsOf(columns as Parameters<typeof columnsOf>[0]),
});

async function rowsOf(store: Store, table: string): Promise<unknown[]> {
  return gatherRows(readRows(store, await stateOf(store, table)));
}

const namesOf = ({ schema }: { readonly schema: StructType }): string[] =>
  schema.fields.map(({ name, type }) => `${name} ${type.kind}`);

const WIDENS = { "delta.enableTypeWidening": "true" };

describe("appendRows with mergeSchema", () => {
  it.each([{}, { "delta.columnMapping.mode": "name" }, { "delta.enableRowTracking": "true" }])(
    "adds columns behind the table's, in one commit (%j)",
    async (configuration) => {
      const store = memoryStore();
      const table = await tableOf(store, { id: "integer", a: "string" }, { configuration });
      await appendRows(store, table, [{ id: 1, a: "x" }]);
      const mergeSchema = schemaOf({ b: "date", id: "integer" });
      expect(await appendRows(store, table, [{ id: 2, b: "2024-05-01" }], { mergeSchema })).toEqual({ version: 2n });
      expect(namesOf(await stateOf(store, table))).toEqual(["id integer", "a string", "b date"]);
      expect(await rowsOf(store, table)).toEqual([
        { id: 1, a: "x", b: null },
        { id: 2, a: null, b: "2024-05-01" },
      ]);
    },
  );

  it("leaves the definition alone where there is nothing new", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    const before = (await stateOf(store, table)).metadata;
    await appendRows(store, table, [{ id: 1 }], { mergeSchema: schemaOf({ ID: "short" }) });
    expect((await stateOf(store, table)).metadata).toEqual(before);
  });

  it("widens types where the table allows it, and reads older files by the wider type", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" }, { configuration: WIDENS });
    await appendRows(store, table, [{ id: 1 }]);
    const mergeSchema = schemaOf({ id: "long" });
    await appendRows(store, table, [{ id: 2n ** 40n }], { mergeSchema });
    expect(await rowsOf(store, table)).toEqual([{ id: 1n }, { id: 2n ** 40n }]);
    const [field] = (await stateOf(store, table)).schema.fields;
    expect(field?.metadata["delta.typeChanges"]).toEqual([{ fromType: "integer", toType: "long" }]);
  });

  it("refuses a wider type where the table does not allow it, and writes nothing", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    await expect(
      appendRows(store, table, [{ id: 2n ** 40n }], { mergeSchema: schemaOf({ id: "long" }) }),
    ).rejects.toMatchObject({ code: "DELTA_FAILED_TO_MERGE_FIELDS" });
    expect((await stateOf(store, table)).version).toBe(0n);
    expect((await store.list(table)).filter(({ kind }) => kind === "file")).toEqual([]);
  });

  it("keeps the columns of both of two writers at the same time", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    await Promise.all(
      ["a", "b"].map((name, id) =>
        appendRows(store, table, [{ id, [name]: name }], { mergeSchema: schemaOf({ [name]: "string" }) }),
      ),
    );
    expect(namesOf(await stateOf(store, table)).sort()).toEqual(["a string", "b string", "id integer"]);
    expect((await rowsOf(store, table)).length).toBe(2);
    expect(await rowsOf(store, table)).toEqual(
      expect.arrayContaining([
        { id: 0, a: "a", b: null },
        { id: 1, a: null, b: "b" },
      ]),
    );
  });
});

describe("mergeRows with mergeSchema", () => {
  it.each([
    ["deletion vectors", { "delta.enableDeletionVectors": "true" }],
    ["copies", {}],
  ])("brings new columns and wider types, by %s", async (_name, by) => {
    const store = memoryStore();
    const configuration = { ...WIDENS, "delta.enableChangeDataFeed": "true", ...by };
    const table = await tableOf(store, { id: "integer", n: "integer", kept: "string" }, { configuration });
    await appendRows(
      store,
      table,
      [1, 2, 3].map((id) => ({ id, n: id, kept: `k${id}` })),
    );
    await mergeRows(
      store,
      table,
      {
        source: [
          { id: 2, n: 2n ** 40n, fresh: "f2" },
          { id: 4, n: 4n, fresh: "f4" },
        ],
        on: ["id"],
        whenMatched: [{ update: "*" }],
        whenNotMatched: [{ insert: "*" }],
      },
      { mergeSchema: schemaOf({ id: "integer", n: "long", fresh: "string" }) },
    );
    const rows = (await rowsOf(store, table)) as { id: number }[];
    // UPDATE SET * leaves columns that the source lacks; INSERT * has NULL there.
    expect(rows.sort((a, b) => a.id - b.id)).toEqual([
      { id: 1, n: 1n, kept: "k1", fresh: null },
      { id: 2, n: 2n ** 40n, kept: "k2", fresh: "f2" },
      { id: 3, n: 3n, kept: "k3", fresh: null },
      { id: 4, n: 4n, kept: null, fresh: "f4" },
    ]);
    const changes = await gatherRows(readChangeRows(store, await stateOf(store, table), 2n));
    expect(changes.map(({ _change_type: type, id, fresh }) => [type, id, fresh])).toEqual(
      expect.arrayContaining([
        ["update_preimage", 2, null],
        ["update_postimage", 2, "f2"],
        ["insert", 4, "f4"],
      ]),
    );
    expect(changes).toHaveLength(3);
  });

  it("adds the columns though no row changes", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    const merge = { source: [], on: ["id"], whenMatched: [{ update: "*" }] } as const;
    const { version } = await mergeRows(store, table, merge, { mergeSchema: schemaOf({ fresh: "string" }) });
    expect([version, namesOf(await stateOf(store, table))]).toEqual([1n, ["id integer", "fresh string"]]);
  });
});

describe("overwriteRows", () => {
  it("merges the schema where a part of the rows is replaced", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    await appendRows(store, table, [{ id: 1 }, { id: 2 }]);
    const where = { kind: "compare", column: ["id"], operator: "=", value: 2 } as const;
    const mergeSchema = schemaOf({ id: "integer", b: "string" });
    await overwriteRows(store, table, [{ id: 2, b: "x" }], { where, mergeSchema });
    const rows = (await rowsOf(store, table)) as { id: number }[];
    expect(rows.sort((a, b) => a.id - b.id)).toEqual([
      { id: 1, b: null },
      { id: 2, b: "x" },
    ]);
  });

  it.each([{}, { "delta.columnMapping.mode": "name" }])(
    "puts another schema in the place of the table's (%j)",
    async (configuration) => {
      const store = memoryStore();
      const table = await tableOf(store, { id: "integer", a: "string", b: "string" }, { configuration });
      await appendRows(store, table, [{ id: 1, a: "x", b: "y" }]);
      const overwriteSchema = schemaOf({ id: "string", b: "string" });
      await overwriteRows(store, table, [{ id: "one", b: "z" }], { overwriteSchema });
      expect(namesOf(await stateOf(store, table))).toEqual(["id string", "b string"]);
      expect(await rowsOf(store, table)).toEqual([{ id: "one", b: "z" }]);
    },
  );

  it("keeps partition and clustering columns, and rows that stay keep their schema", async () => {
    const store = memoryStore();
    const [partitioned, clustered] = ["/p", "/c"];
    const schema = schemaOf({ id: "integer", p: "string" });
    const change = { operation: "CREATE TABLE" };
    await createTable(store, partitioned, { schema, partitionColumns: ["p"] }, change);
    const domains = new Map([["delta.clustering", '{"clusteringColumns":[["p"]],"domainName":"delta.clustering"}']]);
    await createTable(store, clustered, { schema }, { ...change, domains });
    const overwriteSchema = schemaOf({ id: "integer" });
    await expect(overwriteRows(store, partitioned, [], { overwriteSchema })).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN",
    });
    await expect(overwriteRows(store, clustered, [], { overwriteSchema })).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN",
    });
    await expect(overwriteRows(store, partitioned, [], { overwriteSchema, where: () => true })).rejects.toMatchObject({
      code: "DELTA_OPERATION_NOT_ALLOWED",
    });
  });
});
