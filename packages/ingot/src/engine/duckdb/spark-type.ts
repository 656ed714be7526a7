import type { DuckDBDecimalType, DuckDBListType, DuckDBMapType, DuckDBStructType, DuckDBType } from "@duckdb/node-api";
import type { DataType } from "../../model/data-type.js";

const ATOMIC: Readonly<Record<string, DataType>> = {
  BOOLEAN: { kind: "boolean" },
  TINYINT: { kind: "tinyint" },
  SMALLINT: { kind: "smallint" },
  INTEGER: { kind: "int" },
  BIGINT: { kind: "bigint" },
  FLOAT: { kind: "float" },
  DOUBLE: { kind: "double" },
  VARCHAR: { kind: "string" },
  BLOB: { kind: "binary" },
  DATE: { kind: "date" },
  TIMESTAMP: { kind: "timestamp_ntz" },
  "TIMESTAMP WITH TIME ZONE": { kind: "timestamp" },
};

/** The type of Spark that has exactly the values of one of DuckDB; undefined where there is none. */
export function sparkType(type: DuckDBType): DataType | undefined {
  // An alias, such as JSON, is another type by its name alone.
  if (type.alias !== undefined) return undefined;
  const name = String(type);
  if (Object.hasOwn(ATOMIC, name)) return ATOMIC[name];
  if (name.endsWith("[]")) {
    const element = sparkType((type as DuckDBListType).valueType);
    return element && { kind: "array", element, containsNull: true };
  }
  if (/^DECIMAL\(/.test(name)) {
    const { width, scale } = type as DuckDBDecimalType;
    return { kind: "decimal", precision: width, scale };
  }
  if (/^MAP\(/.test(name)) {
    const [key, value] = [(type as DuckDBMapType).keyType, (type as DuckDBMapType).valueType].map(sparkType);
    return key && value && { kind: "map", key, value, valueContainsNull: true };
  }
  return /^STRUCT\(/.test(name) ? structType(type as DuckDBStructType) : undefined;
}

function structType({ entryNames, entryTypes }: DuckDBStructType): DataType | undefined {
  const fields = entryTypes.map((entry, i) => ({ name: entryNames[i] ?? "", type: sparkType(entry), nullable: true }));
  const known = fields.flatMap(({ type, ...field }) => (type === undefined ? [] : [{ ...field, type }]));
  return known.length === fields.length ? { kind: "struct", fields: known } : undefined;
}
