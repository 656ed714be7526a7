import type { StructType } from "../schema/schema.js";
import { parquetSchema } from "./parquet-schema.js";
import { compressSnappy } from "./snappy-compress.js";

/**
 * Writes rows as a Parquet file of this schema and gives its bytes. The rows hold what `ParquetReader` gives: structs
 * and maps as objects, lists as arrays, longs as bigint, null or nothing for null. Further values are the plain numbers
 * of their type: a date its days, a timestamp its microseconds since the epoch (bigint), a decimal its digits without
 * the point (bigint).
 */
export type ParquetWriter = (
  schema: StructType,
  rows: readonly Readonly<Record<string, unknown>>[],
) => Promise<Uint8Array>;

/** Bounds the memory that a large checkpoint takes beside its rows. */
const ROWS_PER_GROUP = 20_000;

/** A writer without an engine, made for checkpoints; the codec is Snappy. It is loaded when the first rows come. */
export const hyparquetWriter: ParquetWriter = async (schema, rows) => {
  const { ByteWriter, ParquetWriter: Writer } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const file = new Writer({
    writer,
    schema: parquetSchema(schema),
    compressors: { SNAPPY: compressSnappy },
    statistics: false,
    createdBy: "ingot",
  });
  for (let start = 0; start < Math.max(rows.length, 1); start += ROWS_PER_GROUP) {
    const group = rows.slice(start, start + ROWS_PER_GROUP);
    const columnData = schema.fields.map(({ name }) => ({ name, data: group.map((row) => row[name] ?? null) }));
    await file.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
  }
  await file.finish();
  return writer.getBytes();
};
