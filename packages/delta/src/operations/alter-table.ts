import { type Transacted, type TransactOptions, transact } from "../commit/transact.js";
import { refusal } from "../schema/definition.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { type Alteration, planAlteration } from "./alteration.js";

export interface AlterOptions extends TransactOptions {
  /**
   * How many rows of the snapshot do not make an expression in Spark's SQL TRUE (FALSE and NULL do not): an engine
   * counts them. Without it a CHECK constraint is added only while the table has no rows.
   */
  readonly violations?: (snapshot: Snapshot, expression: string) => Promise<number | bigint>;
}

/**
 * Alters a table by one commit that writes no data file: its columns, properties, constraints, clustering columns. An
 * alteration that changes nothing, such as dropping a constraint IF EXISTS that is not there, commits nothing.
 *
 * Fails as a whole: on an error the table is as it was.
 *
 * @throws DeltaError what `planAlteration` and `transact` throw; DELTA_NEW_CHECK_CONSTRAINT_VIOLATION for a constraint
 * that rows violate, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE where nobody can check them
 */
export async function alterTable(
  store: Store,
  table: string,
  alteration: Alteration,
  options: AlterOptions = {},
): Promise<Transacted> {
  const { violations, ...rest } = options;
  return transact(
    store,
    table,
    async (snapshot) => {
      const change = planAlteration(snapshot, alteration);
      if (change === undefined) return undefined;
      if (alteration.kind === "add constraint") await assertKept(snapshot, alteration, violations);
      return change;
    },
    rest,
  );
}

async function assertKept(
  snapshot: Snapshot,
  { name, expression }: { readonly name: string; readonly expression: string },
  violations: AlterOptions["violations"],
): Promise<void> {
  if (violations === undefined) {
    if (snapshot.files.length === 0) return;
    throw refusal(
      snapshot,
      "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
      `The constraint ${name} (${expression}) cannot be added to ${snapshot.table}: its rows must be checked first, and no engine was given.`,
      "Pass an engine's `violations`, or add the constraint while the table is empty.",
    );
  }
  const rows = await violations(snapshot, expression);
  if (Number(rows) === 0) return;
  throw refusal(
    snapshot,
    "DELTA_NEW_CHECK_CONSTRAINT_VIOLATION",
    `${rows} rows in ${snapshot.table} violate the new CHECK constraint ${name} (${expression}).`,
    "Correct or delete these rows first.",
  );
}
