import type { BatchFile } from "../../model/batch.js";
import type { Field } from "../../model/data-type.js";
import type { CsvRead } from "../../model/file-read.js";
import { checkHeader } from "./check-header.js";
import { type CountedLines, countLines } from "./count-lines.js";
import { CsvRecordSplitter, DETECTION_LENGTH } from "./csv-records.js";
import { splitRecord } from "./split-record.js";

/** What a look through a file tells of it. */
export type Contents = Omit<BatchFile, "path" | "size" | "mtimeMs" | "sha256" | "partition">;

/**
 * @param again the text once more
 * @throws FILE_HEADER_MISMATCH
 */
export async function inspectCsv(
  path: string,
  read: CsvRead,
  text: AsyncIterable<Buffer>,
  again: () => AsyncIterable<Buffer>,
): Promise<Contents> {
  const { comment, quote } = read;
  const counted = await countLines(text, { ...(comment === undefined ? {} : { comment }), quote: quote || "\0" });
  if (read.multiLine && !isRecordPerLine(read, counted)) return inspectRecords(path, read, again());
  return inspectLines(path, read, counted);
}

/** Whether the records of a file are its lines, though a record may have several. */
function isRecordPerLine(read: CsvRead, { lines, lineEnd, hasQuote }: CountedLines): boolean {
  if (hasQuote || lineEnd === "mixed" || lines.longest >= DETECTION_LENGTH) return false;
  // What is blank or a comment is told otherwise there.
  if (read.comment !== undefined || lines.filled < lines.lines) return false;
  return read.ignoreLeadingWhiteSpace !== true && read.ignoreTrailingWhiteSpace !== true;
}

function inspectLines(path: string, read: CsvRead, { lines, lineEnd }: CountedLines): Contents {
  const first = lines.first?.text ?? "";
  // A second mark, at the start of the first record: Spark drops it too.
  const isMarked = first.startsWith("\ufeff");
  const names = lines.first === undefined ? [] : splitRecord(isMarked ? first.slice(1) : first, read);
  const header = read.header ? lines.first : undefined;
  if (header !== undefined) check(names, path, header.number, read);
  return {
    records: lines.filled - (header === undefined ? 0 : 1),
    skipLines: header?.number ?? 0,
    lineEnd: isMarked ? "mixed" : lineEnd,
    longestLine: lines.longest,
    ...ownFields(names, read),
  };
}

async function inspectRecords(path: string, read: CsvRead, text: AsyncIterable<Buffer>): Promise<Contents> {
  const splitter = new CsvRecordSplitter(read);
  let count = 0;
  let first: readonly string[] | undefined;
  const take = (records: ReturnType<CsvRecordSplitter["add"]>) => {
    count += records.length;
    const [record] = records;
    if (first !== undefined || record === undefined) return;
    first = record.fields;
    if (read.header) check(first, path, record.line, read);
  };
  for await (const chunk of text) take(splitter.add(chunk.toString()));
  take(splitter.finish());
  const hasHeader = read.header && first !== undefined;
  return { records: count - (hasHeader ? 1 : 0), skipLines: hasHeader ? 1 : 0, ...ownFields(first ?? [], read) };
}

function check(names: readonly string[], path: string, line: number, read: CsvRead): void {
  if (read.schema !== undefined && !read.enforceSchema) checkHeader(names, path, line, read);
}

/** Of a file that names its columns, or has as many as its first record has fields. */
function ownFields(names: readonly string[], read: CsvRead): { fields?: readonly Field[] } {
  if (read.schema !== undefined) return {};
  const named = read.header ? names : names.map((_, i) => `_c${i}`);
  return { fields: named.map((name) => ({ name, type: { kind: "string" }, nullable: true })) };
}
