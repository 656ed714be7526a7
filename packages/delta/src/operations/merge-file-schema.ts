import { DeltaError } from "../error.js";
import { formatPath } from "../schema/field-path.js";
import type { DataType, Field, StructType } from "../schema/schema.js";

/** Types that Parquet stores alike, so that files of both are read as the later one. */
const INTEGERS: readonly DataType["kind"][] = ["byte", "short", "integer"];

/**
 * The columns of two files together: those of the second that the first lacks come behind, within structs, too.
 * Source: Spark's `SchemaMergingUtils`.
 *
 * @param path of the file that has the second schema
 * @throws DeltaError DELTA_FAILED_TO_MERGE_FIELDS where both have a column of different types
 */
export function mergeFileSchema(first: StructType, second: StructType, table: string, path: string): StructType {
  const mergeFields = (a: StructType, b: StructType, parent: readonly string[]): StructType => {
    const later = new Map(b.fields.map((field) => [field.name, field]));
    const known = new Set(a.fields.map(({ name }) => name));
    const merge = (field: Field): Field => {
      const other = later.get(field.name);
      return other === undefined
        ? field
        : { ...field, type: mergeTypes(field.type, other.type, [...parent, field.name]) };
    };
    return { kind: "struct", fields: [...a.fields.map(merge), ...b.fields.filter(({ name }) => !known.has(name))] };
  };
  const mergeTypes = (a: DataType, b: DataType, column: readonly string[]): DataType => {
    if (a.kind === "struct" && b.kind === "struct") return mergeFields(a, b, column);
    if (a.kind === "array" && b.kind === "array")
      return { ...a, element: mergeTypes(a.element, b.element, [...column, "element"]) };
    if (a.kind === "map" && b.kind === "map")
      return {
        ...a,
        key: mergeTypes(a.key, b.key, [...column, "key"]),
        value: mergeTypes(a.value, b.value, [...column, "value"]),
      };
    const [place, other] = [INTEGERS.indexOf(a.kind), INTEGERS.indexOf(b.kind)];
    if (place >= 0 && other >= 0) return place >= other ? a : b;
    if (nameOf(a) === nameOf(b)) return a;
    throw new DeltaError(
      "DELTA_FAILED_TO_MERGE_FIELDS",
      `${table} cannot be converted: the column ${formatPath(column)} is ${nameOf(b)} in ${path} and ${nameOf(a)} before.`,
      { table, path: `${table}/${path}`, hint: "Write the files of one of the two types anew." },
    );
  };
  return mergeFields(first, second, []);
}

function nameOf(type: DataType): string {
  return type.kind === "decimal" ? `decimal(${type.precision},${type.scale})` : type.kind;
}
