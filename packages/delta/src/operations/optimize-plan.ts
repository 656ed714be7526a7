import type { ClusterOrder } from "../engine/file-rewriter.js";
import { numRecords } from "../files/stats.js";
import type { AddFile } from "../log/actions.js";
import { type Cube, cubeColumns, cubeOf, type FileMarks } from "./clustering-cube.js";

/** Files whose rows are to be written anew together, all of one partition. */
export interface RewriteGroup {
  readonly files: readonly AddFile[];
  /** Undefined: rows stay in the files' order. */
  readonly order: ClusterOrder | undefined;
  /** What the new files are marked with. "new cube": they are clustered by the order's columns. */
  readonly marks: FileMarks | "new cube";
}

export interface Packing {
  /** Bytes; files of this size and more are left alone. */
  readonly minFileSize: number;
  /** Bytes of a new file, about. */
  readonly targetFileSize: number;
  /** A file of which more than this share of the rows is deleted is written anew, whatever its size. */
  readonly maxDeletedRowsRatio: number;
}

/** Spark's `optimize.maxDeletedRowsRatio`. */
export const MAX_DELETED_ROWS_RATIO = 0.05;

/** A cube of this many target files is complete: new rows are not merged into it any more. */
const CUBE_FILES = 8;

/**
 * Small files, and files with many deleted rows, gathered into files of the target size within each partition, the
 * smallest first. A file of the right size is left alone, and so is a small one that stays alone in its bin. Source:
 * Spark's `OptimizeTableCommand`, which leaves a lone file with deleted rows, too; here it is written anew.
 */
export function planCompaction(files: readonly AddFile[], packing: Packing): RewriteGroup[] {
  const hasDeleted = (file: AddFile): boolean => deletedRatio(file) > packing.maxDeletedRowsRatio;
  const candidates = files.filter((file) => file.size < packing.minFileSize || hasDeleted(file));
  return byPartition(candidates)
    .flatMap((partition) => packBins(partition, packing.targetFileSize))
    .filter((bin) => bin.length > 1 || bin.some(hasDeleted))
    .map((bin) => ({ files: bin, order: undefined, marks: {} }));
}

/** Files with deleted rows, however few, without those rows: `REORG TABLE … APPLY (PURGE)`. Marks of clustering stay. */
export function planPurge(files: readonly AddFile[]): RewriteGroup[] {
  return files
    .filter(({ deletionVector }) => deletionVector !== undefined)
    .map((file) => ({ files: [file], order: undefined, marks: marksOf(file) }));
}

/** All rows of each partition, in the order of the columns: `OPTIMIZE … ZORDER BY`. Never done with, as in Spark. */
export function planZOrder(files: readonly AddFile[], columns: ClusterOrder["columns"]): RewriteGroup[] {
  return byPartition(files).map((partition) => ({
    files: partition,
    order: { curve: "z-order", columns },
    marks: {},
  }));
}

/**
 * The files of a clustered table that are not clustered yet, as a new cube, with the older cubes that are no larger than
 * what is gathered already: so a row is written anew only when its cube at least doubles, and there are few cubes.
 * Spark merges all cubes below 100 GB each time. Files that were clustered by other columns or by another program stay
 * as they are until `full`, which lays out all files anew.
 */
export function planClustering(
  files: readonly AddFile[],
  columns: ClusterOrder["columns"],
  { targetFileSize, maxDeletedRowsRatio }: Omit<Packing, "minFileSize">,
  full: boolean,
): RewriteGroup[] {
  const gathered = full ? [...files] : files.filter(({ clusteringProvider }) => clusteringProvider === undefined);
  if (!full && gathered.length > 0) {
    let size = totalSize(gathered);
    for (const cube of cubesOf(files, cubeColumns(columns))) {
      if (cube.size > size || cube.size >= CUBE_FILES * targetFileSize) break;
      gathered.push(...cube.files);
      size += cube.size;
    }
  }
  const taken = new Set(gathered);
  const purged = files.filter((file) => !taken.has(file) && deletedRatio(file) > maxDeletedRowsRatio);
  return [
    ...(gathered.length === 0
      ? []
      : [{ files: gathered, order: { curve: "hilbert", columns }, marks: "new cube" } as const]),
    ...planPurge(purged),
  ];
}

/** The cubes by these columns, the smallest first. */
function cubesOf(files: readonly AddFile[], columns: string): { files: AddFile[]; size: number }[] {
  const belongs = (cube: Cube | undefined): cube is Cube =>
    cube !== undefined && (cube.columns === undefined || cube.columns === columns);
  const cubes = new Map<string, { files: AddFile[]; size: number }>();
  for (const file of files) {
    const cube = cubeOf(file);
    if (!belongs(cube)) continue;
    const found = cubes.get(cube.id) ?? { files: [], size: 0 };
    found.files.push(file);
    found.size += file.size;
    cubes.set(cube.id, found);
  }
  return [...cubes.values()].sort((a, b) => a.size - b.size);
}

/** The smallest first; a bin is closed when the next file would make it larger than the target. */
export function packBins(files: readonly AddFile[], targetFileSize: number): AddFile[][] {
  const bins: AddFile[][] = [];
  let left = 0;
  const sized = files.map((file) => ({ file, size: liveSize(file) })).sort((a, b) => a.size - b.size);
  for (const { file, size } of sized) {
    const bin = bins.at(-1);
    if (bin === undefined || size > left) {
      bins.push([file]);
      left = targetFileSize - size;
    } else {
      bin.push(file);
      left -= size;
    }
  }
  return bins;
}

/** Files by partition; null and "" are both NULL. */
export function byPartition(files: readonly AddFile[]): AddFile[][] {
  const partitions = new Map<string, AddFile[]>();
  for (const file of files) {
    const values = Object.entries(file.partitionValues).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify(values.map(([column, value]) => [column, value === "" ? null : value]));
    const partition = partitions.get(key);
    if (partition === undefined) partitions.set(key, [file]);
    else partition.push(file);
  }
  return [...partitions.values()];
}

/** The share of a file's rows that is deleted; 1 where the file has deleted rows and does not tell of how many. */
export function deletedRatio({ deletionVector, stats }: AddFile): number {
  if (deletionVector === undefined) return 0;
  const rows = numRecords(stats);
  return rows === undefined || rows === 0 ? 1 : Number(deletionVector.cardinality) / rows;
}

/** Bytes that the file's live rows take, about. */
export function liveSize(file: AddFile): number {
  if (file.deletionVector === undefined) return file.size;
  const rows = numRecords(file.stats) ?? 0;
  return rows === 0 ? file.size : file.size * (1 - Number(file.deletionVector.cardinality) / rows);
}

export function totalSize(files: readonly AddFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

export function marksOf({ clusteringProvider, tags }: AddFile): FileMarks {
  return {
    ...(clusteringProvider === undefined ? {} : { clusteringProvider }),
    ...(tags === undefined ? {} : { tags }),
  };
}
