import type { NewFile } from "../commit/change.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { FileLayout } from "./file-layout.js";
import type { LiveFile } from "./row-change.js";

/** How rows are to lie in files, so that rows that are near in several columns at once are near in the files. */
export interface ClusterOrder {
  readonly curve: "hilbert" | "z-order";
  /** Columns by path, names as in the schema. */
  readonly columns: readonly (readonly string[])[];
}

/** Writes the rows of some files anew, in another grouping or order: OPTIMIZE, REORG. An engine fills it. */
export interface FileRewriter {
  /**
   * The live rows of the files as new files of about `layout.targetFileSize`, none lost or changed, row ids kept where
   * the layout has them. Files that it wrote before a failure are its own to remove.
   *
   * @param order undefined: rows stay in the files' order
   */
  rewrite(
    snapshot: Snapshot,
    files: readonly LiveFile[],
    layout: FileLayout,
    order: ClusterOrder | undefined,
  ): Promise<readonly NewFile[]>;
}
