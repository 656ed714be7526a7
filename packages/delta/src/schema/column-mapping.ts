import type { TextMap } from "../log/actions.js";
import type { DataType, Field, StructType } from "./schema.js";

/** How columns are found in data files: by their name, by a physical name that never changes, or by a field id. */
export type ColumnMappingMode = "none" | "name" | "id";

/** Throws TypeError for a mode that is unknown. */
export function columnMappingMode(configuration: TextMap): ColumnMappingMode {
  const mode = configuration["delta.columnMapping.mode"] ?? "none";
  if (mode === "none" || mode === "name" || mode === "id") return mode;
  throw new TypeError(`columnMapping in the mode ${mode}`);
}

/**
 * The schema with the names that stand in data files, partition values and statistics; fields keep their places.
 * Source: the Delta protocol, "Column Mapping".
 *
 * Throws SyntaxError when a column lacks its physical name or, in the mode `id`, its field id.
 */
export function physicalSchema(schema: StructType, mode: ColumnMappingMode): StructType {
  if (mode === "id") schema.fields.forEach(fieldId);
  return mode === "none" ? schema : { kind: "struct", fields: schema.fields.map(toPhysical) };
}

function toPhysical(field: Field): Field {
  return { ...field, name: physicalName(field), type: physicalType(field.type) };
}

function physicalType(type: DataType): DataType {
  switch (type.kind) {
    case "struct":
      return { kind: "struct", fields: type.fields.map(toPhysical) };
    case "array":
      return { ...type, element: physicalType(type.element) };
    case "map":
      return { ...type, key: physicalType(type.key), value: physicalType(type.value) };
    default:
      return type;
  }
}

function physicalName({ name, metadata }: Field): string {
  const physical = metadata["delta.columnMapping.physicalName"];
  if (typeof physical === "string") return physical;
  throw new SyntaxError(`the column ${name} has no physical name`);
}

/** The Parquet field id of a column of a table in the mode `id`, which has one. */
export function fieldId({ name, metadata }: Field): number {
  const id = metadata["delta.columnMapping.id"];
  if (typeof id === "number") return id;
  throw new SyntaxError(`the column ${name} has no field id`);
}

/**
 * A column's path in a schema that has the same columns, place by place: from users' names to physical ones, and back.
 * It leads through structs only. Undefined when there is no such column.
 */
export function translatePath(path: readonly unknown[], from: StructType, to: StructType): string[] | undefined {
  const [name, ...rest] = path;
  const place = from.fields.findIndex((field) => field.name === name);
  const [field, same] = [from.fields[place], to.fields[place]];
  if (field === undefined || same === undefined) return undefined;
  if (rest.length === 0) return [same.name];
  if (field.type.kind !== "struct" || same.type.kind !== "struct") return undefined;
  const below = translatePath(rest, field.type, same.type);
  return below === undefined ? undefined : [same.name, ...below];
}

/** The names under which the values of the partition columns stand in the log, in the table's order. */
export function physicalPartitionColumns({
  schema,
  metadata: { configuration, partitionColumns },
}: {
  readonly schema: StructType;
  readonly metadata: { readonly configuration: TextMap; readonly partitionColumns: readonly string[] };
}): string[] {
  const { fields } = physicalSchema(schema, columnMappingMode(configuration));
  return partitionColumns.map((column) => {
    const at = schema.fields.findIndex(({ name }) => name === column);
    return fields[at]?.name ?? column;
  });
}
