import type { TextMap } from "../log/actions.js";
import type { Definition } from "../schema/definition.js";
import type { DataType, Field, StructType } from "../schema/schema.js";
import { parseSchema } from "../schema/schema.js";

/** A field; a type may be given by its name: `decimal(5,2)`. */
export function field(name: string, type: DataType | string, more: Partial<Field> = {}): Field {
  return { name, type: typeof type === "string" ? typeNamed(type) : type, nullable: true, metadata: {}, ...more };
}

export function struct(...fields: readonly Field[]): StructType {
  return { kind: "struct", fields };
}

export function listOf(element: DataType): DataType {
  return { kind: "array", element, containsNull: true };
}

export function mapOf(key: DataType, value: DataType): DataType {
  return { kind: "map", key, value, valueContainsNull: true };
}

export function typeNamed(type: string): DataType {
  const schema = parseSchema(
    JSON.stringify({ type: "struct", fields: [{ name: "x", type, nullable: true, metadata: {} }] }),
  );
  const [only] = schema.fields;
  if (only === undefined) throw new Error(`no type ${type}`);
  return only.type;
}

export function definition(
  schema: StructType,
  configuration: TextMap = {},
  more: { readonly partitionColumns?: readonly string[]; readonly protocol?: Definition["protocol"] } = {},
): Definition {
  const { partitionColumns = [], protocol } = more;
  return { table: "/t", version: 3n, schema, metadata: { partitionColumns, configuration }, protocol };
}
