import { curveBits, hilbertKey, zOrderKey } from "@ingot/delta";
import { afterAll, describe, expect, it } from "vitest";
import { withCurveKey } from "./curve-key.js";
import { closeTables, makeTable, schemaOf } from "./test-table.js";

afterAll(closeTables);

/** Ranks without a pattern, the ends of the range among them. */
function ranksOf(columns: number): number[][] {
  const most = 2 ** curveBits(columns) - 1;
  let seed = 12345;
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * (most + 1));
  };
  const some = Array.from({ length: 300 }, () => Array.from({ length: columns }, next));
  return [Array(columns).fill(0), Array(columns).fill(most), ...some];
}

describe.each([1, 2, 3, 4, 7])("a key over %i columns", (columns) => {
  it.each([
    ["hilbert", hilbertKey],
    ["z-order", zOrderKey],
  ] as const)("is the library's: %s", async (curve, keyOf) => {
    const { connection } = await makeTable(schemaOf("id long"));
    const ranks = ranksOf(columns);
    const names = ranks[0]?.map((_, i) => `r${i}`).join(", ");
    const values = ranks.map((row, n) => `(${n}, ${row.map((rank) => `${rank}::BIGINT`).join(", ")})`).join(", ");
    const query = withCurveKey(`SELECT * FROM (VALUES ${values}) v(n, ${names})`, curve, columns);
    const result = await connection.runAndReadAll(`SELECT key FROM (${query}) ORDER BY n`);
    expect(result.getRows().map(([key]) => BigInt(String(key)))).toEqual(
      ranks.map((row) => keyOf(row, curveBits(columns))),
    );
  });
});
