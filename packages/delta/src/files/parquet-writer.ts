import type { FileMetaData } from "hyparquet";
import type { StructType } from "../schema/schema.js";
import { parquetSchema } from "./parquet-schema.js";

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
  const [{ ByteWriter, ParquetWriter: Writer }, { parquetSchema: toTree }, { writeChunks }] = await Promise.all([
    import("hyparquet-writer"),
    import("hyparquet"),
    import("./parquet-chunks.js"),
  ]);
  const writer = new ByteWriter();
  const elements = parquetSchema(schema);
  const file = new Writer({ writer, schema: elements, createdBy: "ingot" });
  const root = toTree({ schema: elements } as FileMetaData);
  for (let start = 0; start < rows.length; start += ROWS_PER_GROUP) {
    const group = rows.slice(start, start + ROWS_PER_GROUP);
    const [begin, count] = [writer.offset, BigInt(group.length)];
    const columns = root.children.flatMap((column) =>
      writeChunks(
        writer,
        root,
        column,
        group.map((row) => row[column.element.name]),
      ),
    );
    const size = columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n);
    file.row_groups.push({
      columns,
      total_byte_size: size,
      total_compressed_size: BigInt(writer.offset - begin),
      num_rows: count,
    });
    file.num_rows += count;
  }
  await file.finish();
  return writer.getBytes();
};
