import { expect, it } from "vitest";
import { zOrderKey } from "../operations/cluster-curve.js";
import { optimize } from "../operations/optimize.js";
import { memoryStore } from "../testing/memory-store.js";
import { gatherRows, stateOf, tableOf } from "../testing/test-table.js";
import { deleteRows } from "./delete-rows.js";
import { readRows } from "./read-rows.js";
import { fileRewriter } from "./rewrite-files.js";
import { appendRows } from "./write-rows.js";

it("lays rows along the curve and keeps them, without those that are deleted", async () => {
  const store = memoryStore();
  const configuration = { "delta.enableDeletionVectors": "true" };
  const table = await tableOf(store, { x: "date", y: "string", gone: "boolean" }, { configuration });
  // A grid of eight by eight: ranks are the places in it, whatever the values.
  const grid = Array.from({ length: 64 }, (_, i) => ({ x: (i * 5) % 8, y: Math.floor(i / 8) }));
  const toRow = ({ x, y }: { x: number; y: number }) => ({ x: `2024-05-0${x + 1}`, y: `${"abcdefgh"[y]}\u{1f600}` });
  for (const half of [grid.slice(0, 30), grid.slice(30)])
    await appendRows(
      store,
      table,
      half.flatMap((place) => [toRow(place), { ...toRow(place), gone: true }]),
    );
  await deleteRows(store, table, ({ gone }) => gone === true);
  await optimize(store, table, fileRewriter(store), { zOrderBy: [["x"], ["y"]] });
  const snapshot = await stateOf(store, table);
  expect(snapshot.files).toHaveLength(1);
  expect(snapshot.files[0]?.deletionVector).toBeUndefined();
  const rows = await gatherRows(readRows(store, snapshot, { columns: ["x", "y"] }));
  const key = ({ x, y }: { x: number; y: number }) => Number(zOrderKey([x, y], 3));
  expect(rows).toEqual([...grid].sort((a, b) => key(a) - key(b)).map(toRow));
});
