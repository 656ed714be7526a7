import fc from "fast-check";
import { parquetReadObjects, type SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import type { DataType, StructType } from "../schema/schema.js";
import { hyparquetReader } from "./parquet.js";
import { hyparquetWriter } from "./parquet-writer.js";

const field = (name: string, type: DataType) => ({ name, type, nullable: true, metadata: {} });
const TEXTS: DataType = { kind: "map", key: { kind: "string" }, value: { kind: "string" }, valueContainsNull: true };
const ID: SchemaElement = { name: "id", type: "INT64", repetition_type: "OPTIONAL" };
const SCHEMA: StructType = {
  kind: "struct",
  fields: [
    field("add", {
      kind: "struct",
      fields: [
        field("path", { kind: "string" }),
        field("size", { kind: "long" }),
        field("isOn", { kind: "boolean" }),
        field("offset", { kind: "integer" }),
        field("tags", TEXTS),
        field("inner", {
          kind: "struct",
          fields: [field("list", { kind: "array", element: { kind: "string" }, containsNull: true })],
        }),
      ],
    }),
    field("txn", { kind: "struct", fields: [field("appId", { kind: "string" })] }),
  ],
};

const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 20 }), fc.constantFrom("", "part-0000", "ü".repeat(30)));
const add = fc.record(
  {
    path: text,
    size: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    isOn: fc.boolean(),
    offset: fc.integer(),
    tags: fc
      .dictionary(
        text.filter((key) => key !== "__proto__"),
        fc.option(text),
      )
      .map((tags) => ({ ...tags })),
    inner: fc.record({ list: fc.array(fc.option(text), { maxLength: 4 }) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const rows = fc.array(
  fc.oneof(
    add.map((value) => ({ add: value })),
    text.map((appId) => ({ txn: { appId } })),
  ),
  {
    minLength: 1,
    maxLength: 30,
  },
);

/** Without what is null: a reader may leave it out. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => item ?? null);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, item === null ? null : told(item)]],
    ),
  );
}

function toldRows(all: readonly object[]): unknown[] {
  const withoutNulls = (value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).flatMap(([key, item]) => (item == null ? [] : [[key, item]])))
      : value;
  return all.map((row) => {
    const { add: found, ...rest } = withoutNulls(row) as { add?: object };
    if (found === undefined) return rest;
    const { inner, ...fields } = withoutNulls(found) as { inner?: object };
    return told({ add: inner === undefined ? fields : { ...fields, inner: withoutNulls(inner) } });
  });
}

describe("hyparquetWriter", () => {
  it("writes what hyparquet's own reader and the quick one read back", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const content = await hyparquetWriter(SCHEMA, all);
        const file = content.slice().buffer;
        expect(toldRows(await parquetReadObjects({ file }))).toEqual(toldRows(all));
        expect(toldRows(await hyparquetReader(content, ["add", "txn"]))).toEqual(toldRows(all));
      }),
      { numRuns: 60 },
    );
  });

  it("writes long texts over several pages and groups, with nulls between", async () => {
    const schema: StructType = {
      kind: "struct",
      fields: [field("t", { kind: "string" }), field("n", { kind: "long" })],
    };
    const all = Array.from({ length: 21_000 }, (_, i) => ({
      t: i % 7 === 3 ? null : `${i}ü😀`.repeat(5 + (i % 40)),
      n: BigInt(i),
    }));
    all[30] = { t: "x".repeat(3_000_000), n: 30n };
    const content = await hyparquetWriter(schema, all);
    expect(await parquetReadObjects({ file: content.slice().buffer })).toEqual(all);
    expect((await hyparquetReader(content, ["t"])).map(({ t }) => t ?? null)).toEqual(all.map(({ t }) => t));
  });

  it("writes long texts in lists and maps of one entry each", async () => {
    const list: DataType = { kind: "array", element: { kind: "string" }, containsNull: true };
    const all = [
      { m: { k: "x".repeat(300) }, l: ["y".repeat(300)] },
      { m: {}, l: [] },
    ];
    const content = await hyparquetWriter({ kind: "struct", fields: [field("m", TEXTS), field("l", list)] }, all);
    expect(await parquetReadObjects({ file: content.slice().buffer })).toEqual(all);
  });

  it("writes lists and maps within each other", async () => {
    const list = (element: DataType): DataType => ({ kind: "array", element, containsNull: true });
    const item: DataType = { kind: "struct", fields: [field("tags", TEXTS), field("ids", list({ kind: "integer" }))] };
    const all = [
      { c: [{ tags: { a: "1", b: null }, ids: [1, null, 3] }, { tags: {}, ids: [] }, null] },
      { c: [] },
      { c: null },
      { c: [{ tags: null, ids: [4] }] },
    ];
    const content = await hyparquetWriter({ kind: "struct", fields: [field("c", list(item))] }, all);
    const found = await parquetReadObjects({ file: content.slice().buffer });
    expect(JSON.parse(JSON.stringify(found, (_, value) => value ?? null))).toEqual(all);
  });

  it("writes the columns though no row is there", async () => {
    const content = await hyparquetWriter(SCHEMA, []);
    expect(await hyparquetReader(content, ["add"])).toEqual([]);
  });
});

describe("hyparquetReader", () => {
  it("reads single fields of a struct, and nothing of a column that is not there", async () => {
    const content = await hyparquetWriter(SCHEMA, [{ add: { path: "p", size: 1n, inner: { list: ["x"] } } }]);
    expect(await hyparquetReader(content, ["add.path", "add.inner.list", "remove.path"])).toEqual([
      { add: { path: "p", inner: { list: ["x"] } } },
    ]);
    expect(await hyparquetReader(content, ["remove"])).toEqual([]);
  });

  it("makes no room for more values than the file can hold", async () => {
    const writer = new ByteWriter();
    const file = new ParquetWriter({ writer, schema: [{ name: "root", num_children: 1 }, ID] });
    file.write({ columnData: [{ name: "id", data: [1n] }] });
    const [group] = file.row_groups;
    if (group === undefined) return expect.fail();
    group.num_rows = 2n ** 31n;
    for (const { meta_data } of group.columns) if (meta_data !== undefined) meta_data.num_values = 2n ** 31n;
    file.finish();
    await expect(hyparquetReader(writer.getBytes(), ["id"])).rejects.toThrow("it states 2147483648 values in");
  });

  it("rejects a file that is cut off anywhere, or whose pages are damaged", async () => {
    const content = await hyparquetWriter(SCHEMA, [{ add: { path: "a longer path than others", size: 1n } }]);
    for (let length = 0; length < content.length; length += 7)
      await expect(hyparquetReader(content.slice(0, length), ["add.path"])).rejects.toThrow();
  });
});
