import type { DuckDBConnection } from "@duckdb/node-api";
import {
  type Change,
  compileRules,
  DeltaError,
  type Evaluator,
  type EvolvedTable,
  evolveSchema,
  fileLayout,
  type NewFile,
  type RowChangeResult,
  type Snapshot,
  type Store,
  type StructType,
  type TransactOptions,
  transactFiles,
} from "@ingot/delta";
import { type OpenSource, openSource, type SourceRows } from "./edit-source.js";
import { enforceRules, explainViolation } from "./enforce-rules.js";
import { defaultValue, newRows, statedValues } from "./new-rows.js";
import { rowOrder } from "./row-order.js";
import { type WrittenFile, writeFiles } from "./write-files.js";

export interface InsertOptions extends TransactOptions {
  /** The schema of the source's rows, whose new columns and wider types the table takes over. */
  readonly mergeSchema?: StructType;
}

let inserts = 0;

/**
 * Adds the source's rows to a table, or puts them in the place of all its rows. Columns are found by name; those that
 * the source lacks get their default or NULL, as in an append of Spark. Commits of other writers are no conflict for an
 * append, unless they change the table's definition.
 *
 * @throws DeltaError of `transact`, DELTA_COLUMN_NOT_FOUND_IN_SCHEMA for a column that the table lacks, and for rows that
 * break the table's rules; nothing is committed then
 */
export async function insertRows(
  connection: DuckDBConnection,
  store: Store,
  location: string,
  source: SourceRows,
  mode: "Append" | "Overwrite",
  evaluator: Evaluator<string> | undefined,
  options: InsertOptions = {},
): Promise<RowChangeResult> {
  inserts += 1;
  const open = await openSource(connection, source, `ingot_insert_${inserts}`, location);
  let inserted = 0;
  try {
    const { version, isCommitted } = await transactFiles(
      store,
      location,
      async (before, wrote) => {
        const { snapshot, metadata } = evolveSchema(before, options.mergeSchema);
        const written = await write(connection, snapshot, open, evaluator);
        const files = written.map(({ file }) => file);
        wrote(files.map(({ path }) => `${location}/${path}`));
        inserted = written.reduce((sum, { stats }) => sum + stats.numRecords, 0);
        const isEmpty = files.length === 0 && (mode === "Append" || snapshot.files.length === 0);
        return isEmpty && options.transactions === undefined ? undefined : toChange(files, snapshot, mode, metadata);
      },
      options,
    );
    return { version, rows: { inserted: isCommitted ? inserted : 0, updated: 0, deleted: 0, copied: 0 } };
  } finally {
    if (open.isOwn) await connection.run(`DROP TABLE IF EXISTS ${open.name}`);
  }
}

async function write(
  connection: DuckDBConnection,
  snapshot: Snapshot,
  source: OpenSource,
  evaluator: Evaluator<string> | undefined,
): Promise<WrittenFile[]> {
  assertKnownColumns(snapshot, source);
  const rules = compileRules(snapshot, evaluator);
  const values = statedValues("*", snapshot, new Set(source.columns.keys()), rules, true);
  const rows = newRows(snapshot, values, defaultValue(rules), rules, `FROM ${source.rows} s`, []);
  try {
    const orderBy = rowOrder([], snapshot);
    return await writeFiles(connection, fileLayout(snapshot), enforceRules(rows, rules), { orderBy });
  } catch (error) {
    throw await explainViolation(connection, error, rows, rules, snapshot);
  }
}

/** @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA for a column of the source that would be left out */
function assertKnownColumns({ table, version, schema }: Snapshot, { columns }: OpenSource): void {
  const known = new Set(schema.fields.map(({ name }) => name.toLowerCase()));
  const unknown = [...columns.keys()].find((column) => !known.has(column));
  if (unknown === undefined) return;
  throw new DeltaError(
    "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
    `The source has the column ${unknown}, which ${table} does not have.`,
    { table, version, hint: "Leave it out, or add the column to the table first." },
  );
}

function toChange(
  add: readonly NewFile[],
  { metadata: { partitionColumns } }: Snapshot,
  mode: "Append" | "Overwrite",
  metadata: EvolvedTable["metadata"],
): Change {
  const kind =
    mode === "Overwrite" ? { remove: "all" as const } : metadata === undefined ? { isBlindAppend: true } : {};
  return {
    operation: "WRITE",
    operationParameters: { mode, partitionBy: JSON.stringify(partitionColumns) },
    add,
    ...(metadata === undefined ? {} : { metadata }),
    ...kind,
    rulesEnforced: true,
  };
}
