import type { DataType, Field, StructType } from "./schema.js";

/**
 * The first column of an older schema that cannot be read as a column of a newer one, with the reason. Columns may be
 * added and types widened; none may be gone, renamed, or of another type.
 */
export function findIncompatibleField(older: StructType, newer: StructType): string | undefined {
  for (const field of older.fields) {
    const now = newer.fields.find(({ name }) => name.toLowerCase() === field.name.toLowerCase());
    if (now === undefined) return `${field.name} is gone`;
    if (physicalName(field) !== physicalName(now)) return `${field.name} is another column of this name`;
    // Only widening leaves this mark.
    const isWidened = now.metadata["delta.typeChanges"] !== undefined;
    const reason = isWidened ? undefined : incompatibleType(field.type, now.type);
    if (reason !== undefined) return `${field.name} ${reason}`;
  }
  return undefined;
}

function physicalName({ metadata }: Field): unknown {
  return metadata["delta.columnMapping.physicalName"];
}

function incompatibleType(older: DataType, newer: DataType): string | undefined {
  if (older.kind === "struct" && newer.kind === "struct") {
    const field = findIncompatibleField(older, newer);
    return field === undefined ? undefined : `: ${field}`;
  }
  if (older.kind === "array" && newer.kind === "array") return incompatibleType(older.element, newer.element);
  if (older.kind === "map" && newer.kind === "map")
    return incompatibleType(older.key, newer.key) ?? incompatibleType(older.value, newer.value);
  const isSame =
    older.kind === newer.kind &&
    (older.kind !== "decimal" ||
      newer.kind !== "decimal" ||
      (older.precision === newer.precision && older.scale === newer.scale));
  return isSame ? undefined : `was ${older.kind} and is ${newer.kind}`;
}
