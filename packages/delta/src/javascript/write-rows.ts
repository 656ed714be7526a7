import type { Change } from "../commit/change.js";
import { fileLayout } from "../engine/file-layout.js";
import { DeltaError } from "../error.js";
import { changeRows } from "../operations/change-rows.js";
import { type EvolvedTable, evolveSchema, replaceSchema } from "../operations/evolve-schema.js";
import { transactFiles } from "../operations/transact-files.js";
import type { StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { gather, type InputRows } from "./input-rows.js";
import { prepareRows, showRow } from "./prepare-rows.js";
import { rowRewrite } from "./row-rewrite.js";
import type { InputRow } from "./value.js";
import { bindWhere, describeWhere, type Where } from "./where.js";
import { storedPaths, writeDataFiles } from "./write-files.js";
import type { EvolvingWriteOptions, WriteOptions } from "./write-options.js";

export interface WriteResult {
  /** The version with the rows; the one that was read where there was nothing to do. */
  readonly version: bigint;
}

/**
 * Adds rows to a table in one commit. Commits of other writers are no conflict, unless they change the table's
 * definition: then the rows are checked against the new one. No rows make no commit.
 *
 * @throws DeltaError what `prepareRows` and `transact` throw; nothing is committed then
 */
export async function appendRows(
  store: Store,
  table: string,
  rows: InputRows,
  options: EvolvingWriteOptions = {},
): Promise<WriteResult> {
  const evolve = (snapshot: Snapshot): EvolvedTable => evolveSchema(snapshot, options.mergeSchema);
  return write(store, table, await gather(rows), "Append", evolve, options);
}

export interface OverwriteOptions extends EvolvingWriteOptions {
  /** Which rows go; undefined: all. The new rows must be such rows, too. */
  readonly where?: Where;
  /**
   * The schema that the table gets in the place of its own; not together with `where`. Partition and clustering columns
   * must be among its columns. `overwriteSchema` in Spark.
   */
  readonly overwriteSchema?: StructType;
}

/**
 * Puts rows in the place of all rows of a table, or of those of which `where` is true. One commit.
 *
 * @throws DeltaError DELTA_REPLACE_WHERE_MISMATCH, DELTA_OPERATION_NOT_ALLOWED, what `prepareRows`,
 * `changeRows` and `transact` throw; nothing is committed then
 */
export async function overwriteRows(
  store: Store,
  table: string,
  rows: InputRows,
  { where, overwriteSchema, ...options }: OverwriteOptions = {},
): Promise<WriteResult> {
  const given = await gather(rows);
  if (where === undefined) {
    const evolve = (snapshot: Snapshot): EvolvedTable =>
      overwriteSchema === undefined
        ? evolveSchema(snapshot, options.mergeSchema)
        : replaceSchema(snapshot, overwriteSchema);
    return write(store, table, given, "Overwrite", evolve, options);
  }
  if (overwriteSchema !== undefined)
    throw new DeltaError(
      "DELTA_OPERATION_NOT_ALLOWED",
      `The schema of ${table} cannot be overwritten while rows stay that have it.`,
      { table, hint: "Leave out where to replace all rows, or give mergeSchema instead." },
    );
  const change = rowRewrite(
    store,
    {
      operation: "WRITE",
      operationParameters: { mode: "Overwrite", ...describeWhere(where) },
      rowSchema: options.mergeSchema,
    },
    (snapshot) => {
      const { test, mayTouch } = bindWhere(where, snapshot);
      const inserts = (): readonly InputRow[] => {
        const outside = prepareRows(snapshot, given, options.evaluator).find((row) => !test(row));
        if (outside === undefined) return given;
        throw new DeltaError(
          "DELTA_REPLACE_WHERE_MISMATCH",
          `A new row of ${table} is none of those that are replaced: ${showRow(outside)}.`,
          { table, version: snapshot.version, hint: "Write only rows of the part that is replaced." },
        );
      };
      return { mayTouch, decide: (row) => (test(row) ? "delete" : "keep"), inserts };
    },
    options.evaluator,
  );
  const { version } = await changeRows(store, table, change, options);
  return { version };
}

async function write(
  store: Store,
  table: string,
  rows: readonly InputRow[],
  mode: "Append" | "Overwrite",
  evolve: (snapshot: Snapshot) => EvolvedTable,
  options: WriteOptions,
): Promise<WriteResult> {
  const { version } = await transactFiles(
    store,
    table,
    async (before, wrote): Promise<Change | undefined> => {
      const { snapshot, metadata } = evolve(before);
      const prepared = prepareRows(snapshot, rows, options.evaluator);
      const hasNothing = prepared.length === 0 && (mode === "Append" || snapshot.files.length === 0);
      if (hasNothing && metadata === undefined && options.transactions === undefined) return undefined;
      const add = await writeDataFiles(
        store,
        fileLayout(snapshot),
        prepared.map((row) => ({ row })),
      );
      wrote(storedPaths(table, add));
      return {
        operation: "WRITE",
        operationParameters: { mode, partitionBy: JSON.stringify(snapshot.metadata.partitionColumns) },
        add,
        ...(mode === "Append" ? {} : { remove: "all" }),
        ...(metadata === undefined ? {} : { metadata }),
        // What the table's schema becomes depends on what it is.
        isBlindAppend: mode === "Append" && metadata === undefined,
        rulesEnforced: true,
      };
    },
    options,
  );
  return { version };
}
