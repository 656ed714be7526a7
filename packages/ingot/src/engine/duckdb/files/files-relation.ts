import type { Field } from "../../../model/data-type.js";
import type { FileRead } from "../../../model/file-read.js";
import { binaryRows } from "./binary-relation.js";
import { csvRecords } from "./csv/csv-relation.js";
import { jsonRecords } from "./json/json-relation.js";
import type { LocatedFile } from "./located-file.js";
import { parquetRows } from "./parquet-relation.js";
import {
  countUnfit,
  type Records,
  type RecordUse,
  recordColumns,
  recordUse,
  type TextFileRead,
} from "./record-columns.js";
import { type FileUse, noFiles, valueColumns } from "./relation-parts.js";
import { textRecords } from "./text-relation.js";

/**
 * A DuckDB query of the rows of files: the columns, then `_metadata` and what belongs to it (unless the files have a
 * column of this name); in the order of the files and of their records. It needs `registerFileFunctions`.
 *
 * NOT NULL in a schema is not enforced, as in Spark.
 *
 * @param columns all that the query sees but `_metadata`; what a file lacks is NULL
 * @throws NOT_SUPPORTED for what cannot be read exactly
 */
export function filesRelation(
  read: FileRead,
  columns: readonly Field[],
  files: readonly LocatedFile[],
  use: FileUse,
): string {
  if (files.length === 0) return noFiles(columns);
  switch (read.format) {
    case "parquet":
      return valueColumns(read, columns, files, parquetRows(read, columns, files), use);
    case "binaryFile":
      return valueColumns(read, columns, files, binaryRows(read, columns, files), use);
    default: {
      const taken = recordUse(read, columns, use);
      return recordColumns(read, columns, files, recordsOf(read, columns, files, taken), taken);
    }
  }
}

/** A query that counts the records which a read with DROPMALFORMED leaves out; the files are texts. */
export function countDropped(read: TextFileRead, columns: readonly Field[], files: readonly LocatedFile[]): string {
  const use = recordUse(read, columns, { rowNumber: false, lineNumber: false });
  return countUnfit(read, columns, files, recordsOf(read, columns, files, use), use);
}

function recordsOf(
  read: TextFileRead,
  columns: readonly Field[],
  files: readonly LocatedFile[],
  use: RecordUse,
): Records {
  switch (read.format) {
    case "csv":
      return csvRecords(read, columns, files, use);
    case "json":
      return jsonRecords(read, columns, files, use);
    case "text":
      return textRecords(read, files, use);
  }
}
