import type { Change, NewFile } from "../commit/change.js";
import { transact } from "../commit/transact.js";
import { fileLayout } from "../engine/file-layout.js";
import { DeltaError } from "../error.js";
import { changeRows } from "../operations/change-rows.js";
import type { Store } from "../store/store.js";
import { gather, type InputRows } from "./input-rows.js";
import { prepareRows, showRow } from "./prepare-rows.js";
import { rowRewrite } from "./row-rewrite.js";
import type { InputRow } from "./value.js";
import { bindWhere, describeWhere, type Where } from "./where.js";
import { discardFiles, writeDataFiles } from "./write-files.js";
import type { WriteOptions } from "./write-options.js";

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
  options: WriteOptions = {},
): Promise<WriteResult> {
  return write(store, table, await gather(rows), options, { isBlindAppend: true, mode: "Append" });
}

/**
 * Puts rows in the place of all rows of a table, or of those of which `where` is true; the new rows must be such rows,
 * too. One commit.
 *
 * @throws DeltaError DELTA_REPLACE_WHERE_MISMATCH, what `prepareRows`, `changeRows` and `transact` throw
 */
export async function overwriteRows(
  store: Store,
  table: string,
  rows: InputRows,
  { where, ...options }: WriteOptions & { readonly where?: Where } = {},
): Promise<WriteResult> {
  const given = await gather(rows);
  if (where === undefined) return write(store, table, given, options, { isBlindAppend: false, mode: "Overwrite" });
  const change = rowRewrite(
    store,
    { operation: "WRITE", operationParameters: { mode: "Overwrite", ...describeWhere(where) } },
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
  options: WriteOptions,
  { isBlindAppend, mode }: { readonly isBlindAppend: boolean; readonly mode: "Append" | "Overwrite" },
): Promise<WriteResult> {
  let written: NewFile[] = [];
  const discard = async (): Promise<void> => {
    await discardFiles(store, table, written);
    written = [];
  };
  try {
    const { version } = await transact(
      store,
      table,
      async (snapshot): Promise<Change | undefined> => {
        await discard();
        const prepared = prepareRows(snapshot, rows, options.evaluator);
        const hasNothingToDo = prepared.length === 0 && (isBlindAppend || snapshot.files.length === 0);
        if (hasNothingToDo && options.transactions === undefined) return undefined;
        written = await writeDataFiles(
          store,
          fileLayout(snapshot),
          prepared.map((row) => ({ row })),
        );
        const partitionBy = JSON.stringify(snapshot.metadata.partitionColumns);
        return {
          operation: "WRITE",
          operationParameters: { mode, partitionBy },
          add: written,
          ...(isBlindAppend ? {} : { remove: "all" as const }),
          isBlindAppend,
          rulesEnforced: true,
        };
      },
      options,
    );
    return { version };
  } catch (error) {
    // After an error of the store nobody knows whether the commit was made: its files must stay.
    if (error instanceof DeltaError) await discard();
    throw error;
  }
}
