import type { BatchFile } from "../../../model/batch.js";
import type { CsvRead, FileRead } from "../../../model/file-read.js";

/** Stands for null in CSV whose columns are texts as they stand: no file holds it, so that a quoted empty field is a text. */
const NO_TEXT = "\u0001ingot null\u0001";

/**
 * Options of Spark's reader for files of one layout.
 *
 * @param unfit column for the text of records that do not fit
 */
export function readOptions(
  read: FileRead,
  file: BatchFile | undefined,
  unfit: string | undefined,
): Readonly<Record<string, string>> {
  // Folders make no columns by themselves: the batch says their values.
  const common = { recursiveFileLookup: "true" };
  const encoding = file?.encoding === undefined ? {} : { encoding: file.encoding };
  const records = unfit === undefined ? {} : { mode: "PERMISSIVE", columnNameOfCorruptRecord: unfit };
  switch (read.format) {
    case "csv":
      return { ...common, ...encoding, ...records, ...csvOptions(read) };
    case "json":
      return { ...common, ...encoding, ...records, multiLine: String(read.multiLine) };
    case "text":
      return { ...common, wholetext: String(read.wholeText) };
    default:
      return common;
  }
}

/** Whether line ends within fields stay as they are: Spark makes them all `\n`, unless it is told how records end. */
export function keepsLineEnds(read: FileRead): boolean {
  return read.format === "csv" && read.multiLine && read.schema === undefined;
}

function csvOptions(read: CsvRead): Record<string, string> {
  return {
    header: String(read.header),
    // The planner has held headers against the schema.
    enforceSchema: "true",
    sep: read.sep,
    quote: read.quote,
    escape: read.escape,
    ...(read.comment === undefined ? {} : { comment: read.comment }),
    nullValue: read.nullValue === "" && read.schema === undefined ? NO_TEXT : read.nullValue,
    multiLine: String(read.multiLine),
    ...(keepsLineEnds(read) ? { lineSep: "\n" } : {}),
    ignoreLeadingWhiteSpace: String(read.ignoreLeadingWhiteSpace),
    ignoreTrailingWhiteSpace: String(read.ignoreTrailingWhiteSpace),
  };
}
