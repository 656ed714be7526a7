import { join } from "node:path";
import { localStore, readSnapshot } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { readRows } from "../../packages/delta/src/javascript/read-rows.js";
import { findSuite } from "./suite.js";

describe("public tables with variants, by Spark (skipped where the tables are absent)", () => {
  const suite = findSuite();
  // Rows: what the extension counts in expected.json.
  it.skipIf(suite === undefined).each([
    ["delta/kernel/kernel-defaults/src/test/resources/spark-variant-checkpoint", "id", 102],
    ["delta/kernel/kernel-defaults/src/test/resources/spark-shredded-variant-preview-delta", "id", 102],
    ["delta/spark/src/test/resources/delta/variant-stats-no-checkpoint", "i", 10],
  ])("other columns of %s are read, a variant is refused by name", async (table, column, count) => {
    const snapshot = await readSnapshot(localStore, join(suite ?? "", "tables", table));
    if (snapshot === undefined) throw new Error("no log");
    const read = async (columns: string[]) => {
      const rows = [];
      for await (const row of readRows(localStore, snapshot, { columns })) rows.push(row);
      return rows.length;
    };
    expect(await read([column])).toBe(count);
    await expect(read([column, "v"])).rejects.toMatchObject({
      code: "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
      message: expect.stringContaining("variantType (v)"),
    });
  });
});
