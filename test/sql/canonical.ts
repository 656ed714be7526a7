import { type DuckDBType, DuckDBTypeId as Id } from "@duckdb/node-api";

/** Values and types of DuckDB in the writing of the corpus: numbers as strings, moments in UTC with micros. */

interface AnyType {
  readonly typeId: number;
  readonly width?: number;
  readonly scale?: number;
  readonly valueType?: DuckDBType;
  readonly keyType?: DuckDBType;
  readonly entryNames?: readonly string[];
  readonly entryTypes?: readonly DuckDBType[];
}

const NAMES: Readonly<Record<number, string>> = {
  [Id.BOOLEAN]: "boolean",
  [Id.TINYINT]: "tinyint",
  [Id.SMALLINT]: "smallint",
  [Id.INTEGER]: "int",
  [Id.BIGINT]: "bigint",
  [Id.FLOAT]: "float",
  [Id.DOUBLE]: "double",
  [Id.VARCHAR]: "string",
  [Id.BLOB]: "binary",
  [Id.DATE]: "date",
  [Id.TIMESTAMP]: "timestamp_ntz",
  [Id.TIMESTAMP_TZ]: "timestamp",
  [Id.SQLNULL]: "void",
  // Which fields it has is known to Spark alone.
  [Id.INTERVAL]: "interval",
};

/** The Spark type that a DuckDB type stands for. */
export function sparkTypeOf(type: DuckDBType): string {
  const t = type as AnyType;
  if (t.typeId === Id.DECIMAL) return `decimal(${t.width},${t.scale})`;
  if (t.typeId === Id.LIST && t.valueType !== undefined) return `array<${sparkTypeOf(t.valueType)}>`;
  if (t.typeId === Id.MAP && t.keyType !== undefined && t.valueType !== undefined)
    return `map<${sparkTypeOf(t.keyType)},${sparkTypeOf(t.valueType)}>`;
  if (t.typeId === Id.STRUCT)
    return `struct<${(t.entryNames ?? []).map((n, i) => `${n}:${fieldType(t, i)}`).join(",")}>`;
  return NAMES[t.typeId] ?? String(type);
}

function fieldType(t: AnyType, index: number): string {
  const type = t.entryTypes?.[index];
  return type === undefined ? "?" : sparkTypeOf(type);
}

export function canonical(value: unknown, type: DuckDBType | undefined): unknown {
  if (value === null || value === undefined || type === undefined) return null;
  const t = type as AnyType;
  const any = value as Record<string, never> & { items: unknown[]; entries: unknown };
  switch (t.typeId) {
    case Id.BOOLEAN:
      return value;
    case Id.FLOAT:
    case Id.DOUBLE:
      return doubleText(Number(value));
    case Id.DATE:
      return isoText(Number(any["days"]) * 86_400_000).split("T")[0];
    case Id.TIMESTAMP_TZ:
      return `${moment(BigInt(any["micros"] ?? 0))}Z`;
    case Id.TIMESTAMP:
      return moment(BigInt(any["micros"] ?? 0));
    case Id.INTERVAL: {
      const months = Number(any["months"]);
      const micros = BigInt(any["days"] ?? 0) * 86_400_000_000n + BigInt(any["micros"] ?? 0);
      return months === 0 ? `us:${micros}` : `mo:${months}`;
    }
    case Id.BLOB:
      return Buffer.from(any["bytes"] ?? []).toString("hex");
    case Id.LIST:
      return any.items.map((item) => canonical(item, t.valueType));
    case Id.STRUCT:
      return {
        struct: (t.entryNames ?? []).map((n, i) => [
          n,
          canonical((any.entries as Record<string, unknown>)[n], t.entryTypes?.[i]),
        ]),
      };
    case Id.MAP: {
      const entries = (any.entries as { key: unknown; value: unknown }[]).map((e) => [
        canonical(e.key, t.keyType),
        canonical(e.value, t.valueType),
      ]);
      return mapEntries(entries);
    }
    default:
      return String(value);
  }
}

/** A map has no order: its entries by their keys' texts. */
export function mapEntries(entries: readonly (readonly unknown[])[]) {
  return { map: [...entries].sort((a, b) => (JSON.stringify(a[0]) < JSON.stringify(b[0]) ? -1 : 1)) };
}

export function doubleText(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  return String(value);
}

function moment(micros: bigint): string {
  const millis = micros / 1000n - (micros % 1000n < 0n ? 1n : 0n);
  const rest = micros - millis * 1000n;
  return isoText(Number(millis)).slice(0, -1) + String(rest).padStart(3, "0");
}

/** As Java writes it: a year beyond four digits, or before Christ, with its sign and no further zeros. */
function isoText(millis: number): string {
  return new Date(millis).toISOString().replace(/^([+-])0{0,2}(?=[0-9]{4})/, "$1");
}
