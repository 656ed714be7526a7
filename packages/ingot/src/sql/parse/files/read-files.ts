import { ENCODINGS, findEncoding } from "../../../model/encodings.js";
import { IngotError } from "../../../model/error.js";
import type { AnyFileRead, CsvRead, FileFormat, FileRead } from "../../../model/file-read.js";
import { nearest } from "../../../model/nearest.js";
import type { Position } from "../../../model/position.js";
import { type ColumnOptions, readColumns } from "./file-columns.js";
import {
  checkFormatHas,
  collectOptions,
  type FileOption,
  type FileOptions,
  FORMATS,
  OTHER_FORMATS,
} from "./file-options.js";
import { bytes, character, characterOrNone, count, flag, moment, refuse, word } from "./option-values.js";

/**
 * Checks the arguments of `read_files` and gives them types.
 *
 * @param use `stream`: read with STREAM, each row once.
 * @throws IngotError UNKNOWN_OPTION, BAD_OPTION, BAD_SCHEMA, NOT_SUPPORTED, each with the place of the argument
 */
export function readFileRead(args: readonly FileOption[], at: Position, use: { readonly stream: boolean }): FileRead {
  const path = readPath(args, at);
  const options = collectOptions(args);
  const format = readFormat(options.get("format"), at);
  checkFormatHas(options, format);
  // A read without STREAM takes all files anew each time: it has no batches, and no columns of before.
  if (!use.stream) refuse(options, STREAM_ONLY, "without STREAM", "Leave it out, or write STREAM before read_files.");
  const any = { path, ...readSelection(options), ...readColumns(options, format) };
  switch (format) {
    case "csv":
      return readCsv(any, options);
    case "json":
      return { ...any, format, ...readText(options), multiLine: flag(options, "multiLine", false) };
    case "text":
      return { ...any, format, ...readText(options), wholeText: flag(options, "wholeText", false) };
    default:
      return { ...any, format };
  }
}

function readPath(args: readonly FileOption[], at: Position): string {
  const [path, second] = args.filter((arg) => arg.name === undefined);
  if (second !== undefined) {
    throw new IngotError("BAD_OPTION", "read_files takes one path", {
      at: second.at,
      hint: "Write the others as option => value.",
    });
  }
  if (path !== undefined && path.value !== "") return path.value;
  throw new IngotError("BAD_OPTION", "read_files has no path", {
    at,
    hint: "Write read_files('folder', format => 'csv', …).",
  });
}

function readFormat(option: FileOption | undefined, at: Position): FileFormat {
  const all = FORMATS.join(", ");
  if (option === undefined) {
    throw new IngotError("NOT_SUPPORTED", "Detecting the format of files is not supported yet", {
      at,
      hint: `Add format => 'csv', or another of ${all}.`,
    });
  }
  const found = FORMATS.find((format) => format.toLowerCase() === option.value.toLowerCase());
  if (found !== undefined) return found;
  if (OTHER_FORMATS.includes(option.value.toLowerCase())) {
    throw new IngotError("NOT_SUPPORTED", `The format ${option.value} is not supported yet`, {
      at: option.valueAt,
      hint: `Ingot reads ${all}.`,
    });
  }
  const near = nearest(option.value, [...FORMATS, ...OTHER_FORMATS]);
  throw new IngotError("BAD_OPTION", `There is no format '${option.value}'`, {
    at: option.valueAt,
    hint: near === undefined ? `Use one of ${all}.` : `Did you mean ${near}?`,
  });
}

const STREAM_ONLY = [
  "includeExistingFiles",
  "allowOverwrites",
  "maxFilesPerTrigger",
  "maxBytesPerTrigger",
  "schemaEvolutionMode",
];

/** Which files, and when. */
function readSelection(options: FileOptions): Omit<AnyFileRead, "path" | keyof ColumnOptions> {
  const glob = options.get("pathGlobFilter")?.value;
  const after = moment(options, "modifiedAfter");
  const before = moment(options, "modifiedBefore");
  const maxFiles = count(options, "maxFilesPerTrigger");
  const maxBytes = bytes(options, "maxBytesPerTrigger");
  return {
    ...(glob === undefined ? {} : { pathGlobFilter: glob }),
    ...(after === undefined ? {} : { modifiedAfter: after }),
    ...(before === undefined ? {} : { modifiedBefore: before }),
    ...(maxFiles === undefined ? {} : { maxFilesPerTrigger: maxFiles }),
    ...(maxBytes === undefined ? {} : { maxBytesPerTrigger: maxBytes }),
    recursiveFileLookup: flag(options, "recursiveFileLookup", false),
    includeExistingFiles: flag(options, "includeExistingFiles", true),
    allowOverwrites: flag(options, "allowOverwrites", false),
    ignoreMissingFiles: flag(options, "ignoreMissingFiles", false),
    ignoreCorruptFiles: flag(options, "ignoreCorruptFiles", false),
    onMissing: word(options, "onMissing", ["fail", "skip"]) ?? "fail",
    onEmpty: word(options, "onEmpty", ["warn", "fail"]) ?? "warn",
  };
}

function readText(options: FileOptions): Pick<CsvRead, "encoding" | "compression"> {
  const compression = word(options, "compression", ["none", "gzip", "zstd"]);
  return {
    encoding: readEncoding(options.get("encoding")),
    ...(compression === undefined ? {} : { compression }),
  };
}

function readCsv(any: AnyFileRead, options: FileOptions): CsvRead {
  const comment = options.has("comment") ? character(options, "comment", "") : undefined;
  return {
    ...any,
    format: "csv",
    ...readText(options),
    multiLine: flag(options, "multiLine", false),
    header: flag(options, "header", false),
    enforceSchema: flag(options, "enforceSchema", true),
    sep: character(options, "sep", ","),
    quote: characterOrNone(options, "quote", '"'),
    // With a schema as Spark; text that is to stay as it stands needs the doubled quotes of RFC 4180.
    escape: characterOrNone(options, "escape", any.schema === undefined ? '"' : "\\"),
    ...(comment === undefined ? {} : { comment }),
    nullValue: options.get("nullValue")?.value ?? "",
    ignoreLeadingWhiteSpace: flag(options, "ignoreLeadingWhiteSpace", false),
    ignoreTrailingWhiteSpace: flag(options, "ignoreTrailingWhiteSpace", false),
  };
}

function readEncoding(option: FileOption | undefined): string {
  const name = findEncoding(option?.value ?? "UTF-8");
  if (name !== undefined) return name;
  const near = nearest(option?.value ?? "", ENCODINGS);
  throw new IngotError("BAD_OPTION", `There is no encoding '${option?.value}'`, {
    ...(option === undefined ? {} : { at: option.valueAt }),
    hint: near === undefined ? `Ingot reads ${ENCODINGS.join(", ")}.` : `Did you mean ${near}?`,
  });
}
