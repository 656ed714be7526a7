import { IngotError } from "../../../model/error.js";
import type { FileFormat } from "../../../model/file-read.js";
import { nearest } from "../../../model/nearest.js";
import type { Position } from "../../../model/position.js";

/** One argument of `read_files`; the path has no name. */
export interface FileOption {
  readonly name?: string;
  readonly value: string;
  readonly at: Position;
  readonly valueAt: Position;
}

/** The options that were given, by the names of {@link OPTIONS}. */
export type FileOptions = ReadonlyMap<string, FileOption>;

export const FORMATS = ["csv", "json", "parquet", "text", "binaryFile"] as const satisfies readonly FileFormat[];
/** Formats of Spark and Auto Loader that Ingot does not read. */
export const OTHER_FORMATS = ["xml", "avro", "orc"];

const TEXT: readonly FileFormat[] = ["csv", "json", "text"];
const RECORDS: readonly FileFormat[] = ["csv", "json"];
const NAMED: readonly FileFormat[] = ["csv", "json", "parquet"];
const CSV: readonly FileFormat[] = ["csv"];

/** The options that Ingot reads, each with its formats. */
const OPTIONS: Readonly<Record<string, readonly FileFormat[]>> = {
  format: FORMATS,
  pathGlobFilter: FORMATS,
  modifiedAfter: FORMATS,
  modifiedBefore: FORMATS,
  recursiveFileLookup: FORMATS,
  partitionColumns: FORMATS,
  includeExistingFiles: FORMATS,
  maxFilesPerTrigger: FORMATS,
  maxBytesPerTrigger: FORMATS,
  allowOverwrites: FORMATS,
  ignoreMissingFiles: FORMATS,
  ignoreCorruptFiles: FORMATS,
  onMissing: FORMATS,
  onEmpty: FORMATS,
  schema: NAMED,
  schemaHints: NAMED,
  schemaEvolutionMode: NAMED,
  cleanColumnNames: NAMED,
  rescuedDataColumn: NAMED,
  inferColumnTypes: ["csv", "json"],
  mode: RECORDS,
  columnNameOfCorruptRecord: RECORDS,
  multiLine: RECORDS,
  encoding: TEXT,
  compression: TEXT,
  header: CSV,
  enforceSchema: CSV,
  sep: CSV,
  quote: CSV,
  escape: CSV,
  comment: CSV,
  nullValue: CSV,
  ignoreLeadingWhiteSpace: CSV,
  ignoreTrailingWhiteSpace: CSV,
  wholeText: ["text"],
};

/** Other names of the same options. */
const ALIASES: Readonly<Record<string, string>> = {
  delimiter: "sep",
  charset: "encoding",
  fileNamePattern: "pathGlobFilter",
};

/** Options of Spark, `read_files` and Auto Loader that Ingot knows by name and does not read. */
const NOT_READ = `allowBackslashEscapingAnyCharacter allowComments allowNonNumericNumbers allowNumericLeadingZeros
  allowSingleQuotes allowUnquotedControlChars allowUnquotedFieldNames backfillInterval charToEscapeQuoteEscaping
  cleanSource columnPruning dateFormat datetimeRebaseMode dropFieldIfAllNull emptyValue enableDateTimeParsingFallback
  extension ignoreNullFields inferSchema inferTimestamp int96RebaseMode lineSep locale maxCharsPerColumn maxColumns
  maxFileAge mergeSchema nanValue negativeInf positiveInf preferDate prefersDecimal primitivesAsString readerCaseSensitive
  samplingRatio schemaLocation singleVariantColumn skipRows timeZone timestampFormat timestampNTZFormat
  unescapedQuoteHandling useNotifications useStrictGlobber validateOptions`.split(/\s+/);

const lower = (names: readonly string[]) => new Map(names.map((name) => [name.toLowerCase(), name]));
const BY_NAME = lower([...Object.keys(OPTIONS), ...Object.keys(ALIASES)]);
const NOT_READ_BY_NAME = lower(NOT_READ);

/**
 * The named arguments of `read_files` as options.
 *
 * @throws IngotError UNKNOWN_OPTION, NOT_SUPPORTED, BAD_OPTION (given twice), each with the place of the argument
 */
export function collectOptions(args: readonly FileOption[]): FileOptions {
  const options = new Map<string, FileOption>();
  for (const arg of args) {
    if (arg.name === undefined) continue;
    const name = checkName(arg.name, arg.at);
    const before = options.get(name);
    if (before !== undefined) {
      const same = before.name?.toLowerCase() === arg.name.toLowerCase();
      const what = same ? `The option ${arg.name} is given twice` : `${before.name} and ${arg.name} mean the same`;
      throw new IngotError("BAD_OPTION", what, { at: arg.at, hint: "Keep one of them." });
    }
    options.set(name, arg);
  }
  return options;
}

/** @throws IngotError BAD_OPTION for an option that the format has no use for: a setting that is taken must have effect */
export function checkFormatHas(options: FileOptions, format: FileFormat): void {
  for (const [name, option] of options) {
    const formats = OPTIONS[name] ?? [];
    if (formats.includes(format)) continue;
    throw new IngotError("BAD_OPTION", `${option.name} says nothing about ${format} files`, {
      at: option.at,
      hint: `Leave it out; it is for ${formats.join(", ")}.`,
    });
  }
}

/** The option's name as Ingot writes it, aliases resolved. */
function checkName(written: string, at: Position): string {
  const bare = written.replace(/^cloudFiles\./i, "").toLowerCase();
  const known = BY_NAME.get(bare);
  if (known !== undefined) return ALIASES[known] ?? known;
  const other = NOT_READ_BY_NAME.get(bare);
  if (other !== undefined) {
    throw new IngotError("NOT_SUPPORTED", `The option ${other} of read_files is not supported yet`, {
      at,
      hint: INSTEAD[other] ?? "Leave it out.",
    });
  }
  const near = nearest(bare, [...BY_NAME.values(), ...NOT_READ]);
  throw new IngotError("UNKNOWN_OPTION", `read_files has no option ${written}`, {
    at,
    hint: near === undefined ? `There are ${Object.keys(OPTIONS).join(", ")}.` : `Did you mean ${near}?`,
  });
}

const INSTEAD: Readonly<Record<string, string>> = {
  inferSchema: "inferColumnTypes => true looks at the whole of the files.",
  schemaLocation: "Leave it out: the flow's checkpoint knows its columns.",
  mergeSchema: "Leave it out: files of different columns are matched by name.",
  dateFormat: "Read the column as STRING, and use to_date(column, 'format') in the query.",
  timestampFormat: "Read the column as STRING, and use to_timestamp(column, 'format') in the query.",
  emptyValue: "Use nullif(column, '') or coalesce(column, '') in the query.",
};
