import type { AddFile, TextMap } from "../log/actions.js";
import { formatPath } from "../schema/field-path.js";

/** The `clusteringProvider` of files that liquid clustering laid out. */
export const LIQUID = "liquid";

/** Rows that were laid out together by one run of clustering: a Z-cube in Spark's words. */
export interface Cube {
  readonly id: string;
  /** Undefined: the writer did not say by which columns. */
  readonly columns: string | undefined;
}

/** The cube of a file, undefined for a file whose rows nobody has clustered. Spark keeps it in the file's tags. */
export function cubeOf({ clusteringProvider, tags }: AddFile): Cube | undefined {
  if (clusteringProvider !== LIQUID) return undefined;
  return { id: tags?.["ZCUBE_ID"] ?? "", columns: tags?.["ZCUBE_ZORDER_BY"] ?? undefined };
}

/** What the files of a new cube are marked with, so that Spark knows it, too. */
export function cubeMarks(id: string, columns: readonly (readonly string[])[]): FileMarks {
  return {
    clusteringProvider: LIQUID,
    tags: { ZCUBE_ID: id, ZCUBE_ZORDER_BY: cubeColumns(columns), ZCUBE_ZORDER_CURVE: "hilbert" },
  };
}

export function cubeColumns(columns: readonly (readonly string[])[]): string {
  return JSON.stringify(columns.map(formatPath));
}

/** What a data file says of the order of its rows. */
export interface FileMarks {
  readonly clusteringProvider?: string;
  readonly tags?: TextMap;
}
