import type { RowSelection, Rows } from "@ingot/delta";

/** More rows than this are told as bits, which cost the same however many they are. */
const LIST_ROWS = 1000;
/** One bit a row of the file: beyond this a list is the lesser evil. */
const MAX_BITS = 2 ** 27;

/** A condition over DuckDB's virtual column `file_row_number`, which counts a file's rows from 0. */
export function rowCondition(selection: RowSelection): string {
  const { rows, last, isOnly } = partsOf(selection);
  if (rows.length === 0) return isOnly ? "false" : "true";
  // As a subquery the list is hashed; DuckDB compares a plain IN list one by one.
  if (rows.length <= LIST_ROWS || last >= MAX_BITS)
    return `file_row_number ${isOnly ? "" : "NOT "}IN (SELECT unnest([${rows.join(",")}]))`;
  return bitCondition(String(last), `from_base64('${toBits(rows, last)}')::BIT`, isOnly ? "1" : "0");
}

/**
 * The same for several files that are read together: a relation to be joined to them by `file_index`, which counts
 * the files from 0, and the condition. It costs more for each row than `rowCondition`, and far less for each file.
 */
export function joinedRowCondition(selections: readonly RowSelection[]): { join: string; condition: string } {
  const values = selections.map((selection, i) => {
    const { rows, last, isOnly } = partsOf(selection);
    return `(${i}::UBIGINT, ${last}, ${isOnly ? 1 : 0}, '${toBits(rows, last)}')`;
  });
  const bits = `SELECT file, last_row, kept, from_base64(base64)::BIT AS bits FROM (VALUES ${values.join(", ")}) v(file, last_row, kept, base64)`;
  return { join: ` JOIN (${bits}) s ON file_index = s.file`, condition: bitCondition("last_row", "bits", "kept") };
}

function partsOf(selection: RowSelection): { rows: Rows; last: number; isOnly: boolean } {
  const isOnly = "only" in selection;
  const rows = isOnly ? selection.only : selection.except;
  return { rows, last: rows.at(-1) ?? -1, isOnly };
}

/** Rows whose bit is `kept`; behind the last bit all bits are 0. */
function bitCondition(last: string, bits: string, kept: string): string {
  return `CASE WHEN file_row_number <= ${last} THEN get_bit(${bits}, file_row_number::INTEGER) = ${kept} ELSE ${kept} = 0 END`;
}

/** In base 64. DuckDB's BIT begins with the highest bit of the first byte, and is never empty. */
function toBits(rows: Rows, last: number): string {
  const bytes = Buffer.alloc(Math.floor(Math.max(last, 0) / 8) + 1);
  for (const row of rows) bytes[row >> 3] = (bytes[row >> 3] ?? 0) | (0x80 >> (row & 7));
  return bytes.toString("base64");
}
