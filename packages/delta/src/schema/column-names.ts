import type { TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { columnMappingMode } from "./column-mapping.js";
import { type Definition, refusal } from "./definition.js";
import { fieldsWithin, formatPath } from "./field-path.js";
import { NO_NAME, type StructType } from "./schema.js";

/** Columns of the change data feed: in a table that has one they would be mistaken for its marks. */
const FEED_COLUMNS: readonly string[] = ["_change_type", "_commit_version", "_commit_timestamp"];

/**
 * Passes when every reader can tell the columns apart: no name twice in a struct (case does not count), none of the
 * change data feed where there is one, and without column mapping none of the characters ` ,;{}()\n\t=`, which Parquet
 * in Spark does not take. Names that the table had before pass.
 *
 * @throws DeltaError DELTA_DUPLICATE_COLUMNS_FOUND, DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES,
 * DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE for `__proto__`
 */
export function assertColumnNames(next: Definition, previous?: Definition): void {
  const { configuration } = next.metadata;
  const impossible = [...fieldsWithin(next.schema)].find(({ field }) => field.name === NO_NAME);
  if (impossible !== undefined)
    throw refusal(
      next,
      "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      `${next.table} cannot have the column ${formatPath(impossible.path)}: objects of JavaScript cannot have it.`,
      "Choose another name.",
    );

  const twice = duplicates(next.schema);
  if (twice.length > 0)
    throw refusal(
      next,
      "DELTA_DUPLICATE_COLUMNS_FOUND",
      `Columns of ${next.table} would be there twice: ${twice.join(", ")}.`,
      "Give each column a name of its own; case does not count.",
    );

  const known = new Set(previous === undefined ? [] : illegalNames(previous.schema, {}));
  const illegal = illegalNames(next.schema, configuration).filter((name) => !known.has(name));
  if (illegal.length > 0)
    throw refusal(
      next,
      "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES",
      `Column names of ${next.table} hold a character among ' ,;{}()\\n\\t=': ${illegal.join(", ")}.`,
      "Set the table property delta.columnMapping.mode to name, or choose other names.",
    );

  const reserved = next.schema.fields.filter(({ name }) => FEED_COLUMNS.includes(name.toLowerCase()));
  if (isOn(configuration, "delta.enableChangeDataFeed") && reserved.length > 0)
    throw refusal(
      next,
      "DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS",
      `The change data feed of ${next.table} needs the column names ${reserved.map(({ name }) => name).join(", ")}.`,
      "Rename these columns, or leave delta.enableChangeDataFeed off.",
    );
}

/**
 * Passes when rows have a place to stand: values of partition columns stand in the log, and a file without columns has
 * no rows.
 *
 * @throws DeltaError DELTA_NON_PARTITION_COLUMN_ABSENT
 */
export function assertDataColumn(table: Definition): void {
  const { schema, metadata } = table;
  if (schema.fields.some(({ name }) => !metadata.partitionColumns.includes(name))) return;
  throw refusal(
    table,
    "DELTA_NON_PARTITION_COLUMN_ABSENT",
    `${table.table} cannot take rows: it has no column beside its partition columns.`,
    "Add a column first.",
  );
}

function duplicates(schema: StructType): string[] {
  const seen = new Set<string>();
  const twice: string[] = [];
  for (const { path } of fieldsWithin(schema)) {
    const key = path.join("\0").toLowerCase();
    if (seen.has(key)) twice.push(formatPath(path));
    seen.add(key);
  }
  return twice;
}

function illegalNames(schema: StructType, configuration: TextMap): string[] {
  if (columnMappingMode(configuration) !== "none") return [];
  return [...fieldsWithin(schema)]
    .filter(({ field }) => /[ ,;{}()\n\t=]/.test(field.name))
    .map(({ path }) => formatPath(path));
}
