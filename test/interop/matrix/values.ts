import type { Row, Value as RowValue } from "@ingot/delta";
import { toValue } from "../../../packages/ingot/src/engine/duckdb/values.js";
import type { DataType, Field } from "../../../packages/ingot/src/model/data-type.js";
import { duckdbType, quoteName, quoteText } from "../../../packages/ingot/src/sql/lower/lower-text.js";
import type { Value } from "../relation.js";

type Struct = { readonly [field: string]: Value };
type Pair = readonly [Value, Value];

/** A value of relation.ts as `@ingot/delta` takes it in a row. */
export function toInput(value: Value, type: DataType): unknown {
  if (value === null) return null;
  switch (type.kind) {
    case "bigint":
      return BigInt(String(value));
    case "float":
    case "double":
      return Number(value);
    case "binary":
      return Uint8Array.from(Buffer.from(String(value), "hex"));
    case "timestamp":
      return `${String(value).replace(" ", "T")}Z`;
    case "timestamp_ntz":
      return String(value).replace(" ", "T");
    case "array":
      return (value as readonly Value[]).map((item) => toInput(item, type.element));
    case "map":
      return new Map((value as readonly Pair[]).map(([k, v]) => [toInput(k, type.key), toInput(v, type.value)]));
    case "struct":
      return Object.fromEntries(type.fields.map((f) => [f.name, toInput((value as Struct)[f.name] ?? null, f.type)]));
    default:
      return value;
  }
}

/** A row that `readRows` gave, in the forms of relation.ts. */
export function fromRow(row: Row, fields: readonly Field[]): Value[] {
  return fields.map(({ name, type }) => fromValue(row[name] ?? null, type));
}

function fromValue(value: RowValue, type: DataType): Value {
  if (value === null) return null;
  switch (type.kind) {
    case "bigint":
      return String(value);
    case "float":
    case "double":
      return Number.isFinite(value) ? (value as number) : String(value);
    case "binary":
      return Buffer.from(value as Uint8Array)
        .toString("hex")
        .toUpperCase();
    case "timestamp":
    case "timestamp_ntz":
      // Six digits of a second always.
      return String(value)
        .replace("T", " ")
        .replace("Z", "")
        .replace(/\.?0+$/, "");
    case "array":
      return (value as readonly RowValue[]).map((item) => fromValue(item, type.element));
    case "map":
      return [...(value as ReadonlyMap<RowValue, RowValue>)].map(([k, v]) => [
        fromValue(k, type.key),
        fromValue(v, type.value),
      ]);
    case "struct":
      return Object.fromEntries(type.fields.map((f) => [f.name, fromValue((value as Row)[f.name] ?? null, f.type)]));
    default:
      return value as Value;
  }
}

/** A value that DuckDB gave, in the forms of relation.ts. */
export function fromDuckdb(value: Parameters<typeof toValue>[0], type: DataType): Value {
  return withPlainHex(toValue(value, type) as Value, type);
}

/** The product shows BINARY as Spark's shell does, `[CA FE]`. */
function withPlainHex(value: Value, type: DataType): Value {
  if (value === null) return null;
  switch (type.kind) {
    case "binary":
      return String(value).replace(/[[\] ]/g, "");
    case "array":
      return (value as readonly Value[]).map((item) => withPlainHex(item, type.element));
    case "map":
      return (value as readonly Pair[]).map(([k, v]) => [withPlainHex(k, type.key), withPlainHex(v, type.value)]);
    case "struct":
      return Object.fromEntries(
        type.fields.map((f) => [f.name, withPlainHex((value as Struct)[f.name] ?? null, f.type)]),
      );
    default:
      return value;
  }
}

/** A value as DuckDB's SQL, of exactly this type. */
export function toSql(value: Value, type: DataType): string {
  return `CAST(${literal(value, type)} AS ${duckdbType(type)})`;
}

function literal(value: Value, type: DataType): string {
  if (value === null) return "NULL";
  switch (type.kind) {
    case "binary":
      return `unhex(${quoteText(String(value))})`;
    case "timestamp":
      return quoteText(`${String(value)}+00`);
    case "array":
      return `[${(value as readonly Value[]).map((item) => toSql(item, type.element)).join(", ")}]`;
    case "map": {
      const pairs = value as readonly Pair[];
      const side = (i: 0 | 1, of: DataType) => pairs.map((pair) => toSql(pair[i], of)).join(", ");
      return `map([${side(0, type.key)}], [${side(1, type.value)}])`;
    }
    case "struct": {
      const fields = type.fields.map(
        (f) => `${quoteName(f.name)} := ${toSql((value as Struct)[f.name] ?? null, f.type)}`,
      );
      return `struct_pack(${fields.join(", ")})`;
    }
    default:
      return quoteText(String(value));
  }
}
