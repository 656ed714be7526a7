import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { DeltaError } from "./error.js";
import { localStore } from "./local-store.js";
import { readSnapshot, type Snapshot } from "./snapshot.js";
import { numRecords } from "./stats.js";

/**
 * The public test tables of delta-io/delta, delta-rs and delta-kernel-rs, with what the Delta kernel reads from each.
 * They lie outside this repository: `delta/tables` and `delta/expected.json` in a folder beside it, or where
 * DELTA_CONFORMANCE points.
 */
const SUITE = process.env["DELTA_CONFORMANCE"] ?? findSuite(join(import.meta.dirname, "../../../.."));

interface Expected {
  readonly rows?: number;
  readonly error?: string;
}

describe("the public conformance tables", () => {
  if (SUITE === undefined) {
    it.skip("are not here: set DELTA_CONFORMANCE to the folder that holds tables/ and expected.json", () => undefined);
    return;
  }
  const tables = findTables(join(SUITE, "tables"));
  const expected: Record<string, Expected> = JSON.parse(readFileSync(join(SUITE, "expected.json"), "utf8"));

  it("are read with the right number of rows, or refused with the reason", { timeout: 120_000 }, async () => {
    const counts: Record<string, number> = {};
    const wrong: string[] = [];
    const count = (outcome: string): void => {
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    };
    for (const table of tables) {
      const name = relative(join(SUITE, "tables"), table);
      try {
        const snapshot = await readSnapshot(localStore, table);
        const rows = snapshot && rowsOf(snapshot);
        count(snapshot === undefined ? "no table" : rows === undefined ? "read, rows not told" : "read, rows told");
        const expectedRows = expected[name]?.rows;
        if (rows !== undefined && expectedRows !== undefined && rows !== expectedRows)
          wrong.push(`${name}: ${rows} rows instead of ${expectedRows}`);
      } catch (error) {
        if (!(error instanceof DeltaError)) throw error;
        count(error.code);
        const isReason = /checkpoint|lacks|needs|holds no|contradicts|is missing|cannot be read/.test(error.message);
        if (!isReason || error.hint === undefined) wrong.push(`${name}: ${error.message}`);
      }
    }
    process.stdout.write(`conformance, ${tables.length} tables: ${JSON.stringify(counts)}\n`);
    expect(wrong).toEqual([]);
    expect(counts["read, rows told"]).toBeGreaterThanOrEqual(40);
  });
});

/** By statistics alone: the table's Parquet files are not read here. */
function rowsOf({ files }: Snapshot): number | undefined {
  const counts = files.map((file) => numRecords(file.stats));
  return counts.reduce<number | undefined>(
    (sum, rows) => (sum === undefined || rows === undefined ? undefined : sum + rows),
    0,
  );
}

function findSuite(folder: string): string | undefined {
  const beside = readdirSync(folder).map((name) => join(folder, name, "delta"));
  return beside.find((path) => existsSync(join(path, "expected.json")));
}

function findTables(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.name === "_delta_log").map((entry) => entry.parentPath);
}
