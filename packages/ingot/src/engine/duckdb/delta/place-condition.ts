import type { RowSelection, Rows } from "@ingot/delta";

/** Places further apart than a row group are told in ranges of their own. */
const GAP = 122_880;

/**
 * A condition over DuckDB's virtual column `file_row_number` alone: DuckDB then reads of the other columns only the
 * values of rows for which it holds, and no page without one. A list or a join would read them all.
 */
export function placeCondition(selection: RowSelection): string {
  const isOnly = "only" in selection;
  const rows = isOnly ? selection.only : selection.except;
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return isOnly ? "false" : "true";
  const cases = rangesOf(rows).map((range) => {
    const [low = 0, high = 0] = [range[0], range.at(-1)];
    return `WHEN file_row_number BETWEEN ${low} AND ${high} THEN get_bit(${toBits(range, low, high)}, (file_row_number - ${low})::INTEGER) = ${isOnly ? 1 : 0}`;
  });
  const condition = `CASE ${cases.join(" ")} ELSE ${!isOnly} END`;
  // Whole row groups are passed over by these bounds.
  return isOnly ? `file_row_number >= ${first} AND file_row_number <= ${last} AND ${condition}` : condition;
}

function rangesOf(rows: Rows): Rows[] {
  const ranges: Rows[] = [];
  let start = 0;
  for (let i = 1; i <= rows.length; i += 1) {
    if (i < rows.length && (rows[i] ?? 0) - (rows[i - 1] ?? 0) <= GAP) continue;
    ranges.push(rows.subarray(start, i));
    start = i;
  }
  return ranges;
}

/** SQL of a BIT with a bit for each row from `low` to `high`. DuckDB's begins with the highest bit of the first byte. */
export function toBits(rows: Rows, low: number, high: number): string {
  const bytes = Buffer.alloc(Math.floor((high - low) / 8) + 1);
  for (const row of rows) {
    const bit = row - low;
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return `from_base64('${bytes.toString("base64")}')::BIT`;
}
