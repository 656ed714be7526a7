import type { Snapshot } from "@ingot/delta";
import { type DataType, type Field, formatType } from "../../model/data-type.js";
import { quoteIdentifier } from "../../model/name.js";
import { quoteString } from "../../sql/quote.js";

// Spark's text of types, columns and tables.

/** A type as DDL writes it; names of fields in back-ticks. */
export function typeText(type: DataType): string {
  switch (type.kind) {
    case "array":
      return `ARRAY<${typeText(type.element)}>`;
    case "map":
      return `MAP<${typeText(type.key)}, ${typeText(type.value)}>`;
    case "struct":
      return `STRUCT<${type.fields.map((field) => `${quoteIdentifier(field.name)}: ${typeText(field.type)}`).join(", ")}>`;
    default:
      return formatType(type).toUpperCase();
  }
}

/** Columns as a reader of files takes them. */
export function ddlText(fields: readonly Field[]): string {
  return fields.map(({ name, type }) => `${quoteIdentifier(name)} ${typeText(type)}`).join(", ");
}

export function columnList(fields: readonly Pick<Field, "name">[]): string {
  return fields.map(({ name }) => quoteIdentifier(name)).join(", ");
}

/**
 * Select items that give the columns of a schema, by name: those of `given`, cast where their type is another one, and
 * NULL for what is not there.
 */
export function projection(schema: readonly Field[], given: readonly Field[]): string[] {
  const known = new Map(given.map((field) => [field.name.toLowerCase(), field]));
  return schema.map(({ name, type }) => {
    const field = known.get(name.toLowerCase());
    const own = quoteIdentifier(name);
    if (field === undefined) return `CAST(NULL AS ${typeText(type)}) AS ${own}`;
    const isSame = formatType(field.type) === formatType(type);
    const value = quoteIdentifier(field.name);
    return `${isSame ? value : `CAST(${value} AS ${typeText(type)})`} AS ${own}`;
  });
}

/** A Delta table in a folder. */
export function tableText(location: string): string {
  return `delta.${quoteIdentifier(location)}`;
}

/** A Delta table as it was at a version. */
export function versionOf({ table, version }: Pick<Snapshot, "table" | "version">): string {
  return `${tableText(table)} VERSION AS OF ${version}`;
}

/** No row, with these columns. */
export function noRows(schema: readonly Field[]): string {
  return `SELECT ${projection(schema, []).join(", ")} WHERE false`;
}

/** @param moment UTC, ISO 8601 */
export function timestampText(moment: string): string {
  return `TIMESTAMP ${quoteString(moment)}`;
}
