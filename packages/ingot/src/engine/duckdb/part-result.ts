import type { NewFile, PlannedDefinition } from "@ingot/delta";
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

/** The files as a commit takes them. */
export function newFiles(files: readonly WrittenFile[]): NewFile[] {
  return files.map(({ file }) => file);
}

export function rowsOf(files: readonly WrittenFile[]): number {
  return files.reduce((sum, { stats }) => sum + stats.numRecords, 0);
}

/** The greatest value of a column in each file that tells one, as text. */
export function greatestValues({ layout }: PlannedDefinition, files: readonly WrittenFile[], column: string): string[] {
  const name = inFiles(layout, column);
  return files.flatMap(({ file, stats }) => {
    const value = file.partitionValues?.[name] ?? stats.columns.get(statsKey(name))?.max;
    return value === undefined || value === null ? [] : [value];
  });
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
