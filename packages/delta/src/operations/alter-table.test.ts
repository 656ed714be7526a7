import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { transact } from "../commit/transact.js";
import { commit, createTable } from "../commit/transaction.js";
import { fieldsWithin, formatPath } from "../schema/field-path.js";
import { parseSchema, type StructType } from "../schema/schema.js";
import { readHistory } from "../snapshot/history.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { localStore } from "../store/local-store.js";
import { snapshotOf, temporaryFolder } from "../testing/test-log.js";
import { field, listOf, struct, typeNamed } from "../testing/test-schema.js";
import { alterTable } from "./alter-table.js";
import { type Alteration, planAlteration } from "./alteration.js";

const SCHEMA = struct(
  field("Key Id", "long"),
  field("Prod.Id", "string"),
  field("s", struct(field("x", "integer"), field("y", "date"))),
);
const NAME = { "delta.columnMapping.mode": "name" };

async function newTable(
  schema: StructType = SCHEMA,
  configuration: Record<string, string> = NAME,
  partitionColumns: string[] = [],
) {
  const table = await temporaryFolder();
  await createTable(localStore, table, { schema, configuration, partitionColumns }, { operation: "CREATE TABLE" });
  return table;
}

async function append(table: string, stats?: string): Promise<void> {
  await transact(localStore, table, ({ version }) => {
    const file = { path: `part-${version}.parquet`, size: 1, ...(stats === undefined ? {} : { stats }) };
    return { operation: "WRITE", add: [file], isBlindAppend: true };
  });
}

async function altered(table: string, alteration: Alteration, options = {}): Promise<Snapshot> {
  await alterTable(localStore, table, alteration, options);
  return snapshotOf(table);
}

const names = ({ schema }: { schema: StructType }) => [...fieldsWithin(schema)].map(({ path }) => formatPath(path));
const physicalNames = ({ schema }: { schema: StructType }) =>
  new Map(
    [...fieldsWithin(schema)].map(({ field: f }) => [
      f.metadata["delta.columnMapping.id"],
      f.metadata["delta.columnMapping.physicalName"],
    ]),
  );

describe("alterTable", () => {
  it("renames, drops and adds columns without touching a file, and tells it in the history", async () => {
    const table = await newTable();
    await append(table);
    const before = await snapshotOf(table);
    await altered(table, { kind: "rename column", column: ["key id"], to: "a/b, c" });
    await altered(table, { kind: "drop columns", columns: [["S", "X"]] });
    const after = await altered(table, {
      kind: "add columns",
      columns: [{ path: ["s", "x"], type: typeNamed("string"), comment: "again" }],
    });
    expect(names(after)).toEqual(["`a/b, c`", "`Prod.Id`", "s", "s.y", "s.x"]);
    expect(after.files).toEqual(before.files);
    expect(after.metadata.configuration["delta.columnMapping.maxColumnId"]).toBe("6");
    const history = await readHistory(localStore, table);
    expect(
      history
        .slice(0, 3)
        .map(({ operation, operationParameters }) => [operation, Object.fromEntries(operationParameters)]),
    ).toEqual([
      [
        "ADD COLUMNS",
        { columns: '[{"column":{"name":"s.x","type":"string","nullable":true,"metadata":{"comment":"again"}}}]' },
      ],
      ["DROP COLUMNS", { columns: '["S.X"]' }],
      ["RENAME COLUMN", { oldColumnPath: "`Key Id`", newColumnPath: "`a/b, c`" }],
    ]);
  });

  it("switches column mapping on for a table with files and then renames", async () => {
    const table = await newTable(struct(field("id", "long"), field("p", "long")), {}, ["p"]);
    const file = { path: "p=1/part-0.parquet", size: 1, partitionValues: { p: "1" } };
    await commit(localStore, await snapshotOf(table), { operation: "WRITE", add: [file], isBlindAppend: true });
    const { protocol } = await altered(table, {
      kind: "set properties",
      properties: { "delta.columnMapping.mode": "name" },
    });
    expect(protocol).toEqual({ minReaderVersion: 2, minWriterVersion: 5 });
    const { schema, metadata } = await altered(table, { kind: "rename column", column: ["p"], to: "The P" });
    expect(metadata.partitionColumns).toEqual(["The P"]);
    expect(schema.fields.map(({ metadata: { "delta.columnMapping.physicalName": name } }) => name)).toEqual([
      "id",
      "p",
    ]);
  });

  it("widens a type, where the property is on, and raises the protocol with it", async () => {
    const table = await newTable(struct(field("n", "integer")), {});
    const change: Alteration = { kind: "change column", column: ["n"], change: { type: typeNamed("long") } };
    await expect(altered(table, change)).rejects.toMatchObject({ code: "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP" });
    const { protocol } = await altered(table, {
      kind: "set properties",
      properties: { "delta.enableTypeWidening": "true" },
    });
    expect(protocol.readerFeatures).toContain("typeWidening");
    const { schema } = await altered(table, change);
    expect(schema.fields[0]?.type).toEqual({ kind: "long" });
    await altered(table, { kind: "unset properties", keys: ["delta.enabletypewidening"] });
    expect((await snapshotOf(table)).schema).toEqual(schema);
  });

  it("sets and unsets properties", async () => {
    const table = await newTable(SCHEMA, { ...NAME, own: "1" });
    const set = await altered(table, { kind: "set properties", properties: { "delta.AppendOnly": "true", own: "2" } });
    expect(set.metadata.configuration).toMatchObject({ "delta.appendOnly": "true", own: "2", ...NAME });
    const unset = await altered(table, { kind: "unset properties", keys: ["delta.appendonly", "own"] });
    expect(Object.keys(unset.metadata.configuration).sort()).toEqual([
      "delta.columnMapping.maxColumnId",
      "delta.columnMapping.mode",
    ]);
    await expect(altered(table, { kind: "unset properties", keys: ["own"] })).rejects.toMatchObject({
      code: "DELTA_UNSET_NON_EXISTENT_PROPERTY",
    });
    await altered(table, { kind: "unset properties", keys: ["own"], ifExists: true });
    await expect(
      altered(table, { kind: "unset properties", keys: ["delta.columnMapping.maxColumnId"] }),
    ).rejects.toMatchObject({ code: "DELTA_CANNOT_MODIFY_TABLE_PROPERTY" });
    await expect(
      altered(table, { kind: "unset properties", keys: ["delta.columnMapping.mode"] }),
    ).rejects.toMatchObject({ code: "DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE" });
    await expect(
      altered(table, { kind: "set properties", properties: { "delta.constraints.c": "1 = 1" } }),
    ).rejects.toMatchObject({ code: "DELTA_ADD_CONSTRAINTS" });
    await expect(
      altered(table, { kind: "set properties", properties: { "delta.feature.clustering": "supported" } }),
    ).rejects.toMatchObject({ code: "DELTA_ALTER_TABLE_SET_CLUSTERING_TABLE_FEATURE_NOT_ALLOWED" });
  });

  it("sets a default once the feature is there", async () => {
    const table = await newTable();
    await altered(table, { kind: "set properties", properties: { "delta.feature.allowColumnDefaults": "supported" } });
    const { schema, metadata } = await altered(table, {
      kind: "change column",
      column: ["Key Id"],
      change: { default: "0" },
    });
    expect(schema.fields[0]?.metadata["CURRENT_DEFAULT"]).toBe("0");
    expect(metadata.configuration["delta.feature.allowcolumndefaults"]).toBeUndefined();
  });

  it("names and describes the table", async () => {
    const { metadata } = await altered(await newTable(), {
      kind: "describe",
      name: "orders",
      description: "all of them",
    });
    expect(metadata).toMatchObject({ name: "orders", description: "all of them" });
  });
});

describe("alterations at the same time", () => {
  it("all take place, one behind the other, beside appends", async () => {
    const table = await newTable();
    const columns = ["a", "b", "c", "d"];
    const alterations = columns.map((name): Alteration => {
      return { kind: "add columns", columns: [{ path: [name], type: typeNamed("long") }] };
    });
    await Promise.all([...alterations.map((wanted) => alterTable(localStore, table, wanted)), append(table)]);
    const { version, schema, files } = await snapshotOf(table);
    expect(version).toBe(5n);
    expect(files).toHaveLength(1);
    expect(
      schema.fields
        .slice(3)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(columns);
    expect(new Set(schema.fields.map(({ metadata }) => metadata["delta.columnMapping.id"])).size).toBe(7);
  });
});

describe("an append that is faster", () => {
  it.each<[string, Alteration, boolean]>([
    ["a rename, which does not depend on rows", { kind: "rename column", column: ["s"], to: "t" }, true],
    ["a constraint, which does", { kind: "add constraint", name: "c", expression: "1 = 1" }, false],
  ])("and %s", async (_what, alteration, goesBehind) => {
    const table = await newTable();
    let isFirst = true;
    const store = {
      ...localStore,
      putIfAbsent: async (path: string, content: Uint8Array) => {
        if (isFirst) {
          isFirst = false;
          await append(table);
        }
        return localStore.putIfAbsent(path, content);
      },
    };
    const done = alterTable(store, table, alteration, { attempts: 1 });
    if (goesBehind) expect(await done).toEqual({ version: 2n, isCommitted: true });
    else await expect(done).rejects.toMatchObject({ code: "DELTA_CONCURRENT_APPEND" });
  });
});

describe("constraints", () => {
  const add: Alteration = { kind: "add constraint", name: "Positive", expression: "`Key Id` > 0" };

  it("are added after the rows were checked, and keep the column from being renamed", async () => {
    const table = await newTable();
    await append(table);
    const asked: unknown[] = [];
    const violations = async (snapshot: Snapshot, expression: string) => {
      asked.push(snapshot.files.length, expression);
      return 0n;
    };
    const { metadata, protocol } = await altered(table, add, { violations });
    expect(asked).toEqual([1, "`Key Id` > 0"]);
    expect(metadata.configuration["delta.constraints.positive"]).toBe("`Key Id` > 0");
    expect(protocol.minWriterVersion).toBe(5);
    await expect(altered(table, add, { violations })).rejects.toMatchObject({
      code: "DELTA_CONSTRAINT_ALREADY_EXISTS",
    });
    await expect(altered(table, { kind: "rename column", column: ["Key Id"], to: "k" })).rejects.toMatchObject({
      code: "DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE",
    });
    await altered(table, { kind: "drop constraint", name: "POSITIVE" });
    expect(names(await altered(table, { kind: "rename column", column: ["Key Id"], to: "k" }))[0]).toBe("k");
  });

  it("are refused where rows violate them, or where nobody can tell", async () => {
    const table = await newTable();
    await append(table);
    await expect(altered(table, add, { violations: async () => 2 })).rejects.toMatchObject({
      code: "DELTA_NEW_CHECK_CONSTRAINT_VIOLATION",
      message: expect.stringContaining("2 rows"),
    });
    await expect(altered(table, add)).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      message: expect.stringContaining("`Key Id` > 0"),
    });
    expect((await snapshotOf(table)).version).toBe(1n);
  });

  it("are added without an engine while the table is empty; dropping none that is there commits nothing", async () => {
    const table = await newTable();
    await altered(table, add);
    await expect(altered(table, { kind: "drop constraint", name: "other" })).rejects.toMatchObject({
      code: "DELTA_CONSTRAINT_DOES_NOT_EXIST",
    });
    expect(await alterTable(localStore, table, { kind: "drop constraint", name: "other", ifExists: true })).toEqual({
      version: 1n,
      isCommitted: false,
    });
    await expect(altered(table, { ...add, name: "__char_varchar_string_length_check__" })).rejects.toMatchObject({
      code: "DELTA_INVALID_CONSTRAINT_NAME",
    });
  });
});

describe("cluster by", () => {
  it("keeps physical names in the domain and lists the features", async () => {
    const table = await newTable();
    const { schema, domains, protocol } = await altered(table, {
      kind: "cluster by",
      columns: [["PROD.ID"], ["s", "Y"]],
    });
    const [, prod, s] = schema.fields.map(({ metadata }) => metadata["delta.columnMapping.physicalName"]);
    const [, y] = s === undefined || schema.fields[2]?.type.kind !== "struct" ? [] : schema.fields[2].type.fields;
    expect(JSON.parse(domains.get("delta.clustering") ?? "")).toEqual({
      clusteringColumns: [[prod], [s, y?.metadata["delta.columnMapping.physicalName"]]],
      domainName: "delta.clustering",
    });
    expect(protocol.writerFeatures).toEqual(expect.arrayContaining(["clustering", "domainMetadata"]));
    await altered(table, { kind: "rename column", column: ["Prod.Id"], to: "prod" });
    await expect(altered(table, { kind: "drop columns", columns: [["prod"]] })).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN",
    });
    const none = await altered(table, { kind: "cluster by", columns: [] });
    expect(none.domains.get("delta.clustering")).toBe('{"clusteringColumns":[],"domainName":"delta.clustering"}');
    expect(names(await altered(table, { kind: "drop columns", columns: [["prod"]] }))).not.toContain("prod");
  });

  it("asks for statistics of every file", async () => {
    const table = await newTable(struct(field("a", "long"), field("b", "long")), {});
    await append(table, '{"numRecords":1,"nullCount":{"a":0}}');
    await altered(table, { kind: "cluster by", columns: [["a"]] });
    await expect(altered(table, { kind: "cluster by", columns: [["b"]] })).rejects.toMatchObject({
      code: "DELTA_CLUSTERING_COLUMN_MISSING_STATS",
      message: expect.stringContaining("part-0.parquet"),
    });
  });

  it.each<[string, StructType, string[], string[][], string]>([
    [
      "beside partitions",
      struct(field("a", "long"), field("p", "long")),
      ["p"],
      [["a"]],
      "DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED",
    ],
    ["by five columns", SCHEMA, [], [["a"], ["b"], ["c"], ["d"], ["e"]], "DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS"],
    ["by what is not there", SCHEMA, [], [["q"]], "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA"],
    ["by a struct", SCHEMA, [], [["s"]], "DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED"],
    ["by a boolean", struct(field("b", "boolean")), [], [["b"]], "DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED"],
    [
      "by a column twice",
      SCHEMA,
      [],
      [
        ["s", "x"],
        ["S", "X"],
      ],
      "DELTA_DUPLICATE_COLUMNS_FOUND",
    ],
  ])("is refused %s", async (_what, schema, partitions, columns, code) => {
    const table = await newTable(schema, NAME, partitions);
    await expect(altered(table, { kind: "cluster by", columns })).rejects.toMatchObject({ code });
  });

  it("NONE leaves a table alone that is not clustered", async () => {
    const snapshot = await snapshotOf(await newTable());
    expect(planAlteration(snapshot, { kind: "cluster by", columns: [] })).toBeUndefined();
  });
});

describe("any sequence of alterations", () => {
  const step = fc.record({
    what: fc.nat(4),
    where: fc.nat(99),
    name: fc.constantFrom("a", "B", "c d", "e.f", "g/h", "ä", "element"),
    to: fc.nat(99),
  });
  const WIDER = ["short", "integer", "long", "decimal(20,0)", "decimal(25,3)"].map(typeNamed);

  /** What a user might do next; it may be refused. */
  function next(
    schema: StructType,
    { what, where, name, to }: { what: number; where: number; name: string; to: number },
  ): Alteration {
    const paths = [...fieldsWithin(schema)].map(({ path }) => path);
    const path = paths[where % paths.length] ?? [];
    const type =
      [typeNamed("byte"), struct(field("x", "byte")), listOf(struct(field("y", "byte")))][to % 3] ?? typeNamed("byte");
    switch (what) {
      case 0:
        return { kind: "add columns", columns: [{ path: [...(to % 2 ? path : path.slice(0, -1)), name], type }] };
      case 1:
        return { kind: "rename column", column: path, to: name };
      case 2:
        return { kind: "drop columns", columns: [path] };
      case 3:
        return { kind: "change column", column: path, change: { type: WIDER[to % WIDER.length] ?? typeNamed("long") } };
      default:
        return { kind: "change column", column: path, change: { position: "first", comment: name } };
    }
  }

  it("keeps ids unique and never given twice, physical names as they are, and the schema readable", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("name", "id"), fc.array(step, { maxLength: 12 }), async (mode, steps) => {
        const table = await newTable(SCHEMA, { "delta.columnMapping.mode": mode, "delta.enableTypeWidening": "true" });
        const known = physicalNames(await snapshotOf(table));
        for (const wanted of steps) {
          const before = await snapshotOf(table);
          try {
            await alterTable(localStore, table, next(before.schema, wanted));
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/^DELTA_/), table });
            continue;
          }
          const { schema, metadata } = await snapshotOf(table);
          expect(parseSchema(metadata.schemaString)).toEqual(schema);
          const ids = [...fieldsWithin(schema)].map(({ field: f }) => Number(f.metadata["delta.columnMapping.id"]));
          expect(new Set(ids).size).toBe(ids.length);
          expect(Math.max(...ids)).toBeLessThanOrEqual(
            Number(metadata.configuration["delta.columnMapping.maxColumnId"]),
          );
          const had = physicalNames(before);
          for (const [id, name] of physicalNames({ schema })) {
            // An id that the table does not have now, yet had once, must not come back.
            expect(known.has(id)).toBe(had.has(id));
            if (had.has(id)) expect(name).toBe(had.get(id));
            known.set(id, name);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});
