import type { FileHandle } from "node:fs/promises";
import type { FileMetaData, SchemaTree } from "hyparquet";
import type { DataType, Field } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import type { Contents } from "./inspect-csv.js";
import { parquetFields, UnreadableType } from "./parquet-types.js";

/**
 * Reads the footer: the number of rows and the columns with Spark's types.
 *
 * @throws FILE_CORRUPT for a footer that is broken or lacking, COLUMN_ALREADY_EXISTS for names that differ by case alone,
 * NOT_SUPPORTED for types that Spark does not read, and for layouts and calendars of old
 */
export async function inspectParquet(path: string, file: FileHandle): Promise<Contents> {
  const { parquetSchema } = await import("hyparquet");
  const metadata = await readFooter(path, file);
  refuseOldCalendar(path, metadata);
  const fields = readFields(path, parquetSchema(metadata));
  refuseEqualNames(path, fields);
  return { records: Number(metadata.num_rows), fields };
}

async function readFooter(path: string, file: FileHandle): Promise<FileMetaData> {
  const { parquetMetadataAsync } = await import("hyparquet");
  const { size: byteLength } = await file.stat();
  try {
    return await parquetMetadataAsync({
      byteLength,
      async slice(start, end = byteLength) {
        const from = start < 0 ? byteLength + start : start;
        const { buffer, bytesRead } = await file.read(new Uint8Array(end - from), 0, end - from, from);
        return buffer.slice(0, bytesRead).buffer;
      },
    });
  } catch (cause) {
    throw new IngotError("FILE_CORRUPT", `${path} is no whole Parquet file: ${(cause as Error).message}.`, {
      hint: "Deliver it again, or set ignoreCorruptFiles => true to go on without it.",
      object: path,
      cause,
    });
  }
}

/** Spark moves the dates before 1900 in such files to another calendar, or refuses them. */
function refuseOldCalendar(path: string, { key_value_metadata: entries = [] }: FileMetaData): void {
  const old = entries.find(({ key }) =>
    ["org.apache.spark.legacyDateTime", "org.apache.spark.legacyINT96"].includes(key),
  );
  if (old === undefined) return;
  throw new IngotError("NOT_SUPPORTED", `${path} was written by Spark with the calendar of old (${old.key}).`, {
    hint: "Write it again by Spark 3 or later with spark.sql.parquet.datetimeRebaseModeInWrite = CORRECTED.",
    object: path,
  });
}

function readFields(path: string, schema: SchemaTree): Field[] {
  try {
    return parquetFields(schema);
  } catch (error) {
    if (!(error instanceof UnreadableType)) throw error;
    throw new IngotError("NOT_SUPPORTED", `${path}: the column ${error.path.join(".")} has the type ${error.type}.`, {
      hint: "Write the file with another type, or in the present layout of the format, or leave the column out.",
      object: path,
    });
  }
}

/** Columns, and the fields of a struct, are told apart without case. */
function refuseEqualNames(path: string, fields: readonly Field[]): void {
  const seen = new Set<string>();
  for (const { name, type } of fields) {
    const key = name.toLowerCase();
    if (seen.has(key)) {
      throw new IngotError("COLUMN_ALREADY_EXISTS", `${path} has two columns ${name}, compared without case.`, {
        hint: "Write the file with names that differ by more than case.",
        object: path,
      });
    }
    seen.add(key);
    for (const struct of structsIn(type)) refuseEqualNames(path, struct);
  }
}

function structsIn(type: DataType): (readonly Field[])[] {
  switch (type.kind) {
    case "struct":
      return [type.fields];
    case "array":
      return structsIn(type.element);
    case "map":
      return [...structsIn(type.key), ...structsIn(type.value)];
    default:
      return [];
  }
}
