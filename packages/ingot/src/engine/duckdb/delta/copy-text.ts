import { basename, dirname, join } from "node:path";
import type { FileLayout } from "@ingot/delta";
import type { Field } from "../../../model/data-type.js";
import { duckdbType, quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { renameFields } from "../parquet-columns.js";
import { ROW_GROUP } from "../row-group.js";
import { fieldIdsOption } from "./field-ids.js";
import { CHANGE_TYPE, ROW_ID, ROW_VERSION } from "./hidden-columns.js";
import { refuseNegativeZero } from "./negative-zero.js";
import { partitionText } from "./partition-text.js";

export interface WriteFilesOptions {
  /** Folder below the table; default: the table itself. */
  readonly folder?: "_change_data";
  /** The query has the column `_change_type`, which is to be in the files. */
  readonly changeType?: boolean;
  /** The query has the columns ROW_ID and ROW_VERSION, for a layout with row tracking. */
  readonly rowIds?: boolean;
  /** SQL over the query's columns, as the alias `q`. */
  readonly orderBy?: readonly string[];
  /**
   * Of zstd. 1, the default, is on rows of SAP tables smaller than snappy and no slower; 3 is worth its time for files
   * that stay.
   */
  readonly level?: 1 | 3;
  /** Rows of a file, to the next row group; default: until it has the layout's size. A partition gets one file. */
  readonly rowsPerFile?: number;
  /** About how many bytes the rows have, where that is known. What fits into one file all threads write together. */
  readonly bytes?: number;
}

/**
 * Distinct values up to which a row group's column has a dictionary. DuckDB's own bound, a fifth of the rows, costs a
 * quarter more to write; a bound of 1000 makes reading a third dearer, and neither is smaller.
 */
const DICTIONARY = 8192;
/** Row groups are made of whole vectors. */
const VECTOR = 2048;

/**
 * SQL that writes the rows of a query into new files of a folder and tells their statistics.
 *
 * @param name what the files' names begin with
 * @param hasDictionaries values are kept in dictionaries where that is shorter; then a -0.0 fails: see `negative-zero.ts`
 */
export function copyText(
  layout: FileLayout,
  query: string,
  folder: string,
  name: string,
  options: WriteFilesOptions,
  hasDictionaries: boolean,
): string {
  const { changeType = false, rowIds = false, orderBy = [], level = 1 } = options;
  const physical = fromDeltaSchema(layout.physical);
  const columns = fromDeltaSchema(layout.schema).map((logical, i) => ({ logical, physical: physical[i] ?? logical }));
  const isPartition = ({ logical }: { logical: Field }) => layout.partitionColumns.includes(logical.name);
  const partitions = columns.filter(isPartition);
  const selected = [
    ...columns
      .filter((column) => !isPartition(column))
      .map(({ logical, physical }) => {
        const cast = castColumn(logical);
        const kept = hasDictionaries ? refuseNegativeZero(cast, logical.type) : cast;
        const value = renameFields(kept, logical.type, physical.type);
        return `${value} AS ${quoteName(physical.name)}`;
      }),
    ...(changeType ? [CHANGE_TYPE] : []),
    ...(rowIds && layout.rowTracking !== undefined
      ? [
          `${ROW_ID}::BIGINT AS ${quoteName(layout.rowTracking.rowId)}`,
          `${ROW_VERSION}::BIGINT AS ${quoteName(layout.rowTracking.rowCommitVersion)}`,
        ]
      : []),
    ...partitions.map(
      ({ logical, physical }) => `${partitionText(logical.type, castColumn(logical))} AS ${quoteName(physical.name)}`,
    ),
  ];
  const partitionNames = partitions.map(({ physical }) => physical.name);
  const { to, files } = spread(layout, join(folder, name), partitionNames, options);
  const order = orderBy.length === 0 ? "" : ` ORDER BY ${orderBy.join(", ")}`;
  const settings = [
    "FORMAT parquet",
    // V2 is a tenth smaller and read a sixth faster, but delta-rs 1.6 cannot skip rows in DuckDB's DELTA_BINARY_PACKED,
    // and Spark 4.2 cannot read BYTE_STREAM_SPLIT.
    "PARQUET_VERSION V1",
    "COMPRESSION zstd",
    `COMPRESSION_LEVEL ${level}`,
    // No other reader of Delta tables uses them.
    "WRITE_BLOOM_FILTER false",
    "RETURN_STATS",
    `DICTIONARY_SIZE_LIMIT ${hasDictionaries ? DICTIONARY : 0}`,
    ...files,
    ...(layout.hasFieldIds ? [fieldIdsOption(withoutPartitions(layout))] : []),
  ];
  return `COPY (SELECT ${selected.join(", ")} FROM (${query}) q${order}) TO ${quoteText(to)} (${settings.join(", ")})`;
}

/**
 * Where the rows go, and the options that spread them over files.
 *
 * @param path what the files' paths begin with
 * @param partitions names of columns
 */
function spread(
  { targetFileSize }: FileLayout,
  path: string,
  partitions: readonly string[],
  { bytes, rowsPerFile }: WriteFilesOptions,
): { readonly to: string; readonly files: readonly string[] } {
  // With room to spare: a file that is somewhat too long is not wrong, and one thread alone writes several.
  const isOne = bytes !== undefined && bytes <= targetFileSize / 2;
  if (isOne && partitions.length === 0 && rowsPerFile === undefined) return { to: `${path}.parquet`, files: [] };
  const names = ["APPEND", `FILENAME_PATTERN ${quoteText(`${basename(path)}-{uuid}`)}`];
  const sizes =
    partitions.length > 0
      ? ["WRITE_PARTITION_COLUMNS false", `PARTITION_BY (${partitions.map(quoteName).join(", ")})`]
      : rowsPerFile === undefined
        ? [`FILE_SIZE_BYTES ${targetFileSize}`]
        : rowGroups(rowsPerFile);
  return { to: dirname(path), files: [...names, ...sizes] };
}

function rowGroups(rowsPerFile: number): string[] {
  if (rowsPerFile >= ROW_GROUP) return [`ROW_GROUPS_PER_FILE ${Math.round(rowsPerFile / ROW_GROUP)}`];
  return ["ROW_GROUPS_PER_FILE 1", `ROW_GROUP_SIZE ${Math.ceil(rowsPerFile / VECTOR) * VECTOR}`];
}

function castColumn({ name, type }: Field): string {
  return `q.${quoteName(name)}::${duckdbType(type)}`;
}

function withoutPartitions({ physical, schema, partitionColumns }: FileLayout): FileLayout["physical"] {
  return {
    kind: "struct",
    fields: physical.fields.filter((_, i) => !partitionColumns.includes(schema.fields[i]?.name ?? "")),
  };
}
