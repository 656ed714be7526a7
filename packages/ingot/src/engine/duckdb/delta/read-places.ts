import type { DuckDBConnection } from "@duckdb/node-api";
import { type AddFile, columnMappingMode, type FileLayout, type RowSelection, type Snapshot } from "@ingot/delta";
import type { Field } from "../../../model/data-type.js";
import { duckdbType, quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { emptyRelation } from "../empty-relation.js";
import { nestedNamesCondition } from "../nested-field-ids.js";
import { logicalValue, type MappedColumn, mapColumns, renameFields, schemaOption } from "../parquet-columns.js";
import { partitionValue } from "../partition-value.js";
import { quotePath } from "../quote-path.js";
import { locateFile, readParquet } from "../read-parquet.js";
import { cardinalityOption } from "../row-estimate.js";
import { rowCondition } from "../row-filter.js";
import { FILE, ROW, ROW_ID, ROW_VERSION } from "./hidden-columns.js";

/** A table as its rows are read for a change: each with its place and, where rows are tracked, its id. */
export interface PlacedTable {
  readonly snapshot: Snapshot;
  readonly layout: FileLayout;
}

const LONG = { kind: "bigint" } as const;

/**
 * SQL that gives all rows of some files, deleted ones too: the table's columns, then FILE UINTEGER (the file's place in
 * the list), ROW BIGINT (the row's place in the file, from 0) and, for a layout with row tracking, ROW_ID BIGINT, which
 * is NULL where `rowIdText` is to reckon it. What a query does not use of it is not read.
 */
export function scanPlaces(table: PlacedTable, files: readonly AddFile[]): string {
  const { columns, hidden, isById } = columnsOf(table);
  if (files.length === 0) {
    const places: Field[] = [FILE, ROW, ...hidden.slice(0, 1).map(() => ROW_ID)].map((name) => {
      return { name, type: LONG, nullable: true };
    });
    return emptyRelation([...columns.map(({ logical }) => logical), ...places]);
  }
  const { partitionColumns } = table.snapshot.metadata;
  const inFiles = [...columns, ...hidden].filter(({ logical }) => !partitionColumns.includes(logical.name));
  const parts = byPartition(files).map((places) => {
    const members = places.map((place) => files[place]).filter((file) => file !== undefined);
    const values = members[0]?.partitionValues ?? {};
    const selected = columns.map((column) => {
      const { logical, physical } = column;
      const value = partitionColumns.includes(logical.name)
        ? partitionValue(logical.type, values[physical.name])
        : logicalValue(column, inFiles.indexOf(column));
      return `${value} AS ${quoteName(logical.name)}`;
    });
    const isAll = places.length === files.length;
    const file = isAll ? "file_index" : `list_extract([${places.join(",")}], file_index::BIGINT + 1)`;
    const [rowId] = hidden;
    if (rowId !== undefined) selected.push(`c${inFiles.indexOf(rowId)} AS ${ROW_ID}`);
    const located = members.map((member) => locateFile(table.snapshot.table, member));
    const schema = inFiles.length === 0 ? undefined : schemaOption(inFiles);
    const source = readParquet(located, schema, [cardinalityOption(members)]);
    const names = isById ? nestedNamesCondition(table.snapshot, located) : undefined;
    const where = names === undefined ? "" : ` WHERE ${names}`;
    return `SELECT ${selected.join(", ")}, (${file})::UINTEGER AS ${FILE}, file_row_number AS ${ROW} FROM ${source}${where}`;
  });
  return parts.join(" UNION ALL ");
}

/** SQL of the row's id, over a relation `t` of `scanPlaces`: reckoned for the few rows that are found, not for all. */
export function rowIdText(files: readonly AddFile[]): string {
  const bases = files.map(({ baseRowId }) => baseRowId ?? "NULL").join(",");
  return `coalesce(t.${ROW_ID}, list_extract([${bases}]::BIGINT[], t.${FILE}::BIGINT + 1) + t.${ROW})`;
}

/** A file, and which of its rows are meant. */
export interface PlacedFile {
  readonly file: AddFile;
  readonly rows: RowSelection | undefined;
  /** SQL of further columns, constant or over `file_row_number`. */
  readonly further?: readonly string[];
}

/**
 * SQL that gives some rows of some files: the table's columns, then ROW_ID and ROW_VERSION for a layout with row
 * tracking, then what each file has further. Only values of these rows are decoded, as far as DuckDB can: a file whose
 * columns have the table's types is read as it is, since DuckDB's option `schema` costs a third more.
 */
export async function readPlaces(
  connection: DuckDBConnection,
  table: PlacedTable,
  files: readonly PlacedFile[],
): Promise<string> {
  const { columns, hidden, isById } = columnsOf(table);
  const { partitionColumns } = table.snapshot.metadata;
  const inFiles = [...columns, ...hidden].filter(({ logical }) => !partitionColumns.includes(logical.name));
  const parts: string[] = [];
  for (const { file, rows, further = [] } of files) {
    const located = locateFile(table.snapshot.table, file);
    const shape = isById ? undefined : await readShape(connection, quotePath(located.path));
    const isPlain =
      shape !== undefined &&
      !shape.has("file_row_number") &&
      inFiles.every((column) => hasColumn(shape, column, hidden));
    const columnValue = (column: MappedColumn): string => {
      const { logical, physical } = column;
      if (partitionColumns.includes(logical.name))
        return partitionValue(logical.type, file.partitionValues[physical.name]);
      if (!isPlain) return logicalValue(column, inFiles.indexOf(column));
      if (!shape.has(physical.name)) return "NULL::BIGINT";
      return renameFields(`f.${quoteName(physical.name)}`, physical.type, logical.type);
    };
    const selected = columns.map((column) => `${columnValue(column)} AS ${quoteName(column.logical.name)}`);
    const [rowId, rowVersion] = hidden;
    if (rowId !== undefined && rowVersion !== undefined) {
      selected.push(
        `coalesce(${columnValue(rowId)}, ${file.baseRowId ?? "NULL"}::BIGINT + file_row_number) AS ${ROW_ID}`,
      );
      selected.push(
        `coalesce(${columnValue(rowVersion)}, ${file.defaultRowCommitVersion ?? "NULL"}::BIGINT) AS ${ROW_VERSION}`,
      );
    }
    const schema = isPlain || inFiles.length === 0 ? undefined : schemaOption(inFiles);
    const conditions = [
      ...(rows === undefined ? [] : [rowCondition(rows)]),
      ...(isById ? [nestedNamesCondition(table.snapshot, [located])].filter((part) => part !== undefined) : []),
    ];
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
    parts.push(`SELECT ${[...selected, ...further].join(", ")} FROM ${readParquet([located], schema)} f${where}`);
  }
  return parts.join(" UNION ALL ");
}

function columnsOf({ snapshot, layout }: PlacedTable) {
  const { rowTracking } = layout;
  // Hidden columns have no field id; files with them are Delta's own, with physical names.
  const isById = rowTracking === undefined && columnMappingMode(snapshot.metadata.configuration) === "id";
  const names = rowTracking === undefined ? [] : [rowTracking.rowId, rowTracking.rowCommitVersion];
  const hidden = names.map((name): MappedColumn => {
    const field = { name, type: LONG, nullable: true };
    return { logical: field, physical: field, key: quoteText(name) };
  });
  return { columns: mapColumns(snapshot, isById), hidden, isById };
}

/** Places of files in the list, those of one partition together. */
function byPartition(files: readonly AddFile[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [place, { partitionValues }] of files.entries()) {
    const key = JSON.stringify(Object.entries(partitionValues).sort());
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(place);
  }
  return [...groups.values()];
}

/** DuckDB's type of each column of a file. */
type Shape = ReadonlyMap<string, string>;

async function readShape(connection: DuckDBConnection, path: string): Promise<Shape> {
  const columns = await connection.runAndReadAll(
    `SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet(${path}, hive_partitioning = false))`,
  );
  return new Map(columns.getRows().map(([name, type]) => [String(name), String(type)]));
}

/** Whether a file has the column just as the table does; one that is hidden it need not have. */
function hasColumn(shape: Shape, column: MappedColumn, hidden: readonly MappedColumn[]): boolean {
  const type = shape.get(column.physical.name);
  if (type === undefined) return hidden.includes(column);
  return type.replaceAll("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ") === duckdbType(column.physical.type);
}
