import type { PlannedDefinition } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import type { PartResult, RuleCounts, WritePart } from "../engine.js";
import type { WrittenFile } from "./delta/write-files.js";

/** What a part of a step wrote. @param dropped records that its reads left out, as they were told to */
export function resultOf(
  { corruptRecordColumn: column }: WritePart,
  { layout }: PlannedDefinition,
  files: readonly WrittenFile[],
  dropped: number,
  checks: readonly RuleCounts[],
): PartResult {
  const rows = rowsOf(files);
  const corrupt = column === undefined ? {} : { corruptRecords: rows - nullsOf(files, inFiles(layout, column)) };
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return {
    rows,
    bytes,
    ...corrupt,
    ...(dropped === 0 ? {} : { droppedRecords: dropped }),
    ...(checks.length === 0 ? {} : { checks }),
  };
}

/**
 * Law: records in = rows out + dropped + set aside by rules, counted by two hands.
 *
 * @param rows that came out of the query
 * @param dropped records that the reads left out
 * @throws IngotError BALANCE
 */
export function checkBalance(
  name: string,
  part: WritePart,
  rows: number,
  dropped: number,
  checks: readonly RuleCounts[],
): void {
  const away = dropped + checks.reduce((sum, check) => sum + check.dropped + check.quarantined, 0);
  if (part.expectedRows === undefined || part.expectedRows === rows + away) return;
  const and = away === 0 ? "" : ` and ${away} were dropped or quarantined`;
  throw new IngotError(
    "BALANCE",
    `${name}: the files hold ${part.expectedRows} records, and ${rows} rows came out of them${and}`,
    {
      object: name,
      hint: "Nothing was committed. This is a fault of Ingot: please report it with the file.",
    },
  );
}

export function rowsOf(files: readonly WrittenFile[]): number {
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
