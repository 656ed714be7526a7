import { type DataType, type DecimalType, formatType } from "../../model/data-type.js";

/** DuckDB text of names, literals and types. */

/** A name; an empty one, as `SELECT ''` has, is a space, since DuckDB takes no empty name. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""') || " "}"`;
}

/** A string as DuckDB text; NUL cannot stand in a query and is built. */
export function quoteText(value: string): string {
  const quoted = (part: string) => `'${part.replaceAll("'", "''")}'`;
  return value.includes("\0") ? `(${value.split("\0").map(quoted).join(" || chr(0) || ")})` : quoted(value);
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: "BOOLEAN",
  tinyint: "TINYINT",
  smallint: "SMALLINT",
  int: "INTEGER",
  bigint: "BIGINT",
  float: "FLOAT",
  double: "DOUBLE",
  string: "VARCHAR",
  binary: "BLOB",
  date: "DATE",
  // Spark's TIMESTAMP is a moment, its TIMESTAMP_NTZ a reading of the clock.
  timestamp: "TIMESTAMPTZ",
  timestamp_ntz: "TIMESTAMP",
  void: '"NULL"',
};

/** The DuckDB type that holds exactly a Spark type's values. */
export function duckdbType(type: DataType): string {
  switch (type.kind) {
    case "decimal":
      return `DECIMAL(${type.precision},${type.scale})`;
    case "interval":
      return "INTERVAL";
    case "array":
      return `${duckdbType(type.element)}[]`;
    case "map":
      return `MAP(${duckdbType(type.key)}, ${duckdbType(type.value)})`;
    case "struct":
      return `STRUCT(${type.fields.map((f) => `${quoteName(f.name)} ${duckdbType(f.type)}`).join(", ")})`;
    default:
      return TYPES[type.kind] ?? "";
  }
}

/** Changes the type where DuckDB's own cast is exact, or where Spark's value is already there. */
export function castTo(sql: string, type: DataType): string {
  return `CAST(${sql} AS ${duckdbType(type)})`;
}

/** Stops the query with a condition of Spark, which the engine finds between the brackets. */
export function raise(condition: string, message: string): string {
  return `error(${quoteText(`[${condition}] ${message}`)})`;
}

/** The error of a number that a decimal type has no place for. */
export function raiseOutOfRange(type: DecimalType): string {
  return raise("NUMERIC_VALUE_OUT_OF_RANGE", `A value cannot be represented as ${formatType(type).toUpperCase()}.`);
}

/** Makes -0.0 to 0.0, which Spark does before it compares rows; DuckDB's sorting would do it to the column itself. */
export function normalizeZero(sql: string, type: DataType): string {
  return type.kind === "double" || type.kind === "float" ? castTo(`${sql} + 0`, type) : sql;
}
