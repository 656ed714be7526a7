import type { PlannedDefinition } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import type { PartResult, WritePart } from "../engine.js";
import type { WrittenFile } from "./delta/write-files.js";

/** What a part of a step wrote. @param dropped records that its reads left out, as they were told to */
export function resultOf(
  { corruptRecordColumn: column }: WritePart,
  { layout }: PlannedDefinition,
  files: readonly WrittenFile[],
  dropped: number,
): PartResult {
  const rows = rowsOf(files);
  const corrupt = column === undefined ? {} : { corruptRecords: rows - nullsOf(files, inFiles(layout, column)) };
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return { rows, bytes, ...corrupt, ...(dropped === 0 ? {} : { droppedRecords: dropped }) };
}

/**
 * Law: records in = rows out + dropped, counted by two hands.
 *
 * @throws IngotError BALANCE
 */
export function checkBalance(name: string, part: WritePart, files: readonly WrittenFile[], dropped: number): void {
  const rows = rowsOf(files);
  if (part.expectedRows === undefined || part.expectedRows === rows + dropped) return;
  const and = dropped === 0 ? "" : ` and ${dropped} were dropped`;
  throw new IngotError(
    "BALANCE",
    `${name}: the files hold ${part.expectedRows} records, and ${rows} rows came out of them${and}`,
    {
      object: name,
      hint: "Nothing was committed. This is a fault of Ingot: please report it with the file.",
    },
  );
}

function rowsOf(files: readonly WrittenFile[]): number {
  return files.reduce((sum, { stats }) => sum + stats.numRecords, 0);
}

/** A column's name in the files. */
function inFiles({ schema, physical }: PlannedDefinition["layout"], column: string): string {
  return physical.fields[schema.fields.findIndex(({ name }) => name === column)]?.name ?? column;
}

function nullsOf(files: readonly WrittenFile[], column: string): number {
  return files.reduce((sum, { stats }) => sum + (stats.columns.get(statsKey(column))?.nullCount ?? 0), 0);
}

function statsKey(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}
