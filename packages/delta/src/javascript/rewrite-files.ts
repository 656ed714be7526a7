import type { ClusterOrder, FileRewriter } from "../engine/file-rewriter.js";
import { compareKeys, type SortKey } from "../files/sort-key.js";
import { curveBits, hilbertKey, rankOf, zOrderKey } from "../operations/cluster-curve.js";
import { findPlace } from "../schema/field-path.js";
import type { DataType, StructType } from "../schema/schema.js";
import type { Store } from "../store/store.js";
import { planRead } from "./read-plan.js";
import { readLiveRows, rowTrackingOf } from "./read-rows.js";
import { movedRow } from "./row-rewrite.js";
import { valueAt } from "./value.js";
import { hasOrder, valueKey } from "./value-key.js";
import { type NewRow, writeDataFiles } from "./write-files.js";

/** Rewrites files for OPTIMIZE in plain JavaScript. It holds the rows of one call in memory. */
export function fileRewriter(store: Store): FileRewriter {
  return {
    async rewrite(snapshot, files, layout, order) {
      const plan = planRead(snapshot, undefined, rowTrackingOf(snapshot));
      const rows: NewRow[] = [];
      for (const live of files)
        for await (const row of readLiveRows(store, live, plan))
          rows.push(layout.rowTracking === undefined ? { row: row.row } : movedRow(live.file, row));
      return writeDataFiles(store, layout, order === undefined ? rows : sortByCurve(rows, snapshot.schema, order));
    },
  };
}

/** Rows with one key keep their order. */
function sortByCurve(rows: readonly NewRow[], schema: StructType, { curve, columns }: ClusterOrder): NewRow[] {
  const bits = curveBits(columns.length);
  const ranks = columns.map((path) => rankValues(rows, schema, path, bits));
  const key = curve === "hilbert" ? hilbertKey : zOrderKey;
  return rows
    .map((row, i) => ({
      row,
      key: key(
        ranks.map((ofColumn) => ofColumn[i] ?? 0),
        bits,
      ),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

/** The rank of each row's value, in the rows' order. */
function rankValues(rows: readonly NewRow[], schema: StructType, path: readonly string[], bits: number): number[] {
  const type: DataType = findPlace(schema, path)?.type ?? { kind: "void" };
  const keys = rows.map(({ row }) => {
    const value = valueAt(row, path);
    return value === null || !hasOrder(type) ? null : valueKey(type, value);
  });
  const sorted = keys.map((value, i) => ({ value, i })).sort((a, b) => compareNullable(a.value, b.value));
  const ranks = new Array<number>(rows.length);
  let less = 0;
  for (const [place, { value, i }] of sorted.entries()) {
    const before = sorted[place - 1];
    if (before !== undefined && compareNullable(before.value, value) !== 0) less = place;
    ranks[i] = rankOf(less, rows.length, bits);
  }
  return ranks;
}

function compareNullable(a: SortKey | null, b: SortKey | null): number {
  return a === null || b === null ? Number(b === null) - Number(a === null) : compareKeys(a, b);
}
