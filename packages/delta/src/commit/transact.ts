import { setTimeout } from "node:timers/promises";
import { isConflict } from "../error.js";
import { openTable } from "../snapshot/open-table.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import type { Change } from "./change.js";
import { type CommitOptions, commit } from "./transaction.js";

export interface TransactOptions extends CommitOptions {
  /** How far applications get with this change; where the table has all of them, the work is done already. */
  readonly transactions?: NonNullable<Change["transactions"]>;
  /** How often the change is planned before a conflict is passed on. Default 10. */
  readonly attempts?: number;
  /** Waits between two attempts, milliseconds. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

export interface Transacted {
  /** The version with the change; the newest one where there was nothing to do. */
  readonly version: bigint;
  /** False: nothing was to be done, or the table had the transactions already. */
  readonly isCommitted: boolean;
}

const ATTEMPTS = 10;
/** The longest first wait; it doubles with every attempt, up to a second. */
const FIRST_WAIT = 20;
const LONGEST_WAIT = 1000;

/**
 * Plans a change by the newest version of a table and commits it; when another writer was faster and what it did
 * matters to the change, it is planned again on the newer version.
 *
 * A change whose `transactions` the table has is not committed again: not at first, not after a conflict.
 *
 * @param plan gives undefined when there is nothing to do; called once an attempt, after conflicts with newer snapshots
 * @throws DeltaError NO_DELTA_TABLE, the last conflict when all attempts failed, and what `commit` and `plan` throw
 */
export async function transact(
  store: Store,
  table: string,
  plan: (snapshot: Snapshot) => Promise<Change | undefined> | Change | undefined,
  options: TransactOptions = {},
): Promise<Transacted> {
  const { transactions = [], attempts = ATTEMPTS, wait = setTimeout, reader } = options;
  for (let attempt = 1; ; attempt += 1) {
    const snapshot = await openTable(store, table, undefined, reader);
    const nothing = { version: snapshot.version, isCommitted: false };
    if (hasAll(snapshot, transactions)) return nothing;
    const planned = await plan(snapshot);
    if (planned === undefined) return nothing;
    const wanted = [...(planned.transactions ?? []), ...transactions];
    if (hasAll(snapshot, wanted)) return nothing;
    // An application that got further is not set back: what it did since would be done again.
    const change = { ...planned, transactions: wanted.filter((transaction) => !hasAll(snapshot, [transaction])) };
    try {
      return { ...(await commit(store, snapshot, change, options)), isCommitted: true };
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error;
    }
    // Writers that met once must not meet again at the same moment.
    await wait(Math.random() * Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT));
  }
}

function hasAll({ transactions: known }: Snapshot, wanted: NonNullable<Change["transactions"]>): boolean {
  return wanted.length > 0 && wanted.every(({ appId, version }) => (known.get(appId) ?? -1n) >= version);
}
