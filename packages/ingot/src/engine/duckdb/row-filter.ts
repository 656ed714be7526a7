import type { RowSelection, Rows } from "@ingot/delta";
import { ROW_GROUP } from "./row-group.js";

/** So few rows are a list, by which DuckDB finds their row groups; bits are asked for each row between the first and last. */
const LIST = 256;

/**
 * A condition over DuckDB's virtual column `file_row_number` alone, which counts a file's rows from 0: DuckDB then reads
 * of the other columns only the values of rows for which it holds, and no page without one. A join would read them all.
 */
export function rowCondition(selection: RowSelection): string {
  const { rows, isOnly } = partsOf(selection);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return isOnly ? "false" : "true";
  if (isOnly && rows.length <= LIST) return `file_row_number IN (${rows.join(", ")})`;
  const cases = rangesOf(rows).map((range) => {
    const [low = 0, high = 0] = [range[0], range.at(-1)];
    return `WHEN file_row_number BETWEEN ${low} AND ${high} THEN get_bit(${bitsText(range, low, high)}, (file_row_number - ${low})::INTEGER) = ${isOnly ? 1 : 0}`;
  });
  const condition = `CASE ${cases.join(" ")} ELSE ${!isOnly} END`;
  // Whole row groups are passed over by these bounds.
  return isOnly ? `file_row_number >= ${first} AND file_row_number <= ${last} AND ${condition}` : condition;
}

/**
 * The same for several files that are read together: a relation to be joined to them by `file_index`, which counts
 * the files from 0, and the condition. It costs more for each row than `rowCondition`, and far less for each file.
 */
export function joinedRowCondition(selections: readonly RowSelection[]): { join: string; condition: string } {
  const values = selections.map((selection, i) => {
    const { rows, isOnly } = partsOf(selection);
    const last = rows.at(-1) ?? -1;
    return `(${i}::UBIGINT, ${last}, ${isOnly ? 1 : 0}, '${toBase64(rows, 0, Math.max(last, 0))}')`;
  });
  const bits = `SELECT file, last_row, kept, from_base64(base64)::BIT AS bits FROM (VALUES ${values.join(", ")}) v(file, last_row, kept, base64)`;
  // Behind the last bit all bits are 0.
  const condition =
    "CASE WHEN file_row_number <= last_row THEN get_bit(bits, file_row_number::INTEGER) = kept ELSE kept = 0 END";
  return { join: ` JOIN (${bits}) s ON file_index = s.file`, condition };
}

/** SQL of a BIT with a bit for each row from `low` to `high`. */
export function bitsText(rows: Rows, low: number, high: number): string {
  return `from_base64('${toBase64(rows, low, high)}')::BIT`;
}

function partsOf(selection: RowSelection): { rows: Rows; isOnly: boolean } {
  const isOnly = "only" in selection;
  return { rows: isOnly ? selection.only : selection.except, isOnly };
}

/** Rows further apart than a row group are told in ranges of their own. */
function rangesOf(rows: Rows): Rows[] {
  const ranges: Rows[] = [];
  let start = 0;
  for (let i = 1; i <= rows.length; i += 1) {
    if (i < rows.length && (rows[i] ?? 0) - (rows[i - 1] ?? 0) <= ROW_GROUP) continue;
    ranges.push(rows.subarray(start, i));
    start = i;
  }
  return ranges;
}

/** DuckDB's BIT begins with the highest bit of the first byte, and is never empty. */
function toBase64(rows: Rows, low: number, high: number): string {
  const bytes = Buffer.alloc(Math.floor((high - low) / 8) + 1);
  for (const row of rows) {
    const bit = row - low;
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return bytes.toString("base64");
}
