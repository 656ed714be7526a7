import type { BatchFile } from "../../model/batch.js";
import type { Field } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import type { FileRead } from "../../model/file-read.js";

/**
 * The columns of a read whose schema is declared: the schema's, then the partition columns that the options name and
 * the schema does not, as text, then the rescued data.
 */
export function declaredColumns(read: FileRead, schema: readonly Field[]): readonly Field[] {
  const known = new Set(schema.map(({ name }) => name.toLowerCase()));
  const added = [
    ...(read.partitionColumns ?? []),
    ...(read.rescuedDataColumn === undefined ? [] : [read.rescuedDataColumn]),
  ]
    .filter((name) => !known.has(name.toLowerCase()))
    .map((name): Field => ({ name, type: { kind: "string" }, nullable: true }));
  return [...schema, ...added];
}

/**
 * Folders give columns, so each `key=value` folder must have one.
 *
 * @throws IngotError BAD_SCHEMA
 */
export function checkPartition(
  columns: readonly Field[],
  { path, partition }: Pick<BatchFile, "path" | "partition">,
): void {
  for (const key of Object.keys(partition ?? {})) {
    if (columns.some(({ name }) => name.toLowerCase() === key.toLowerCase())) continue;
    throw new IngotError(
      "BAD_SCHEMA",
      `${path} is below a partition folder ${key}=…, and the schema has no column ${key}.`,
      {
        object: path,
        hint: `Add '${key} STRING' to the schema, or partitionColumns => '${key}'; recursiveFileLookup => true reads no columns from folders.`,
      },
    );
  }
}
