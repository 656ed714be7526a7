import type { DataType } from "../../model/data-type.js";
import { extractField } from "../bind/bind-scope.js";
import { normalizeZero, quoteName } from "./lower-text.js";

/**
 * A value by which DuckDB orders as Spark does. Within arrays and structs NULL is the least in Spark and the greatest in
 * DuckDB: there each part stands behind a flag that says whether it is present.
 */
export function orderKey(sql: string, type: DataType): string {
  switch (type.kind) {
    case "array":
      return `list_transform(${sql}, lambda e: ${flagged("e", type.element)})`;
    case "struct":
      return `CASE WHEN ${sql} IS NOT NULL THEN {${type.fields
        .map((field, i) => `${quoteName(`f${i}`)}: ${flagged(extractField(sql, field), field.type)}`)
        .join(", ")}} END`;
    default:
      return normalizeZero(sql, type);
  }
}

function flagged(sql: string, type: DataType): string {
  return `{'n': ${sql} IS NOT NULL, 'v': ${orderKey(sql, type)}}`;
}
