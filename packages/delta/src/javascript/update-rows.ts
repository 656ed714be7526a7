import { changeRows, type RowChangeResult } from "../operations/change-rows.js";
import type { Store } from "../store/store.js";
import { assign } from "./prepare-rows.js";
import { rowRewrite } from "./row-rewrite.js";
import type { InputRow, Row } from "./value.js";
import { bindWhere, describeWhere, type Where } from "./where.js";
import type { WriteOptions } from "./write-options.js";

const EVERY_ROW: Where = { kind: "and", conditions: [] };

export interface Update {
  /** The columns that get a new value; the others keep theirs. */
  readonly set: (row: Row) => InputRow;
  /** Undefined: all rows. */
  readonly where?: Where;
}

/**
 * Changes columns of rows in one commit. A row that `where` takes counts as updated though its values stay, as in
 * Spark. Row ids stay. Without
 * a condition it reads the whole table.
 *
 * @throws DeltaError what `changeRows`, `readRows` and `prepareRows` throw; nothing is committed then
 */
export function updateRows(
  store: Store,
  table: string,
  { set, where = EVERY_ROW }: Update,
  options: WriteOptions = {},
): Promise<RowChangeResult> {
  const change = rowRewrite(
    store,
    { operation: "UPDATE", operationParameters: describeWhere(where) },
    (snapshot) => {
      const { test, mayTouch } = bindWhere(where, snapshot);
      return {
        mayTouch,
        decide: (row) => (test(row) ? { update: assign(snapshot, row, set(row)) } : "keep"),
        inserts: () => [],
      };
    },
    options.evaluator,
  );
  return changeRows(store, table, change, options);
}
