import type { At, DeltaError } from "../error.js";
import type { AddFile, TextMap } from "../log/actions.js";
import { isObject } from "../log/json.js";
import { columnMappingMode, physicalSchema, translatePath } from "../schema/column-mapping.js";
import { refusal } from "../schema/definition.js";
import type { DataType, Field, StructType } from "../schema/schema.js";
import type { ColumnPath } from "./condition.js";
import { fractionDigits, keyOfText, type SortKey } from "./sort-key.js";
import { openStats, type StatsText, toCount } from "./stats-text.js";

/** What of a table tells where its columns stand in statistics and partition values; a snapshot is one. */
export interface TableColumns extends At {
  readonly schema: StructType;
  readonly metadata: { readonly configuration: TextMap; readonly partitionColumns: readonly string[] };
}

/** What a file's rows have in a column, as far as the log tells; never less than they have. */
export interface Bounds {
  /** Undefined: untold. No value is less, none greater; NaN is another matter. */
  readonly min: SortKey | undefined;
  readonly max: SortKey | undefined;
  readonly mayBeNull: boolean;
  readonly mayBeValue: boolean;
  /** NaN may be there beside the bounds: writers differ in whether it counts for them. */
  readonly mayBeNan: boolean;
}

/** A column, found in a table. */
export interface BoundColumn {
  readonly type: DataType;
  /** The same text for the same column of the same type, in any snapshot of a table. */
  readonly id: string;
  readonly bounds: (file: AddFile, stats: StatsText | undefined) => Bounds;
}

const UNTOLD: Bounds = { min: undefined, max: undefined, mayBeNull: true, mayBeValue: true, mayBeNan: false };
const ALL_NULL: Bounds = { min: undefined, max: undefined, mayBeNull: true, mayBeValue: false, mayBeNan: false };

/**
 * Finds a column by its users' name; case counts only where two names differ in nothing else.
 *
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA
 */
export function bindColumn(path: ColumnPath, table: TableColumns): BoundColumn {
  const { configuration, partitionColumns } = table.metadata;
  const fields = findFields(path, table);
  const inFiles = physicalSchema(table.schema, columnMappingMode(configuration));
  const names = fields.map(({ name }) => name);
  const [field, physical] = [fields.at(-1), translatePath(names, table.schema, inFiles)];
  if (field === undefined || physical === undefined) throw notFound(path, table);
  const { type } = field;
  const id = JSON.stringify([physical, type]);
  if (type.kind === "void") return { type, id, bounds: () => ALL_NULL };
  const [column = ""] = physical;
  if (fields.length === 1 && partitionColumns.includes(field.name))
    return { type, id, bounds: (file) => partitionBounds(type, file.partitionValues[column]) };
  const wasFloat = type.kind === "double" && changedFrom(field, "float");
  return { type, id, bounds: (_file, stats) => statsBounds(type, wasFloat, physical, stats) };
}

/**
 * The bounds of several columns in a file. What they are is found when a file is asked for first, and kept as
 * long as the file's action is.
 */
export function boundsReader(columns: readonly BoundColumn[]): (file: AddFile) => readonly Bounds[] {
  return (file) => {
    const known = KNOWN.get(file) ?? new Map<string, Bounds>();
    KNOWN.set(file, known);
    let stats: StatsText | undefined;
    let isOpen = false;
    return columns.map((column) => {
      const before = known.get(column.id);
      if (before !== undefined) return before;
      if (!isOpen) stats = openStats(file.stats);
      isOpen = true;
      const bounds = column.bounds(file, stats);
      known.set(column.id, bounds);
      return bounds;
    });
  };
}

/** By column. Parsed statistics of all columns would fill a gigabyte where there are 100,000 files. */
const KNOWN = new WeakMap<AddFile, Map<string, Bounds>>();

/** A partition value is the value of every row; null and "" mean NULL. */
function partitionBounds(type: DataType, text: string | null | undefined): Bounds {
  if (text === undefined) return UNTOLD;
  if (text === null || text === "") return ALL_NULL;
  const key = keyOfText(type, text);
  if (key === undefined) return { ...UNTOLD, mayBeNull: false };
  return { min: key, max: key, mayBeNull: false, mayBeValue: true, mayBeNan: false };
}

/**
 * With or without tight bounds: bounds are never narrower than the live rows, and of the counts of NULL only "none" and
 * "all" are used, which stay true when rows are deleted. Source: the Delta protocol, "Per-file Statistics".
 */
function statsBounds(type: DataType, wasFloat: boolean, path: readonly string[], stats: StatsText | undefined): Bounds {
  if (stats === undefined) return UNTOLD;
  const nulls = toCount(stats.valueOf("nullCount", path));
  const mayBeValue = nulls === undefined || stats.numRecords === undefined || nulls < stats.numRecords;
  const [min, max] = [stats.valueOf("minValues", path), stats.valueOf("maxValues", path)];
  return {
    min: min === undefined ? undefined : lowest(type, wasFloat, min),
    max: max === undefined ? undefined : highest(type, wasFloat, max),
    mayBeNull: nulls !== 0,
    mayBeValue,
    mayBeNan: mayBeValue && (type.kind === "float" || type.kind === "double"),
  };
}

function lowest(type: DataType, wasFloat: boolean, text: string): SortKey | undefined {
  const key = keyOfText(type, text);
  if (wasFloat && typeof key === "number") return Math.min(key, Math.fround(key));
  return typeof key === "bigint" ? key - roundingOf(type, key, text) : key;
}

function highest(type: DataType, wasFloat: boolean, text: string): SortKey | undefined {
  const key = keyOfText(type, text);
  // The digits of a float name another double than the one that the float becomes when the column is widened.
  if (wasFloat && typeof key === "number") return Math.max(key, Math.fround(key));
  if (typeof key !== "bigint") return key;
  return key + roundingOf(type, key, text) + cutOf(type, text);
}

/** How far a decimal's bound may lie from the value: delta-rs passes decimals through a double, which has 17 digits. */
function roundingOf(type: DataType, key: bigint, text: string): bigint {
  if (type.kind !== "decimal" || type.precision <= 15) return 0n;
  const digits = text
    .replace(/e.*$/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");
  return digits.length > 17 ? 0n : (key < 0n ? -key : key) >> 51n;
}

/** Microseconds that a maximum may lack: Spark cuts timestamps to milliseconds. */
function cutOf(type: DataType, text: string): bigint {
  if (type.kind !== "timestamp" && type.kind !== "timestamp_ntz") return 0n;
  const digits = fractionDigits(text) ?? 0;
  return digits <= 3 ? 999n : digits > 6 ? 1n : 0n;
}

function changedFrom({ metadata }: Field, kind: string): boolean {
  const changes = metadata["delta.typeChanges"];
  return Array.isArray(changes) && changes.some((change) => isObject(change) && change["fromType"] === kind);
}

/** The fields from the top to the column. */
function findFields(path: ColumnPath, table: TableColumns): Field[] {
  const found: Field[] = [];
  let type: DataType = table.schema;
  for (const name of path) {
    const fields: readonly Field[] = type.kind === "struct" ? type.fields : [];
    const field: Field | undefined =
      fields.find((candidate) => candidate.name === name) ??
      fields.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (field === undefined) throw notFound(path, table);
    found.push(field);
    type = field.type;
  }
  return found;
}

function notFound(path: ColumnPath, table: TableColumns): DeltaError {
  const columns = table.schema.fields.map(({ name }) => name).join(", ");
  const message = `${table.table} has no column ${path.join(".")}.`;
  return refusal(table, "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", message, `Its columns are ${columns}.`);
}
