import type { Field } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { nearest } from "../../model/nearest.js";
import { type Position, sqlText } from "../../model/position.js";
import type { FileRead } from "../../model/query.js";
import { parseSchema } from "../ddl-types.js";

/** One argument of `read_files`; the path has no name. */
export interface FileOption {
  readonly name?: string;
  readonly value: string;
  readonly at: Position;
  readonly valueAt: Position;
}

/** Options that Ingot reads, by lower-case name. */
const KNOWN = new Map(
  [
    "format",
    "schema",
    "header",
    "enforceSchema",
    "sep",
    "delimiter",
    "quote",
    "escape",
    "columnNameOfCorruptRecord",
    "mode",
    "pathGlobFilter",
    "fileNamePattern",
  ].map((name) => [name.toLowerCase(), name]),
);

/** Options of Spark's CSV source, `read_files` and Auto Loader that Ingot knows by name and does not read yet. */
const NOT_YET = new Map(
  `allowOverwrites backfillInterval charToEscapeQuoteEscaping charset cleanColumnNames cleanSource comment compression
  dateFormat emptyValue enableDateTimeParsingFallback encoding extension ignoreCorruptFiles ignoreLeadingWhiteSpace
  ignoreMissingFiles ignoreTrailingWhiteSpace includeExistingFiles inferColumnTypes inferSchema lineSep locale
  maxBytesPerTrigger maxCharsPerColumn maxColumns maxFileAge maxFilesPerTrigger mergeSchema modifiedAfter
  modifiedBefore multiLine nanValue negativeInf nullValue partitionColumns positiveInf preferDate
  readerCaseSensitive recursiveFileLookup rescuedDataColumn samplingRatio schemaEvolutionMode schemaHints
  schemaLocation skipRows timeZone timestampFormat timestampNTZFormat unescapedQuoteHandling useNotifications
  useStrictGlobber validateOptions`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
);

const FORMATS = ["json", "xml", "text", "binaryFile", "parquet", "avro", "orc"];

/**
 * Checks the arguments of `read_files` and gives them types.
 *
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, BAD_SCHEMA, NOT_SUPPORTED, each with the place of the argument
 */
export function readFileRead(args: readonly FileOption[], at: Position): FileRead {
  const options = new Map<string, FileOption>();
  const [path, ...extra] = args.filter((arg) => arg.name === undefined);
  if (path === undefined || path.value === "")
    throw new IngotError("BAD_OPTION", "read_files has no path", {
      at,
      hint: "Write read_files('folder', format => 'csv', …).",
    });
  for (const arg of extra)
    throw new IngotError("BAD_OPTION", "read_files takes one path", {
      at: arg.at,
      hint: "Write the others as option => value.",
    });
  for (const arg of args) {
    if (arg.name === undefined) continue;
    const name = checkName(arg.name, arg.at).toLowerCase();
    if (options.has(name))
      throw new IngotError("BAD_OPTION", `The option ${arg.name} is given twice`, {
        at: arg.at,
        hint: "Keep one of them.",
      });
    options.set(name, arg);
  }
  checkFormat(options.get("format"), at);
  checkMode(options.get("mode"));
  const schema = readSchema(options.get("schema"), at);
  const corrupt = corruptRecordColumn(options.get("columnnameofcorruptrecord"), options.get("schema"), schema);
  const glob = options.get("pathglobfilter") ?? options.get("filenamepattern");
  return {
    path: path.value,
    format: "csv",
    schema,
    header: flag(options.get("header"), false),
    enforceSchema: flag(options.get("enforceschema"), true),
    sep: separator(options),
    quote: characterOrNone(options.get("quote"), '"'),
    escape: characterOrNone(options.get("escape"), "\\"),
    ...(corrupt === undefined ? {} : { corruptRecordColumn: corrupt }),
    ...(glob === undefined ? {} : { pathGlobFilter: glob.value }),
  };
}

function checkName(name: string, at: Position): string {
  const bare = name.replace(/^cloudFiles\./i, "");
  const known = KNOWN.get(bare.toLowerCase());
  if (known !== undefined) return known;
  const later = NOT_YET.get(bare.toLowerCase());
  if (later !== undefined)
    throw new IngotError("NOT_SUPPORTED", `The option ${later} of read_files is not supported yet`, {
      at,
      hint: `Leave it out. Supported are ${[...KNOWN.values()].join(", ")}.`,
    });
  const near = nearest(bare, [...KNOWN.values(), ...NOT_YET.values()]);
  throw new IngotError("UNKNOWN_OPTION", `read_files has no option ${name}`, {
    at,
    hint: near === undefined ? `Supported are ${[...KNOWN.values()].join(", ")}.` : `Did you mean ${near}?`,
  });
}

function checkFormat(format: FileOption | undefined, at: Position): void {
  if (format === undefined)
    throw new IngotError("NOT_SUPPORTED", "Detecting the format of files is not supported yet", {
      at,
      hint: "Add format => 'csv'.",
    });
  if (format.value.toLowerCase() === "csv") return;
  if (FORMATS.some((known) => known.toLowerCase() === format.value.toLowerCase()))
    throw new IngotError("NOT_SUPPORTED", `The format ${format.value} is not supported yet`, {
      at: format.valueAt,
      hint: "csv is.",
    });
  const near = nearest(format.value, ["csv", ...FORMATS]);
  throw new IngotError("BAD_OPTION", `There is no format '${format.value}'`, {
    at: format.valueAt,
    hint: near === undefined ? "Use csv." : `Did you mean ${near}?`,
  });
}

function checkMode(mode: FileOption | undefined): void {
  if (mode === undefined || mode.value.toUpperCase() === "PERMISSIVE") return;
  const known = ["DROPMALFORMED", "FAILFAST"].includes(mode.value.toUpperCase());
  throw new IngotError(known ? "NOT_SUPPORTED" : "BAD_OPTION", `The mode ${mode.value} is not supported`, {
    at: mode.valueAt,
    hint: "PERMISSIVE keeps bad records in columnNameOfCorruptRecord; without that column they stop the flow.",
  });
}

function readSchema(schema: FileOption | undefined, at: Position): readonly Field[] {
  if (schema === undefined)
    throw new IngotError("NOT_SUPPORTED", "Inferring the schema of files is not supported yet", {
      at,
      hint: "Add schema => 'id BIGINT, name STRING'.",
    });
  const { file, line, column } = schema.valueAt;
  // The place is exact while the text has no escapes: one column for the quote, then the text as written.
  const ddl = sqlText(schema.value, file);
  const fields = parseSchema({ ...ddl, segments: [{ start: 0, file, line, column: column + 1 }] });
  for (const field of fields)
    if (!CSV_TYPES.has(field.type.kind))
      throw new IngotError("BAD_SCHEMA", `CSV cannot hold ${field.name}, a column of type ${field.type.kind}`, {
        at: schema.valueAt,
        hint: "Read it as STRING.",
      });
  return fields;
}

const CSV_TYPES = new Set(
  "boolean tinyint smallint int bigint float double decimal string date timestamp timestamp_ntz".split(" "),
);

/** Spark's default of `spark.sql.columnNameOfCorruptRecord`. */
const CORRUPT_RECORD = "_corrupt_record";

/** The column that takes corrupt records: the one that the option names, else one of Spark's default name. */
function corruptRecordColumn(
  option: FileOption | undefined,
  schemaOption: FileOption | undefined,
  schema: readonly Field[],
): string | undefined {
  if (option === undefined) {
    const field = schema.find((f) => f.name === CORRUPT_RECORD);
    if (field === undefined || (field.type.kind === "string" && field.nullable)) return field?.name;
    throw new IngotError("BAD_SCHEMA", `${CORRUPT_RECORD} takes corrupt records and must be a nullable STRING`, {
      ...(schemaOption === undefined ? {} : { at: schemaOption.valueAt }),
      hint: `Write '${CORRUPT_RECORD} STRING', or give the column another name.`,
    });
  }
  const field = schema.find((f) => f.name.toLowerCase() === option.value.toLowerCase());
  if (field?.type.kind === "string" && field.nullable) return field.name;
  throw new IngotError("BAD_OPTION", `The schema has no nullable STRING column ${option.value} for corrupt records`, {
    at: option.valueAt,
    hint: `Add '${option.value} STRING' to the schema.`,
  });
}

function flag(option: FileOption | undefined, otherwise: boolean): boolean {
  if (option === undefined) return otherwise;
  const value = option.value.toLowerCase();
  if (value === "true" || value === "false") return value === "true";
  throw new IngotError("BAD_OPTION", `${option.name} is true or false, not '${option.value}'`, {
    at: option.valueAt,
    hint: "Write true or false.",
  });
}

function separator(options: ReadonlyMap<string, FileOption>): string {
  const sep = options.get("sep");
  const delimiter = options.get("delimiter");
  if (sep !== undefined && delimiter !== undefined)
    throw new IngotError("BAD_OPTION", "sep and delimiter mean the same", { at: delimiter.at, hint: "Keep sep." });
  return character(sep ?? delimiter, ",");
}

/** One character; Spark also takes `\t` as two. */
function character(option: FileOption | undefined, otherwise: string): string {
  if (option === undefined) return otherwise;
  const value = option.value === "\\t" ? "\t" : option.value === "\\\\" ? "\\" : option.value;
  if ([...value].length === 1) return value;
  throw new IngotError("BAD_OPTION", `${option.name} is one character, not '${value}'`, {
    at: option.valueAt,
    hint: "Write one character, or leave the option out.",
  });
}

/** An empty quote or escape turns it off. */
function characterOrNone(option: FileOption | undefined, otherwise: string): string {
  return option?.value === "" ? "" : character(option, otherwise);
}
