import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import {
  type Change,
  compileRules,
  type Evaluator,
  fileLayout,
  isConflict,
  type NewFile,
  type RowChangeResult,
  type Snapshot,
  type Store,
  type TransactOptions,
  transact,
} from "@ingot/delta";
import { type OpenSource, openSource, type SourceRows } from "./edit-source.js";
import { enforceRules, explainViolation } from "./enforce-rules.js";
import { defaultValue, newRows, statedValues } from "./new-rows.js";
import { rowOrder } from "./row-order.js";
import { type WrittenFile, writeFiles } from "./write-files.js";

let inserts = 0;

/**
 * Adds the source's rows to a table, or puts them in the place of all its rows. Columns are found by name. Commits of
 * other writers are no conflict for an append, unless they change the table's definition.
 *
 * @throws DeltaError of `transact` and for rows that break the table's rules; nothing is committed then
 */
export async function insertRows(
  connection: DuckDBConnection,
  store: Store,
  location: string,
  source: SourceRows,
  mode: "Append" | "Overwrite",
  evaluator: Evaluator<string> | undefined,
  options: TransactOptions = {},
): Promise<RowChangeResult> {
  inserts += 1;
  const open = await openSource(connection, source, `ingot_insert_${inserts}`, location);
  let written: readonly WrittenFile[] = [];
  const discard = async (): Promise<void> => {
    for (const { file } of written) await rm(join(location, file.path), { force: true });
    written = [];
  };
  try {
    const { version } = await transact(
      store,
      location,
      async (snapshot) => {
        await discard();
        written = await write(connection, snapshot, open, evaluator);
        const isEmpty = written.length === 0 && (mode === "Append" || snapshot.files.length === 0);
        if (isEmpty && options.transactions === undefined) return undefined;
        return toChange(
          written.map(({ file }) => file),
          snapshot,
          mode,
        );
      },
      options,
    );
    const inserted = written.reduce((sum, { stats }) => sum + stats.numRecords, 0);
    return { version, rows: { inserted, updated: 0, deleted: 0, copied: 0 } };
  } catch (error) {
    // After any other error nobody knows whether the commit was made: its files must stay.
    if (isConflict(error)) await discard();
    throw error;
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
  const rules = compileRules(snapshot, evaluator);
  const values = statedValues("*", snapshot, new Set(source.columns.keys()), rules);
  const rows = newRows(snapshot, values, defaultValue(rules), rules, `FROM ${source.name} s`, []);
  try {
    const orderBy = rowOrder([], snapshot);
    return await writeFiles(connection, fileLayout(snapshot), enforceRules(rows, rules), { orderBy });
  } catch (error) {
    throw await explainViolation(connection, error, rows, rules, snapshot);
  }
}

function toChange(add: readonly NewFile[], { metadata }: Snapshot, mode: "Append" | "Overwrite"): Change {
  return {
    operation: "WRITE",
    operationParameters: { mode, partitionBy: JSON.stringify(metadata.partitionColumns) },
    add,
    ...(mode === "Append" ? { isBlindAppend: true } : { remove: "all" }),
    rulesEnforced: true,
  };
}
