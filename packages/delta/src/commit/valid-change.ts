import { DeltaError } from "../error.js";
import { type AddFile, fileKey } from "../log/actions.js";
import { isOn } from "../protocol/features.js";
import { typesWithin } from "../schema/schema.js";
import type { Base, Change, NewFile } from "./change.js";

/**
 * Passes when the commit leaves a table that every reader understands and that keeps its properties.
 *
 * @throws DeltaError DELTA_CANNOT_MODIFY_APPEND_ONLY, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_INVALID_COMMIT
 */
export function assertValid(base: Base, change: Change, remove: readonly AddFile[]): void {
  const { metadata, table } = base;
  const { add = [] } = change;
  if (remove.length > 0 && isOn(metadata.configuration, "delta.appendOnly"))
    throw new DeltaError("DELTA_CANNOT_MODIFY_APPEND_ONLY", `${table} takes appends only: delta.appendOnly is true.`, {
      ...at(base),
      hint: "Append, or set the table property delta.appendOnly to false first.",
    });
  // Rows that move from a removed file into a new one would show in the change feed as deleted and inserted.
  if (
    remove.length > 0 &&
    add.length > 0 &&
    change.remove !== "all" &&
    isOn(metadata.configuration, "delta.enableChangeDataFeed")
  )
    throw new DeltaError(
      "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      `Files of ${table} cannot be rewritten: its change data feed (changeDataFeed) would need change files.`,
      { ...at(base), hint: "Append or overwrite the table, or set delta.enableChangeDataFeed to false first." },
    );

  const fault = faultyRemoval(base, remove) ?? faultyAddition(base, add) ?? faultyDefinition(base);
  if (change.isBlindAppend === true && remove.length > 0) throw invalid(base, "a blind append removes nothing");
  if (fault !== undefined) throw invalid(base, fault);
}

function faultyRemoval(base: Base, remove: readonly AddFile[]): string | undefined {
  const present = new Set(base.files.map(fileKey));
  for (const file of remove)
    if (!present.delete(fileKey(file))) return `it removes ${file.path}, which is not in the table`;
  return undefined;
}

function faultyAddition(base: Base, add: readonly NewFile[]): string | undefined {
  const paths = new Set<string>(base.files.map((file) => file.path));
  const partitioning = [...base.metadata.partitionColumns].sort().join("\0");
  for (const { path, partitionValues = {} } of add) {
    if (path === "" || /^\/|^[a-z][a-z0-9+.-]*:\/|^_delta_log(\/|$)|(^|\/)\.\.?(\/|$)/i.test(path))
      return `${path} is no path of a data file below the table`;
    if (paths.has(path)) return `it adds ${path}, which is in the table`;
    if (Object.keys(partitionValues).sort().join("\0") !== partitioning)
      return `${path} must state exactly the partition columns [${base.metadata.partitionColumns.join(", ")}]`;
    paths.add(path);
  }
  return undefined;
}

function faultyDefinition({ schema, metadata }: Base): string | undefined {
  for (const type of typesWithin(schema)) {
    if (type.kind !== "struct") continue;
    const seen = new Set<string>();
    const twice = type.fields.find(({ name }) => seen.size === seen.add(name.toLowerCase()).size);
    if (twice !== undefined) return `the column ${twice.name} is there twice (case does not count)`;
  }
  const unknown = metadata.partitionColumns.find((column) => !schema.fields.some(({ name }) => name === column));
  if (unknown !== undefined) return `the partition column ${unknown} is not in the schema`;
  return undefined;
}

function invalid(base: Base, fault: string): DeltaError {
  return new DeltaError("DELTA_INVALID_COMMIT", `The commit to ${base.table} breaks the Delta protocol: ${fault}.`, {
    ...at(base),
    hint: "This is a fault of the program that stages the commit; nothing was written.",
  });
}

function at({ table, version }: Base): { table: string; version?: bigint } {
  return version === undefined ? { table } : { table, version };
}
