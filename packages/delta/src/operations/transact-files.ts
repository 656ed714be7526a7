import type { Change } from "../commit/change.js";
import { type Transacted, type TransactOptions, transact } from "../commit/transact.js";
import { provesNoCommit } from "../commit/transaction.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";

/**
 * As `transact`, for a plan that writes files. Those that end up in no version are deleted: of attempts that were lost,
 * and of the last one where it is certain that nothing was committed. Where it is not they stay; if they are in no
 * version, VACUUM takes them.
 *
 * @param plan calls `wrote` with the paths, as the store names them, of files that are there for the change
 * @throws what `transact` throws
 */
export async function transactFiles(
  store: Store,
  table: string,
  plan: (snapshot: Snapshot, wrote: (paths: readonly string[]) => void) => Promise<Change | undefined>,
  options: TransactOptions = {},
): Promise<Transacted> {
  let written: string[] = [];
  let mayBeCommitted = false;
  const discard = async (): Promise<void> => {
    await deleteFiles(store, written);
    written = [];
  };
  try {
    const transacted = await transact(
      store,
      table,
      async (snapshot) => {
        mayBeCommitted = false;
        await discard();
        const change = await plan(snapshot, (paths) => written.push(...paths));
        mayBeCommitted = true;
        return change;
      },
      options,
    );
    if (!transacted.isCommitted) await discard();
    return transacted;
  } catch (error) {
    if (!mayBeCommitted || provesNoCommit(error)) await discard();
    throw error;
  }
}

/** Removes files that no version names; VACUUM finds what cannot be removed. */
export async function deleteFiles(store: Store, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => store.delete(path).catch(() => undefined)));
}
