import type { NewFile } from "../commit/change.js";
import { type CommitOptions, createTable } from "../commit/transaction.js";
import { DeltaError, type DeltaErrorCode, reasonOf } from "../error.js";
import { formatStats } from "../files/stats.js";
import type { TextMap } from "../log/actions.js";
import { listLog, logFolder } from "../log/log-files.js";
import type { StructType } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { type FoundFile, listFiles } from "./list-files.js";
import { mergeFileSchema } from "./merge-file-schema.js";
import { type FooterReader, type ParquetFooter, readFooter } from "./parquet-footer.js";
import { partitionValuesOf } from "./partition-path.js";

export interface ConvertOptions extends CommitOptions {
  /** The columns that the folders name (`year=2024/month=1/…`), in this order, with their types. */
  readonly partitionColumns?: StructType;
  /** Table properties. */
  readonly configuration?: TextMap;
  /** Reads footers; without it a reader in JavaScript does. */
  readonly footers?: FooterReader;
}

export interface ConvertResult {
  readonly version: bigint;
  readonly metrics: { readonly numConvertedFiles: number };
}

/** Footers at once. */
const AT_ONCE = 16;

/**
 * `CONVERT TO DELTA`: makes a table of a folder of Parquet files where they are. Its schema is that of all files
 * together, each column nullable; statistics come from the footers, so no row is read. Every file counts that is not
 * hidden (names that begin with `_` or `.`): one that is no Parquet file stops the conversion.
 *
 * @throws DeltaError DELTA_TABLE_ALREADY_EXISTS, DELTA_EMPTY_DIRECTORY, DELTA_CONVERT_NON_PARQUET_TABLE,
 * DELTA_UNSUPPORTED_DATA_TYPES, DELTA_FAILED_TO_MERGE_FIELDS, DELTA_CONVERSION_UNSUPPORTED_COLUMN_MAPPING,
 * DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME, DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME,
 * DELTA_FAILED_CAST_PARTITION_VALUE, and what `createTable` throws, as for names that Delta does not allow
 */
export async function convertToDelta(
  store: Store,
  table: string,
  options: ConvertOptions = {},
): Promise<ConvertResult> {
  const { partitionColumns = { kind: "struct", fields: [] }, configuration = {}, footers = readFooter } = options;
  if ((await listLog(store, table)) !== undefined)
    throw refusal(table, "DELTA_TABLE_ALREADY_EXISTS", `${table} is a Delta table already.`, logFolder(table));
  if ((configuration["delta.columnMapping.mode"] ?? "none") !== "none")
    throw refusal(
      table,
      "DELTA_CONVERSION_UNSUPPORTED_COLUMN_MAPPING",
      `${table} cannot be converted with column mapping: its files do not have the physical names.`,
      undefined,
      "Convert it without, then set delta.columnMapping.mode to name.",
    );

  const root = table.replace(/\/+$/, "");
  const names = partitionColumns.fields.map(({ name }) => name);
  const files = await listFiles(store, root, ({ name }) => isHidden(name, names));
  if (files.length === 0) throw refusal(table, "DELTA_EMPTY_DIRECTORY", `${table} holds no files.`, table);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const values = files.map(({ path }) => partitionValuesOf(path, partitionColumns, table));
  const described = await readFooters(store, root, files, footers);

  const schema = tableSchema(table, files, described, partitionColumns);
  const add = files.map(({ path, size }, i): NewFile => {
    const footer = described[i];
    return {
      path,
      size,
      partitionValues: values[i] ?? {},
      ...(footer === undefined
        ? {}
        : { stats: formatStats(footer, schema, { configuration, partitionColumns: names }) }),
    };
  });
  const { version } = await createTable(
    store,
    table,
    { schema, partitionColumns: names, configuration },
    {
      operation: "CONVERT",
      operationParameters: {
        numFiles: String(files.length),
        partitionedBy: JSON.stringify(names),
        collectStats: "true",
        sourceFormat: "parquet",
      },
      operationMetrics: { numConvertedFiles: String(files.length) },
      add,
      isBlindAppend: true,
    },
    options,
  );
  return { version, metrics: { numConvertedFiles: files.length } };
}

function isHidden(name: string, partitionColumns: readonly string[]): boolean {
  return /^[._]/.test(name) && !partitionColumns.some((column) => name.startsWith(`${column}=`));
}

async function readFooters(
  store: Store,
  root: string,
  files: readonly FoundFile[],
  footers: FooterReader,
): Promise<ParquetFooter[]> {
  const read = async ({ path, size }: FoundFile): Promise<ParquetFooter> => {
    try {
      return await footers(store, `${root}/${path}`, size);
    } catch (cause) {
      const code = cause instanceof TypeError ? "DELTA_UNSUPPORTED_DATA_TYPES" : "DELTA_CONVERT_NON_PARQUET_TABLE";
      const message = `${root} cannot be converted: ${path} cannot be read as Parquet: ${reasonOf(cause)}.`;
      throw refusal(
        root,
        code,
        message,
        `${root}/${path}`,
        "Move the file elsewhere, or give it a name that begins with _.",
        cause,
      );
    }
  };
  const described: ParquetFooter[] = [];
  for (let start = 0; start < files.length; start += AT_ONCE)
    described.push(...(await Promise.all(files.slice(start, start + AT_ONCE).map(read))));
  return described;
}

/** The files' columns, then the partition columns; a partition column that is in the files, too, is the folder's. */
function tableSchema(
  table: string,
  files: readonly FoundFile[],
  footers: readonly ParquetFooter[],
  partitionColumns: StructType,
): StructType {
  const partitions = new Set(partitionColumns.fields.map(({ name }) => name.toLowerCase()));
  let schema: StructType = { kind: "struct", fields: [] };
  for (const [i, footer] of footers.entries()) {
    const data = footer.schema.fields.filter(({ name }) => !partitions.has(name.toLowerCase()));
    schema = mergeFileSchema(schema, { kind: "struct", fields: data }, table, files[i]?.path ?? "");
  }
  return { kind: "struct", fields: [...schema.fields, ...partitionColumns.fields] };
}

function refusal(
  table: string,
  code: DeltaErrorCode,
  message: string,
  path: string | undefined,
  hint = "Check the location.",
  cause?: unknown,
): DeltaError {
  return new DeltaError(code, message, { table, ...(path === undefined ? {} : { path }), hint, cause });
}
