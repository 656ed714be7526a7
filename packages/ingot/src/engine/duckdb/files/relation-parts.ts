import type { Field } from "../../../model/data-type.js";
import type { AnyFileRead } from "../../../model/file-read.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { fileUri } from "../../file-uri.js";
import { emptyRelation } from "../empty-relation.js";
import { convertField } from "./csv/convert-field.js";
import { CONTENT_HASH, fileMetadata, METADATA_TYPE, ROW_NUMBER } from "./file-metadata.js";
import type { LocatedFile } from "./located-file.js";

/** What a query takes of its files beside their columns: each costs something. */
export interface FileUse {
  /** `_metadata.row_number` */
  readonly rowNumber: boolean;
  /**
   * The lines on which records begin are counted, for rescued data to name them. Counting keeps the reader to one
   * thread, so a query is first tried without: see `LINES_NEEDED`.
   */
  readonly lineNumber: boolean;
}

/** Where the values of a column come from. */
export type ColumnSource = "field" | "corrupt" | "rescued" | "partition";

export function sourceOf(column: Field, read: AnyFileRead, files: readonly LocatedFile[]): ColumnSource {
  if (same(column.name, read.corruptRecordColumn)) return "corrupt";
  if (same(column.name, read.rescuedDataColumn)) return "rescued";
  return files.some((file) => partitionKey(column, file) !== undefined) ? "partition" : "field";
}

/** The columns whose values are fields of records, in their order. */
export function fieldColumns(read: AnyFileRead, columns: readonly Field[], files: readonly LocatedFile[]): Field[] {
  return columns.filter((column) => sourceOf(column, read, files) === "field");
}

/** SQL of a column that folders give, over `file`. */
export function partitionColumn(column: Field, files: readonly LocatedFile[]): string {
  const texts = files.map((file) => {
    const value = file.partition?.[partitionKey(column, file) ?? ""] ?? null;
    return value === null ? "NULL::VARCHAR" : quoteText(value);
  });
  return convertField(pick(texts), column.type);
}

function partitionKey(column: Field, file: LocatedFile): string | undefined {
  return Object.keys(file.partition ?? {}).find((key) => same(key, column.name));
}

/** The element of a list for the file at hand: `file` is its place, from 0. */
export function pick(elements: readonly string[]): string {
  return elements.length === 1 ? (elements[0] as string) : `[${elements.join(", ")}][file + 1]`;
}

/** `_metadata` and what belongs to it, as columns behind those of the files. Over `file` and, where used, `record`. */
export function metadataColumns(columns: readonly Field[], files: readonly LocatedFile[], use: FileUse): string {
  if (columns.some((column) => same(column.name, "_metadata"))) return "";
  const hash = pick(files.map(({ sha256 }) => quoteText(sha256)));
  const number = use.rowNumber ? `, record AS ${quoteName(ROW_NUMBER)}` : "";
  return `, ${pick(files.map(fileMetadata))} AS _metadata, ${hash} AS ${quoteName(CONTENT_HASH)}${number}`;
}

/**
 * The columns of a read whose reader gives values, not texts: `rows` has `file`, `record`, the value of field column i
 * as `c<i>` and, for rescued data, `other` as in record-columns.ts.
 */
export function valueColumns(
  read: AnyFileRead,
  columns: readonly Field[],
  files: readonly LocatedFile[],
  rows: string,
  use: FileUse,
): string {
  const fields = fieldColumns(read, columns, files);
  const valueOfColumn = (column: Field): string => {
    switch (sourceOf(column, read, files)) {
      case "field":
        return `c${fields.indexOf(column)}`;
      case "partition":
        return partitionColumn(column, files);
      case "rescued":
        return `CASE WHEN other IS NULL THEN NULL ELSE rescued_data([other], NULL, NULL, NULL, ${pick(files.map(({ path }) => quoteText(fileUri(path))))}) END`;
      case "corrupt":
        return "NULL::VARCHAR";
    }
  };
  const selected = columns.map((column) => `${valueOfColumn(column)} AS ${quoteName(column.name)}`);
  return `SELECT ${selected.join(", ")}${metadataColumns(columns, files, use)} FROM (${rows})`;
}

/** The columns without a file, and without a row. */
export function noFiles(columns: readonly Field[]): string {
  const empty = emptyRelation(columns);
  if (columns.some((column) => same(column.name, "_metadata"))) return empty;
  const hidden = `NULL::${METADATA_TYPE} AS _metadata, NULL::VARCHAR AS ${quoteName(CONTENT_HASH)}, NULL::BIGINT AS ${quoteName(ROW_NUMBER)}`;
  return `SELECT *, ${hidden} FROM (${empty})`;
}

/** Names of columns are compared without case. */
export function same(a: string, b: string | undefined): boolean {
  return a.toLowerCase() === b?.toLowerCase();
}
