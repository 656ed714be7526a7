/** What a folder holds, directly under it. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder";
  /** A link of a file system; `kind` and sizes are those of what it leads to, which may lie anywhere. */
  readonly isLink?: true;
  /** Bytes; 0 for a folder. */
  readonly size: number;
  /** Last change, milliseconds since the epoch; 0 for a folder of an object store, which has no time. */
  readonly modified: number;
}

/** Bytes of a file: from `offset` on; a negative offset counts from the end. */
export interface ByteRange {
  readonly offset: number;
  /** Undefined: to the end. */
  readonly length?: number;
}

/**
 * Where tables lie: a file system, an object store. Paths use `/`; a table is a path, its files lie below it.
 * An implementation owes three things: a listing shows what was put before, a file is never seen half written,
 * and of several `putIfAbsent` of one path exactly one wins.
 */
export interface Store {
  /**
   * The entries of a folder in any order; none when the folder is absent.
   *
   * @param after entries up to this name, in the order of their UTF-8 bytes, are of no interest: a store may leave them
   * out, or give them all the same
   */
  list(folder: string, after?: string): Promise<Entry[]>;

  /**
   * The whole file, or a range of it, which may be shorter where the file ends. Rejects when the file is absent, with
   * an error whose `code` is "ENOENT".
   */
  read(path: string, range?: ByteRange): Promise<Uint8Array>;

  /**
   * Creates the file whole and durably, with its folders. False when the path was taken: nothing has changed then.
   * Rejects when the file could not be written, or when nobody can tell: an object store may have taken it although
   * its answer was lost.
   */
  putIfAbsent(path: string, content: string | Uint8Array): Promise<boolean>;

  /** Creates the file or takes the place of the one that is there, whole and durably. */
  put(path: string, content: string | Uint8Array): Promise<void>;

  /** Removes the file; none there is no error. Folders stay. */
  delete(path: string): Promise<void>;
}

/** A store whose files are not files of this machine. */
export interface RemoteStore extends Store {
  /** Puts a local file of any size at `path`, whole and durably, in parts where it is large; never held in memory whole. */
  upload(localPath: string, path: string): Promise<void>;
}
