import type { ColumnMetaData, FileMetaData, ParquetParsers, SchemaElement } from "hyparquet";
import { formatMicros } from "../files/date-time.js";
import { formatDecimal } from "../files/decimal.js";
import type { ColumnStats } from "../files/stats.js";
import type { StructType } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { schemaOfParquet } from "./parquet-types.js";

/** What a Parquet file says of itself. */
export interface ParquetFooter {
  readonly schema: StructType;
  readonly numRecords: number;
  /** By quoted path, as `FileStats` has them; of columns that are not within a list or a map. */
  readonly columns: ReadonlyMap<string, ColumnStats>;
}

/**
 * Reads a file's footer. Rejects with a TypeError where a column has a type that Spark does not read, with any other
 * error when the file is no Parquet file or damaged.
 */
export type FooterReader = (store: Store, path: string, size: number) => Promise<ParquetFooter>;

/** A reader in JavaScript, loaded when the first file comes. */
export const readFooter: FooterReader = async (store, path, size) => {
  const { parquetMetadataAsync, parquetSchema } = await import("hyparquet");
  const file = {
    byteLength: size,
    async slice(start: number, end = size): Promise<ArrayBuffer> {
      const bytes = await store.read(path, { offset: start, length: end - start });
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    },
  };
  const metadata = await parquetMetadataAsync(file, { parsers: RAW, geoparquet: false });
  return {
    schema: schemaOfParquet(parquetSchema(metadata)),
    numRecords: Number(metadata.num_rows),
    columns: statsOf(metadata),
  };
};

/** Values as they are stored: a date of JavaScript would lose microseconds. */
const RAW: Partial<ParquetParsers> = {
  dateFromDays: (days) => days,
  timestampFromMilliseconds: (milliseconds) => milliseconds,
  timestampFromMicroseconds: (microseconds) => microseconds,
  timestampFromNanoseconds: (nanoseconds) => nanoseconds,
  stringFromBytes: (bytes) => bytes,
};

function statsOf({ schema, row_groups }: FileMetaData): ReadonlyMap<string, ColumnStats> {
  const leaves = schema.filter(({ type }) => type !== undefined);
  const columns = new Map<string, ColumnStats>();
  for (const [place, leaf] of leaves.entries()) {
    const chunks = row_groups.flatMap((group) => group.columns[place]?.meta_data ?? []);
    const path = chunks[0]?.path_in_schema;
    // A path of a list or a map has more parts than columns have; it is found in no schema.
    if (path === undefined || chunks.length < row_groups.length) continue;
    columns.set(path.map((name) => `"${name.replaceAll('"', '""')}"`).join("."), columnStats(leaf, chunks));
  }
  return columns;
}

function columnStats(leaf: SchemaElement, chunks: readonly ColumnMetaData[]): ColumnStats {
  const counts = chunks.map(({ statistics }) => statistics?.null_count);
  const nullCount = counts.includes(undefined) ? undefined : counts.reduce((sum = 0n, count = 0n) => sum + count, 0n);
  const bounded = chunks.filter(({ statistics, num_values }) => statistics?.null_count !== num_values);
  const [min, max] = [boundOf(leaf, bounded, "min_value"), boundOf(leaf, bounded, "max_value")];
  return {
    ...(nullCount === undefined ? {} : { nullCount: Number(nullCount) }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
}

/** The least or greatest of all row groups as text; undefined where one of them does not tell it exactly enough. */
function boundOf(
  leaf: SchemaElement,
  chunks: readonly ColumnMetaData[],
  which: "min_value" | "max_value",
): string | undefined {
  const bounds = chunks.map(({ statistics }) => sortable(leaf, statistics?.[which]));
  let found = bounds[0];
  for (const bound of bounds) {
    if (bound === undefined || found === undefined) return undefined;
    const order = compare(bound, found);
    if (which === "min_value" ? order < 0 : order > 0) found = bound;
  }
  return found === undefined ? undefined : print(leaf, found);
}

type Sortable = bigint | Uint8Array;

/**
 * Floats have no bounds: whether NaN is among the values the footer does not tell. A decimal comes through a number,
 * which is exact for 15 digits.
 */
function sortable({ type, scale, logical_type, converted_type }: SchemaElement, value: unknown): Sortable | undefined {
  if (typeof value === "bigint") return value;
  if (type === "BYTE_ARRAY")
    return value instanceof Uint8Array && isText(logical_type, converted_type) ? value : undefined;
  if (typeof value !== "number" || type === "FLOAT" || type === "DOUBLE") return undefined;
  const digits = logical_type?.type === "DECIMAL" ? logical_type.scale : (scale ?? 0);
  const unscaled = Math.round(value * 10 ** digits);
  return Math.abs(unscaled) < 1e15 ? BigInt(unscaled) : undefined;
}

function isText(logical: SchemaElement["logical_type"], converted: SchemaElement["converted_type"]): boolean {
  return /^(STRING|UTF8|ENUM|JSON)$/.test(logical?.type ?? converted ?? "");
}

/** Texts compare by their bytes. */
function compare(a: Sortable, b: Sortable): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As DuckDB prints the value; undefined for a text that was cut within a character. */
function print(leaf: SchemaElement, value: Sortable): string | undefined {
  if (value instanceof Uint8Array) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
    } catch {
      return undefined;
    }
  }
  const { logical_type: logical, converted_type: converted } = leaf;
  if (logical?.type === "DECIMAL" || converted === "DECIMAL")
    return formatDecimal(value, logical?.type === "DECIMAL" ? logical.scale : (leaf.scale ?? 0));
  if (logical?.type === "DATE" || converted === "DATE") return dateText(value * 86_400_000_000n)?.slice(0, 10);
  if (logical?.type === "TIMESTAMP") {
    const text = dateText(logical.unit === "MILLIS" ? value * 1000n : value);
    return text === undefined || !logical.isAdjustedToUTC ? text : `${text}+00`;
  }
  if (converted === "TIMESTAMP_MILLIS" || converted === "TIMESTAMP_MICROS") {
    const text = dateText(converted === "TIMESTAMP_MILLIS" ? value * 1000n : value);
    return text === undefined ? undefined : `${text}+00`;
  }
  return value.toString();
}

/** `2024-05-01 10:00:00.000123` of microseconds since the epoch; undefined beyond the years 1 to 9999. */
function dateText(microseconds: bigint): string | undefined {
  if (Math.abs(Number(microseconds / 1000n)) > 8.64e15) return undefined;
  const text = formatMicros(microseconds).replace("T", " ");
  return /^\d{4}-/.test(text) ? text : undefined;
}
