import { readInOrder } from "../log/log.js";
import type { Entry, Store } from "../store/store.js";

/** A file below a folder. */
export interface FoundFile {
  /** Relative to the folder where the search began. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Last change, milliseconds since the epoch. */
  readonly modified: number;
}

/**
 * All files below a folder whose names, and those of the folders above them, are not hidden. A folder that holds a table
 * of its own is left out, with all below it.
 */
export async function listFiles(store: Store, root: string, isHidden: (entry: Entry) => boolean): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  let folders = [""];
  while (folders.length > 0) {
    const deeper: string[] = [];
    const list = async (parent: string): Promise<{ parent: string; entries: Entry[] }> => ({
      parent,
      entries: await store.list(parent === "" ? root : `${root}/${parent.slice(0, -1)}`),
    });
    for await (const { parent, entries } of readInOrder(folders, list)) {
      if (parent !== "" && entries.some(({ name, kind }) => kind === "folder" && name === "_delta_log")) continue;
      for (const entry of entries) {
        if (isHidden(entry)) continue;
        const { name, kind, size, modified } = entry;
        if (kind === "folder") deeper.push(`${parent}${name}/`);
        else found.push({ path: parent + name, size, modified });
      }
    }
    folders = deeper;
  }
  return found;
}
