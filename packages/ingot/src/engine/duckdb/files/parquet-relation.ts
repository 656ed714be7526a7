import { type Field, formatType, sameType } from "../../../model/data-type.js";
import { IngotError } from "../../../model/error.js";
import type { ParquetRead } from "../../../model/file-read.js";
import { columnNames } from "../../../sources/files/column-names.js";
import { isHeldBy, isPlain } from "../../../sources/files/widen-type.js";
import { lowerCast } from "../../../sql/lower/lower-cast.js";
import { duckdbType, quoteText } from "../../../sql/lower/lower-text.js";
import { readParquet } from "../read-parquet.js";
import { fileRuns } from "./file-runs.js";
import type { LocatedFile } from "./located-file.js";
import { fieldColumns, same, sourceOf } from "./relation-parts.js";

/** A field of a file: what the reader calls it, and the name under which columns find it. */
interface FileField extends Field {
  readonly value: string;
  readonly columnName: string;
}

/**
 * The rows of Parquet files, as `valueColumns` wants them. Columns are found by their names without case, as in Spark;
 * what a file lacks is NULL. A value of a type that the column holds is cast to it; others, and fields that no column
 * takes, go to the rescued data where there is such a column.
 *
 * @throws IngotError CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE
 */
export function parquetRows(read: ParquetRead, columns: readonly Field[], files: readonly LocatedFile[]): string {
  const wanted = fieldColumns(read, columns, files);
  const rescues = columns.some((column) => sourceOf(column, read, files) === "rescued");
  const parts: string[] = [];
  for (const { start, first, files: alike } of fileRuns(files, hasSameFields)) {
    const fields = fieldsOf(first, read);
    const values = wanted.map((column, i) => `${columnValue(column, fields, first, rescues)} AS c${i}`);
    const other = rescues ? [`${otherFields(wanted, fields)} AS other`] : [];
    const row = [`${start} + file_index::BIGINT AS file`, "file_row_number + 1 AS record", ...other, ...values];
    parts.push(`SELECT ${row.join(", ")} FROM ${reader(alike, fields)}`);
  }
  return parts.join(" UNION ALL ");
}

function hasSameFields(a: LocatedFile, b: LocatedFile): boolean {
  if (a.fields?.length !== b.fields?.length) return false;
  const isSame = (x: Field, y: Field | undefined) => y !== undefined && x.name === y.name && sameType(x.type, y.type);
  return (a.fields ?? []).every((field, i) => isSame(field, b.fields?.[i]));
}

function fieldsOf({ fields = [] }: LocatedFile, read: ParquetRead): FileField[] {
  const own = fields.map(({ name }) => name);
  const names = read.schema === undefined ? columnNames(own, { clean: read.cleanColumnNames }) : own;
  return fields.map((field, i) => ({ ...field, value: `p${i}`, columnName: names[i] ?? field.name }));
}

/** Each field by a name of ours, so that none hides a virtual column, and with the type that it has in Spark. */
function reader(files: readonly LocatedFile[], fields: readonly FileField[]): string {
  const entries = fields.map(
    ({ name, type, value }) =>
      `${quoteText(name)}: {name: '${value}', type: ${quoteText(duckdbType(type))}, default_value: NULL}`,
  );
  return readParquet(files, entries.length === 0 ? undefined : `schema = MAP {${entries.join(", ")}}`);
}

function columnValue(column: Field, fields: readonly FileField[], file: LocatedFile, rescues: boolean): string {
  const field = fields.find(({ columnName }) => same(columnName, column.name));
  const nothing = `NULL::${duckdbType(column.type)}`;
  if (field === undefined) return nothing;
  const cast = isHeldBy(field.type, column.type) ? lowerCast(field.value, field.type, column.type, false) : undefined;
  if (cast !== undefined) return cast.sql;
  if (rescues) return nothing;
  const types = `${formatType(field.type)}, and the column is ${formatType(column.type)}`;
  throw new IngotError("CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE", `${file.path}: ${field.name} is ${types}.`, {
    object: file.path,
    hint: `Name a rescuedDataColumn for its values, or give ${column.name} a type that holds them.`,
  });
}

/** Names and texts in turn, the texts behind a point; NULL for nothing. */
function otherFields(wanted: readonly Field[], fields: readonly FileField[]): string {
  const left = fields.filter(({ columnName, type }) => {
    const column = wanted.find(({ name }) => same(name, columnName));
    return column === undefined || !isHeldBy(type, column.type);
  });
  if (left.length === 0) return "NULL::VARCHAR[]";
  const pairs = left.map(({ columnName, value, type }) => {
    const text = isPlain(type) ? lowerCast(value, type, { kind: "string" }, false)?.sql : undefined;
    return `CASE WHEN ${value} IS NOT NULL THEN [${quoteText(columnName)}, '.' || ${text ?? `to_json(${value})::VARCHAR`}] END`;
  });
  return `nullif(flatten([${pairs.join(", ")}]), [])`;
}
