import type { DuckDBConnection } from "@duckdb/node-api";
import { compileRules, type PlannedDefinition } from "@ingot/delta";
import type { Field } from "../../model/data-type.js";
import { duckdbType, quoteName } from "../../sql/lower/lower-text.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { enforceRules, explainViolation } from "./delta/enforce-rules.js";
import { type WrittenFile, writeFiles } from "./delta/write-files.js";

/**
 * Writes the rows of a query as data files into a table's folder: columns by name, what the query lacks is NULL. See
 * `writeFiles`.
 *
 * @param given columns of the query
 * @param clusterBy columns by which the rows are sorted, so that readers can pass files over
 * @param bytes see `WriteFilesOptions`
 * @throws DeltaError DELTA_NOT_NULL_CONSTRAINT_VIOLATED
 */
export async function stageFiles(
  connection: DuckDBConnection,
  { table, layout }: PlannedDefinition,
  query: string,
  given: readonly Field[],
  clusterBy: readonly string[] = [],
  bytes?: number,
): Promise<WrittenFile[]> {
  const rows = projectTo(fromDeltaSchema(table.schema), query, given);
  const rules = compileRules<string>(table, undefined);
  try {
    const orderBy = clusterBy.map((column) => `q.${quoteName(column)}`);
    return await writeFiles(connection, layout, enforceRules(rows, rules), {
      orderBy,
      ...(bytes === undefined ? {} : { bytes }),
    });
  } catch (error) {
    throw await explainViolation(connection, error, rows, rules, table);
  }
}

/** SQL of a query's rows with the columns of a schema, by name; what the query lacks is NULL. */
export function projectTo(schema: readonly Field[], query: string, given: readonly Field[]): string {
  const names = new Map(given.map((f) => [f.name.toLowerCase(), f.name]));
  const columns = schema.map((field) => {
    const name = names.get(field.name.toLowerCase());
    return `${name === undefined ? "NULL" : quoteName(name)}::${duckdbType(field.type)} AS ${quoteName(field.name)}`;
  });
  return `SELECT ${columns.join(", ")} FROM (${query})`;
}
