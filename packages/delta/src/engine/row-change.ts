import type { NewFile } from "../commit/change.js";
import type { Rows } from "../files/roaring-bitmap.js";
import type { AddFile } from "../log/actions.js";
import type { StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { FileLayout } from "./file-layout.js";

/** A file of a snapshot with the rows that its deletion vector hides. */
export interface LiveFile {
  readonly file: AddFile;
  /** Positions from 0, ascending; undefined: none is hidden. */
  readonly deleted: Rows | undefined;
}

/** A file, and rows in it by position, ascending; never rows that are deleted already. */
export interface TouchedFile extends LiveFile {
  readonly touched: Rows;
}

/**
 * A change of single rows (DELETE, UPDATE, MERGE, overwrite by predicate) as an engine carries it out. `changeRows`
 * calls `prepare`, `find`, then `write`, then commits; when another writer was faster it begins again with a newer
 * snapshot, so all give the same for the same snapshot, and `write` makes files of new names each time.
 */
export interface RowChange {
  /** As `DESCRIBE HISTORY` shows it: "DELETE", "UPDATE", "MERGE", "WRITE". */
  readonly operation: string;
  readonly operationParameters: Readonly<Record<string, string>>;
  /**
   * The schema of the new rows, where the table is to take over their new columns and wider types (`WITH SCHEMA
   * EVOLUTION`). The snapshots that the functions below get have the merged schema then. Undefined: the table's stays.
   */
  readonly rowSchema?: StructType | undefined;

  /**
   * Called first with each snapshot that the change is planned by. Refuses it where the table lacks what the change
   * names, or has rules that the engine cannot enforce.
   */
  prepare?(snapshot: Snapshot): Promise<void>;

  /**
   * Whether a file may hold rows that this change reads or touches, by its statistics and partition values; true when
   * in doubt. Files that it may not are neither searched, nor do they conflict when another writer adds them.
   */
  mayTouch(file: AddFile): boolean;

  /**
   * The rows that go away or are replaced, by file; files without any may be left out. Refuses the change where it is
   * not one function of the rows, as a merge of which two source rows match one target row.
   */
  find(snapshot: Snapshot, files: readonly LiveFile[]): Promise<readonly TouchedFile[]>;

  /** Writes what takes their place. Files that it wrote before a failure are its own to remove. */
  write(task: RewriteTask): Promise<Rewritten>;

  /** Lets go of what `find` and `write` hold; called once, at the end. */
  close?(): Promise<void>;
}

export interface RewriteTask {
  readonly snapshot: Snapshot;
  readonly layout: FileLayout;
  /** What `find` gave. */
  readonly touched: readonly TouchedFile[];
  /**
   * "vectors": touched rows are marked as deleted where they are. "copy": every touched file goes away, so its rows
   * that are neither deleted nor touched are to be written again, with their row ids where the layout has them.
   */
  readonly by: "vectors" | "copy";
  /** The table has a change data feed. */
  readonly changeFeed: boolean;
}

export interface Rewritten {
  /** New rows, after-images, and copies. After-images keep their row id where the layout has row tracking. */
  readonly add: readonly NewFile[];
  /**
   * Files with the column `_change_type`, where the task asks for a change feed: under `_change_data/`, or a file of
   * `add` that holds this column and no copied row. May be left out where only whole rows come or go (no update, no
   * copied row): the log tells these.
   */
  readonly changeFiles: readonly NewFile[];
  readonly rows: {
    readonly inserted: number;
    readonly updated: number;
    readonly deleted: number;
    readonly copied: number;
  };
}
