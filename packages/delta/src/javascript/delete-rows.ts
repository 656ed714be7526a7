import type { TransactOptions } from "../commit/transact.js";
import { changeRows, type RowChangeResult } from "../operations/change-rows.js";
import type { Store } from "../store/store.js";
import { rowRewrite } from "./row-rewrite.js";
import { bindWhere, describeWhere, type Where } from "./where.js";

/**
 * Deletes the rows of which `where` is true, in one commit: by deletion vectors where the table has them, else by
 * writing the touched files anew. A function reads the whole table; see `changeRows` for what other writers mean to it.
 *
 * @throws DeltaError what `changeRows` and `readRows` throw; nothing is committed then
 */
export function deleteRows(
  store: Store,
  table: string,
  where: Where,
  options: TransactOptions = {},
): Promise<RowChangeResult> {
  const name = { operation: "DELETE", operationParameters: describeWhere(where) };
  const change = rowRewrite(
    store,
    name,
    (snapshot) => {
      const { test, mayTouch } = bindWhere(where, snapshot);
      return { mayTouch, decide: (row) => (test(row) ? "delete" : "keep"), inserts: () => [] };
    },
    undefined,
  );
  return changeRows(store, table, change, options);
}
