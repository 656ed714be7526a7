import type { DataType, Field } from "../../model/data-type.js";
import { quoteName } from "./quote.js";

const ATOMIC: Readonly<Record<string, string>> = {
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
  timestamp: "TIMESTAMPTZ",
  timestamp_ntz: "TIMESTAMP",
  void: "INTEGER",
};

/** DuckDB's type for a Spark type, as SQL text. Spark's TIMESTAMP is an instant, DuckDB's TIMESTAMPTZ. */
export function duckdbType(type: DataType): string {
  switch (type.kind) {
    case "decimal":
      return `DECIMAL(${type.precision},${type.scale})`;
    case "array":
      return `${duckdbType(type.element)}[]`;
    case "map":
      return `MAP(${duckdbType(type.key)}, ${duckdbType(type.value)})`;
    case "struct":
      return `STRUCT(${type.fields.map((f) => `${quoteName(f.name)} ${duckdbType(f.type)}`).join(", ")})`;
    default:
      return ATOMIC[type.kind] ?? "VARCHAR";
  }
}

/** An empty relation with the columns of a schema. */
export function emptyRelation(schema: readonly Field[]): string {
  const columns = schema.map((f) => `NULL::${duckdbType(f.type)} AS ${quoteName(f.name)}`).join(", ");
  return `SELECT ${columns} WHERE false`;
}
