import { DeltaError, reasonOf } from "../error.js";
import { type Action, fileKey } from "../log/actions.js";
import { parseCommit } from "../log/commit-file.js";
import { readText } from "../log/log.js";
import { type CompactionFile, logFolder } from "../log/log-files.js";
import type { Store } from "../store/store.js";

/**
 * The actions of a log compaction. It replaces its commits, so it must be reconciled as the protocol says: each logical
 * file once, and each path added once. Some writers only put the commits one behind the other; the file does not tell
 * in which order, so which deletion vector of a path is the last one cannot be known.
 * Source: the Delta protocol, "Log Compaction Files" and "Action Reconciliation".
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE when the file is damaged or not reconciled
 */
export async function readCompaction(store: Store, table: string, file: CompactionFile): Promise<readonly Action[]> {
  const { first, version, name } = file;
  const path = `${logFolder(table)}/${name}`;
  try {
    const actions = parseCommit(await readText(store, path));
    assertReconciled(actions);
    return actions;
  } catch (cause) {
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `The log compaction ${path} cannot be read: ${reasonOf(cause)}.`, {
      table,
      version,
      path,
      hint: `Restore the missing commits of versions ${first} to ${version} from a backup; with them it is not read.`,
      cause,
    });
  }
}

/** Throws a plain Error that names the path. */
function assertReconciled(actions: readonly Action[]): void {
  const files = new Set<string>();
  const added = new Set<string>();
  for (const action of actions) {
    const file = "add" in action ? action.add : "remove" in action ? action.remove : undefined;
    if (file === undefined) continue;
    const key = fileKey(file);
    if (files.has(key))
      throw new Error(`it adds or removes ${file.path} more than once, so its last state is not known`);
    files.add(key);
    if (!("add" in action)) continue;
    if (added.has(file.path)) throw new Error(`it adds ${file.path} with different deletion vectors`);
    added.add(file.path);
  }
}
