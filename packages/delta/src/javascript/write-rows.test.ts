import { describe, expect, it } from "vitest";
import { createTable } from "../commit/transaction.js";
import type { Condition } from "../files/condition.js";
import type { DataType } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { memoryStore } from "../testing/memory-store.js";
import { columnsOf, gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import type { RowEvaluator } from "./prepare-rows.js";
import { readRows } from "./read-rows.js";
import { updateRows } from "./update-rows.js";
import { appendRows, overwriteRows } from "./write-rows.js";

const DECIMAL: DataType = { kind: "decimal", precision: 4, scale: 1 };

async function dataFiles(store: Store, table: string): Promise<string[]> {
  const entries = await store.list(table);
  return entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
}

describe("appendRows", () => {
  it.each([
    [{ a: 128 }, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE", "column a of /t: 128 is too large for 8 bits"],
    [{ a: 1.5 }, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE", "column a of /t: 1.5 is no whole number"],
    [{ a: "1" }, "DELTA_FAILED_TO_MERGE_FIELDS", 'column a of /t: "1" is no byte'],
    [{ d: "123456.789" }, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE", "123456.789 has more than 1 digits behind the point"],
    [{ d: "1000.0" }, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE", "1000.0 has more digits than decimal(4,1)"],
    [{ d: 1.5 }, "DELTA_FAILED_TO_MERGE_FIELDS", "1.5 is no decimal"],
    [{ t: "2024-02-30T00:00:00Z" }, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE", "2024-02-30 is no date YYYY-MM-DD"],
    [{ t: "2024-02-01T00:00:00" }, "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE", "has no time zone"],
    [{ s: { x: 1, y: 2 } }, "DELTA_FAILED_TO_MERGE_FIELDS", "column s.y of /t: there is no field y"],
    [{ l: [1, null] }, "DELTA_FAILED_TO_MERGE_FIELDS", "column l of /t: NULL is not allowed within"],
    [{ text: "\ud800" }, "DELTA_FAILED_TO_MERGE_FIELDS", "is no string"],
    [{ other: 1 }, "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", "Row 2 has the column other"],
    [{ n: null }, "DELTA_NOT_NULL_CONSTRAINT_VIOLATED", "column: n. 1 row"],
  ])("refuses %j and writes nothing", async (row, code, message) => {
    const store = memoryStore();
    const table = await tableOf(store, {
      a: "byte",
      d: DECIMAL,
      t: "timestamp",
      text: "string",
      "n!": "integer",
      s: { kind: "struct", fields: columnsOf({ x: "integer" }) },
      l: { kind: "array", element: { kind: "integer" }, containsNull: false },
    });
    await expect(appendRows(store, table, [{ n: 1 }, { n: 1, ...row }])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(await dataFiles(store, table)).toEqual([]);
    expect((await stateOf(store, table)).version).toBe(0n);
  });

  it("takes the forms of a value that lose nothing", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { l: "long", d: DECIMAL, t: "timestamp", f: "float" });
    await appendRows(store, table, [
      { l: 7, d: 12n, t: new Date("2024-05-01T10:00:00.5Z"), f: 0.1 },
      { l: 9007199254740993n, d: "-.5", t: "2024-05-01 12:00:00.000001+02:00", f: undefined },
    ]);
    expect(await gatherRows(readRows(store, await stateOf(store, table)))).toEqual([
      { l: 7n, d: "12.0", t: "2024-05-01T10:00:00.500000Z", f: Math.fround(0.1) },
      { l: 9007199254740993n, d: "-0.5", t: "2024-05-01T10:00:00.000001Z", f: null },
    ]);
  });

  it("V39: keeps partition values with special characters, and reads an empty text as NULL", async () => {
    const values = [
      "a/b",
      "a b",
      "a%2Fb",
      "a=b",
      "ä",
      "..",
      ".",
      "a:b",
      "a?b#c",
      "",
      null,
      "日本",
      "\n",
      "a\\b",
      "'\"",
    ];
    const store = memoryStore();
    const table = await tableOf(store, { k: "integer", p: "string" }, { partitionColumns: ["p"] });
    await appendRows(
      store,
      table,
      values.map((p, k) => ({ k, p })),
    );
    const snapshot = await stateOf(store, table);
    expect(snapshot.files.every(({ path }) => !path.split("/").includes(".."))).toBe(true);
    const rows = await gatherRows(readRows(store, snapshot));
    expect(rows.map(({ k, p }) => [k, p]).sort(([a], [b]) => Number(a) - Number(b))).toEqual(
      values.map((p, k) => [k, p === "" ? null : p]),
    );
    expect(new Set(snapshot.files.map(({ partitionValues }) => partitionValues["p"]))).toEqual(
      new Set(values.map((p) => (p === "" ? null : p))),
    );
  });

  /** By the protocol, "Per-file Statistics", and the order of UTF-8. */
  it("writes statistics", async () => {
    const store = memoryStore();
    const table = await tableOf(store, {
      d: DECIMAL,
      s: "string",
      t: "timestamp",
      f: "double",
      y: "date",
      at: { kind: "struct", fields: columnsOf({ x: "long" }) },
      l: { kind: "array", element: { kind: "integer" }, containsNull: true },
    });
    await appendRows(store, table, [
      { d: "-9.5", s: "\u{1f600}", t: "2024-05-01T10:00:00.123456Z", f: Number.NaN, y: "2024-05-01", at: { x: 5 } },
      { d: "10", s: "\uffff", t: "2024-05-01T10:00:00.123456Z", f: 1, y: "+012345-01-01", l: [1] },
    ]);
    const [file] = (await stateOf(store, table)).files;
    expect(JSON.parse(file?.stats ?? "")).toMatchObject({
      numRecords: 2,
      minValues: { d: -9.5, s: "\uffff", t: "2024-05-01T10:00:00.123Z", y: "2024-05-01", at: { x: 5 } },
      maxValues: { d: 10, s: "\u{1f600}", t: "2024-05-01T10:00:00.124Z", at: { x: 5 } },
      nullCount: { d: 0, s: 0, t: 0, f: 0, y: 0, at: { x: 1 }, l: 1 },
    });
    const { maxValues, minValues } = JSON.parse(file?.stats ?? "");
    expect([minValues.f, maxValues.f, maxValues.y]).toEqual([undefined, undefined, undefined]);
  });

  it("splits rows into files of about the target size", async () => {
    const store = memoryStore();
    const configuration = { "delta.targetFileSize": "20kb" };
    const table = await tableOf(store, { id: "long", text: "string" }, { configuration });
    const rows = Array.from({ length: 8_000 }, (_, i) => ({ id: i, text: `${i * 7919}` }));
    await appendRows(store, table, rows);
    const snapshot = await stateOf(store, table);
    expect(snapshot.files.length).toBeGreaterThan(3);
    for (const { size } of snapshot.files.slice(0, -1)) {
      expect(size).toBeGreaterThan(15_000);
      expect(size).toBeLessThan(30_000);
    }
    expect(await gatherRows(readRows(store, snapshot, { columns: ["id"] }))).toEqual(
      rows.map(({ id }) => ({ id: BigInt(id) })),
    );
  });

  it("adds the rows of an application's batch once", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    const options = { transactions: [{ appId: "flow", version: 4n }] };
    expect(await appendRows(store, table, [{ id: 1 }], options)).toEqual({ version: 1n });
    expect(await appendRows(store, table, [{ id: 1 }], options)).toEqual({ version: 1n });
    expect(await gatherRows(readRows(store, await stateOf(store, table)))).toEqual([{ id: 1 }]);
  });

  it("goes behind the commits of others, and leaves no file of a lost attempt", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { id: "integer" });
    await Promise.all(Array.from({ length: 8 }, (_, id) => appendRows(store, table, [{ id }])));
    const snapshot = await stateOf(store, table);
    expect(snapshot.version).toBe(8n);
    const rows = await gatherRows(readRows(store, snapshot));
    expect(rows.map(({ id }) => id).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await dataFiles(store, table)).toHaveLength(8);
  });
});

/** Knows the expressions of these tests. */
const evaluator: RowEvaluator = {
  compile(sql) {
    const known: Record<string, (row: Record<string, unknown>) => unknown> = {
      "a > 0": ({ a }) => (a === null ? null : Number(a) > 0),
      "a * 2": ({ a }) => (a === null ? null : Number(a) * 2),
      "b <=> (a * 2)": ({ a, b }) => (a === null ? b === null : b === Number(a) * 2),
      "7": () => 7,
    };
    const found = known[sql];
    if (found === undefined) throw new Error(`unknown: ${sql}`);
    return found as ReturnType<RowEvaluator["compile"]>;
  },
};

describe("tables with rules", () => {
  async function tableWithRules() {
    const store = memoryStore();
    const [a, b, c] = columnsOf({ a: "integer", b: "integer", c: "integer" });
    if (a === undefined || b === undefined || c === undefined) throw new Error("no columns");
    const fields = [
      a,
      { ...b, metadata: { "delta.generationExpression": "a * 2" } },
      { ...c, metadata: { CURRENT_DEFAULT: "7" } },
    ];
    await createTable(
      store,
      "/t",
      {
        schema: { kind: "struct", fields },
        configuration: { "delta.constraints.positive": "a > 0", "delta.feature.allowColumnDefaults": "supported" },
      },
      { operation: "CREATE TABLE" },
    );
    return store;
  }

  it("get generated and default values, also anew when a row is updated", async () => {
    const store = await tableWithRules();
    await appendRows(store, "/t", [{ a: 1 }, { a: 2, b: 4, c: null }], { evaluator });
    await updateRows(store, "/t", { set: () => ({ a: 5 }), where: ({ a }) => a === 1 }, { evaluator });
    const rows = await gatherRows(readRows(store, await stateOf(store, "/t")));
    expect(rows.sort((x, y) => Number(x["a"]) - Number(y["a"]))).toEqual([
      { a: 2, b: 4, c: null },
      { a: 5, b: 10, c: 7 },
    ]);
  });

  it.each([
    [{ a: -1 }, "positive"],
    [{ a: null }, "positive"],
    [{ a: 1, b: 3 }, "b <=> (a * 2)"],
  ])("refuse %j", async (row, rule) => {
    const store = await tableWithRules();
    await expect(appendRows(store, "/t", [row], { evaluator })).rejects.toMatchObject({
      code: "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES",
      message: expect.stringContaining(rule),
    });
  });

  it("are not written without an evaluator", async () => {
    const store = await tableWithRules();
    await expect(appendRows(store, "/t", [{ a: 1 }])).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      message: expect.stringContaining("a > 0"),
    });
  });
});

describe("overwriteRows", () => {
  const year = (value: number): Condition => ({ kind: "compare", column: ["year"], operator: "=", value });

  it("V44: replaces a slice beside a writer that replaces another", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { year: "integer", k: "integer" }, { partitionColumns: ["year"] });
    const slice = (of: number, ...ks: number[]) => ks.map((k) => ({ year: of, k }));
    await appendRows(store, table, [...slice(2023, 10, 11), ...slice(2024, 20, 21)]);
    const once = { attempts: 1 };
    await overwriteRows(store, table, slice(2023, 12, 13, 14), { where: year(2023), ...once });
    // Two writers that read one version: which of them is first does not matter.
    await Promise.all([
      overwriteRows(store, table, slice(2024, 29), { where: year(2024), ...once }),
      overwriteRows(store, table, slice(2023, 15), { where: year(2023), ...once }),
    ]);
    const rows = await gatherRows(readRows(store, await stateOf(store, table)));
    expect(rows.map(({ k }) => k).sort()).toEqual([15, 29]);
    const [first, second] = await Promise.allSettled([
      overwriteRows(store, table, slice(2023, 1), { where: year(2023), ...once }),
      overwriteRows(store, table, slice(2023, 2), { where: year(2023), ...once }),
    ]);
    expect([first.status, second.status].sort()).toEqual(["fulfilled", "rejected"]);
    const after = await gatherRows(readRows(store, await stateOf(store, table)));
    expect(after).toHaveLength(2);
  });

  it("refuses new rows that are outside of what is replaced", async () => {
    const store = memoryStore();
    const table = await tableOf(store, { year: "integer" });
    await appendRows(store, table, [{ year: 2023 }]);
    await expect(overwriteRows(store, table, [{ year: 2024 }], { where: year(2023) })).rejects.toMatchObject({
      code: "DELTA_REPLACE_WHERE_MISMATCH",
    });
    expect((await stateOf(store, table)).version).toBe(1n);
  });

  it("knows columns that are named as what every object has", async () => {
    const store = memoryStore();
    const columns = Object.fromEntries(["constructor", "toString"].map((name) => [name, "string"] as const));
    const table = await tableOf(store, columns);
    await appendRows(store, table, [{}, { constructor: "Ferrari" }]);
    const rows = await gatherRows(readRows(store, await stateOf(store, table)));
    expect(rows).toEqual([
      { constructor: null, toString: null },
      { constructor: "Ferrari", toString: null },
    ]);
    await expect(tableOf(memoryStore(), JSON.parse('{"__proto__": "long"}'))).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
    });
  });

  it.each([
    [{}, []],
    [{ p: "long" }, ["p"]],
  ] as const)("refuses rows of %j partitioned by %j, which no file would hold", async (columns, partitionColumns) => {
    const store = memoryStore();
    const table = await tableOf(store, columns, { partitionColumns });
    await expect(appendRows(store, table, [{}])).rejects.toMatchObject({ code: "DELTA_NON_PARTITION_COLUMN_ABSENT" });
  });
});
