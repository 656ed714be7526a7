import type { AddFile } from "../log/actions.js";
import { numRecords } from "./stats.js";

/**
 * How many rows a table has, by the statistics of its files: a file's rows without those that its deletion vector
 * hides. Undefined when a file does not tell. Source: the Delta protocol, "Per-file Statistics": `numRecords` counts
 * the rows of the data file.
 */
export function countRows({
  files,
}: {
  readonly files: readonly Pick<AddFile, "stats" | "deletionVector">[];
}): bigint | undefined {
  let rows = 0n;
  for (const { stats, deletionVector } of files) {
    const count = numRecords(stats);
    if (count === undefined) return undefined;
    rows += BigInt(count) - (deletionVector?.cardinality ?? 0n);
  }
  return rows;
}
