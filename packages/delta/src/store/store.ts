/** What a folder holds, directly under it. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder";
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Last change, milliseconds since the epoch. */
  readonly modified: number;
}

/**
 * Where tables lie: a file system, an object store. Paths use `/`; a table is a path, its files lie below it.
 * An implementation owes three things: a listing shows what was put before, a file is never seen half written,
 * and of several `putIfAbsent` of one path exactly one wins.
 */
export interface Store {
  /** The entries of a folder in any order; none when the folder is absent. */
  list(folder: string): Promise<Entry[]>;

  /** The whole file; rejects when it is absent. */
  read(path: string): Promise<Uint8Array>;

  /**
   * Creates the file whole and durably, with its folders. False when the path was taken: nothing has changed then.
   * Rejects when the file could not be written; nothing is left at the path then.
   */
  putIfAbsent(path: string, content: string): Promise<boolean>;
}
