import fc from "fast-check";
import { expect, it } from "vitest";
import { formatDate, formatMicros } from "../files/date-time.js";
import { formatDecimal } from "../files/decimal.js";
import type { DataType, Field } from "../schema/schema.js";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { readRows } from "./read-rows.js";
import type { Value } from "./value.js";
import { appendRows } from "./write-rows.js";

/** The first and the last microsecond of the years 0001 to 9999. */
const MICROS = { min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n };

const primitive: fc.Arbitrary<DataType> = fc.oneof(
  fc
    .constantFrom(
      "byte",
      "short",
      "integer",
      "long",
      "float",
      "double",
      "string",
      "binary",
      "boolean",
      "date",
      "timestamp",
      "timestamp_ntz",
    )
    .map((kind) => ({ kind }) as DataType),
  fc
    .integer({ min: 1, max: 38 })
    .chain((precision) =>
      fc.integer({ min: 0, max: precision }).map((scale) => ({ kind: "decimal" as const, precision, scale })),
    ),
);

const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }).filter((text) => !/^__proto__$/.test(text));

const fields = (type: fc.Arbitrary<DataType>, maxLength: number): fc.Arbitrary<Field[]> =>
  fc
    .uniqueArray(fc.tuple(name, type), { minLength: 1, maxLength, selector: ([of]) => of.toLowerCase() })
    .map((columns) => columns.map(([of, kind]) => ({ name: of, type: kind, nullable: true, metadata: {} })));

const { type } = fc.letrec<{ type: DataType }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    primitive,
    tie("type").map((element) => ({ kind: "array" as const, element, containsNull: true })),
    fc
      .tuple(primitive, tie("type"))
      .map(([key, value]) => ({ kind: "map" as const, key, value, valueContainsNull: true })),
    fields(tie("type"), 3).map((of) => ({ kind: "struct" as const, fields: of })),
  ),
}));

function anyValue(of: DataType): fc.Arbitrary<Value> {
  return fc.option(presentValue(of), { nil: null, freq: 4 });
}

function presentValue(of: DataType): fc.Arbitrary<Value> {
  switch (of.kind) {
    case "byte":
      return fc.integer({ min: -128, max: 127 });
    case "short":
      return fc.integer({ min: -32_768, max: 32_767 });
    case "integer":
      return fc.integer();
    case "long":
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case "float":
      return fc.float();
    case "double":
      return fc.double();
    case "decimal": {
      const limit = 10n ** BigInt(of.precision) - 1n;
      return fc.bigInt({ min: -limit, max: limit }).map((unscaled) => formatDecimal(unscaled, of.scale));
    }
    case "string":
      return fc.string({ unit: "binary" }).filter((text) => !/\p{Surrogate}/u.test(text));
    case "binary":
      return fc.uint8Array();
    case "boolean":
      return fc.boolean();
    case "date":
      return fc.integer({ min: -719_162, max: 2_932_896 }).map(formatDate);
    case "timestamp":
      return fc.bigInt(MICROS).map((micros) => `${formatMicros(micros)}Z`);
    case "timestamp_ntz":
      return fc.bigInt(MICROS).map(formatMicros);
    case "array":
      return fc.array(anyValue(of.element), { maxLength: 3 });
    case "map":
      return fc
        .array(fc.tuple(presentValue(of.key), anyValue(of.value)), { maxLength: 3 })
        .map((pairs) => new Map(pairs));
    case "struct":
      return fc
        .tuple(...of.fields.map((field) => anyValue(field.type)))
        .map((values) => Object.fromEntries(of.fields.map((field, i) => [field.name, values[i] ?? null])));
    default:
      return fc.constant(null);
  }
}

it("rows of all types come back as they were written", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("name", "id"),
      fields(type, 4).chain((columns) =>
        fc.tuple(
          fc.constant(columns),
          fc.array(presentValue({ kind: "struct", fields: columns }), { minLength: 1, maxLength: 20 }),
        ),
      ),
      async (mode, [columns, rows]) => {
        const store = memoryStore();
        const schema = Object.fromEntries(columns.map((field) => [`${field.name}`, field.type]));
        fc.pre(columns.every((field) => !field.name.endsWith("!") && !/^(_change_type|_commit_)/.test(field.name)));
        const table = await tableOf(store, schema, { configuration: { "delta.columnMapping.mode": mode } });
        await appendRows(store, table, rows as Record<string, Value>[]);
        expect(await gatherRows(readRows(store, await stateOf(store, table)))).toEqual(rows);
      },
    ),
    { numRuns: 100 },
  );
});
