import { IngotError } from "../../model/error.js";
import type { CsvRead } from "../../model/file-read.js";
import { nearest } from "../../model/nearest.js";

/**
 * Spark's check with `enforceSchema => false`: the header names the schema's columns, without the corrupt-record
 * column, in their order, compared without case.
 *
 * @param found the names of the header; `line` its number.
 * @throws FILE_HEADER_MISMATCH at the first difference.
 */
export function checkHeader(found: readonly string[], path: string, line: number, read: CsvRead): void {
  const expected = (read.schema ?? []).map((field) => field.name).filter((name) => name !== read.corruptRecordColumn);
  const length = Math.max(found.length, expected.length);
  for (let i = 0; i < length; i++) {
    const want = expected[i];
    const have = found[i];
    if (want !== undefined && want.toLowerCase() === have?.toLowerCase()) continue;
    throw new IngotError(
      "FILE_HEADER_MISMATCH",
      `The header of ${path} does not name the columns of the schema: ${describe(i, want, have)}\n` +
        `  schema: ${expected.join(", ")}\n  header: ${found.join(", ")}`,
      { hint: suggest(have, expected, found), object: path, at: { file: path, line, column: 1 } },
    );
  }
}

function describe(index: number, want: string | undefined, have: string | undefined): string {
  if (want === undefined) return `column ${index + 1}, "${have}", is one too many.`;
  if (have === undefined) return `column ${index + 1}, "${want}", is missing.`;
  return `column ${index + 1} is "${have}" where the schema has "${want}".`;
}

function suggest(have: string | undefined, expected: readonly string[], found: readonly string[]): string {
  const headers = new Set(found.map((name) => name.toLowerCase()));
  const near =
    have === undefined
      ? undefined
      : nearest(
          have,
          expected.filter((name) => !headers.has(name.toLowerCase())),
        );
  const question = near === undefined ? "" : `Did you mean "${near}"? `;
  return `${question}Correct the schema of read_files or the file; enforceSchema => true takes the columns by position.`;
}
