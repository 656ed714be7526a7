import { formatType } from "../../../packages/ingot/src/model/data-type.js";
import { parseSchema } from "../../../packages/ingot/src/sql/ddl-types.js";
import type { Reading } from "../deltalake.js";
import { type Relation, sortRows } from "../relation.js";
import { type Spark, SparkError } from "../spark.js";
import { emptyModel } from "./carry-out.js";
import type { WriteFeature } from "./features/feature.js";
import { carryOutPlainly } from "./model.js";

/** What a table of the feature holds, and its change feed, by the plain model. */
export function expectedOf({ table, steps, columnsAfter = table.columns }: WriteFeature): {
  readonly rows: Relation;
  readonly changes: Relation["rows"];
} {
  const { rows, changes } = carryOutPlainly(emptyModel(table), steps);
  const columns = parseSchema(columnsAfter).map(({ name, type }) => ({ name, type: formatType(type) }));
  return {
    rows: { columns, rows: sortRows(rows) },
    changes: sortRows(changes.map(({ row, type, version }) => [...row, type, String(version)])),
  };
}

/** With the rows in one order. */
export function sorted(reading: Reading): Reading {
  return "error" in reading ? reading : { columns: reading.columns, rows: sortRows(reading.rows) };
}

/** The rows alone, in one order; the error where there are none. */
export function rowsOf(reading: Reading): Relation["rows"] | Reading {
  return "error" in reading ? reading : sortRows(reading.rows);
}

/** Some of an answer's columns; undefined: all. */
export function pick({ columns, rows }: Relation, names: readonly string[] | undefined): Relation["rows"] {
  if (names === undefined) return rows;
  const places = names.map((name) => columns.findIndex((column) => column.name === name));
  return rows.map((row) => places.map((i) => row[i] ?? null));
}

export function readSpark(spark: Spark, location: string): Promise<Reading> {
  return ask(spark, `SELECT * FROM delta.\`${location}\``);
}

/** From version 0 on, with `_change_type` and `_commit_version`. */
export function readSparkChanges(spark: Spark, location: string): Promise<Reading> {
  return ask(spark, `SELECT * EXCEPT (_commit_timestamp) FROM table_changes_by_path('${location}', 0)`);
}

async function ask(spark: Spark, sql: string): Promise<Reading> {
  try {
    return await spark.sql(sql);
  } catch (error) {
    if (error instanceof SparkError) return { error: `${error.condition}: ${error.message}` };
    throw error;
  }
}

/** A text about a table with its place put in. */
export function about(location: string, text: string): string {
  return text.replaceAll("$table", `delta.\`${location}\``).replaceAll("$path", location);
}
