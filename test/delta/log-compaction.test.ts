import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DuckdbEngine } from "../../packages/ingot/src/engine/duckdb/duckdb-engine.js";
import type { Field } from "../../packages/ingot/src/model/data-type.js";
import { findSuite } from "./suite.js";
import { tableQuery } from "./table-query.js";

const TABLE = "tables/kernel-rs/kernel/tests/data/compacted-log-files-table";

describe("the public table with log compactions that hold a path with several deletion vectors", () => {
  const suite = findSuite();

  // Figures: delta-rs 1.6.6, `SELECT count(*), sum(id)` at each version.
  it.skipIf(suite === undefined).each([
    [5n, 3, 6],
    [10n, 4, 14],
    [15n, 8, 44],
    [20n, 8, 50],
    [25n, 5, 25],
  ])(
    "has at version %i the rows that delta-rs reads (skipped where the tables are absent)",
    async (version, n, sum) => {
      const storage = mkdtempSync(join(tmpdir(), "delta-compaction-"));
      const engine = new DuckdbEngine(storage);
      onTestFinished(async () => {
        await engine.close();
        rmSync(storage, { recursive: true, force: true });
      });
      const schema = ["n", "sum"].map((name): Field => ({ name, type: { kind: "int" }, nullable: true }));
      const sql = "SELECT count(*)::INT AS n, sum(id)::INT AS sum FROM t";
      const bound = tableQuery(join(suite ?? "", TABLE), version, sql, schema);
      expect((await engine.query(bound, { signal: new AbortController().signal })).rows).toEqual([[n, sum]]);
    },
  );
});
