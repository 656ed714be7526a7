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
export function rowsOf(reading: Reading): Relation["rows"] | Exclude<Reading, Relation> {
  return "error" in reading ? reading : sortRows(reading.rows);
}

/** Some of an answer's columns; undefined: all. */
export function pick(
  reading: Reading,
  names: readonly string[] | undefined,
): Relation["rows"] | Exclude<Reading, Relation> {
  if ("error" in reading) return reading;
  const { columns, rows } = reading;
  if (names === undefined) return rows;
  const places = names.map((name) => columns.findIndex((column) => column.name === name));
  return rows.map((row) => places.map((i) => row[i] ?? null));
}

/** Statements that read a table: its rows, and its change feed from version 0 on. */
export const ROWS = "SELECT * FROM $table";
export const CHANGES = "SELECT * EXCEPT (_commit_timestamp) FROM table_changes_by_path('$path', 0)";

/** What Spark answers to statements about tables, in their order. */
export async function askSpark(
  spark: Spark,
  questions: readonly { readonly location: string; readonly sql: string }[],
): Promise<Reading[]> {
  const answers = await spark.runAll(questions.map(({ location, sql }) => [about(location, sql)]));
  return answers.map(toReading);
}

/** An error of Spark as what it makes of a table. */
export function toReading(answer: Relation | SparkError): Reading {
  return answer instanceof SparkError ? { error: `${answer.condition}: ${answer.message}` } : answer;
}

/** A text about a table with its place put in. */
export function about(location: string, text: string): string {
  return text.replaceAll("$table", `delta.\`${location}\``).replaceAll("$path", location);
}
