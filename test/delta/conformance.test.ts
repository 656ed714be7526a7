import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Comparison, compareTables, readExpected } from "./compare-tables.js";
import { findSuite } from "./suite.js";

/** Where we differ from the extension, and who is right. */
const EXPLAINED: Readonly<Record<string, string>> = {
  "data-reader-timestamp_ntz-name-mode":
    "The extension gives NULL for each timestamp_ntz partition value under column mapping. Our rows are those of " +
    "data-reader-timestamp_ntz, which the same generator wrote without mapping: their hashes are equal.",
  "parquet-all-types-legacy-format":
    "The extension fails on the old form of lists in Parquet. Our rows are those of parquet-all-types, which has the " +
    "same values in the new form: their hashes are equal.",
  "void-column": "The extension does not know the type void, which the protocol has: all its values are NULL.",
};

/**
 * Why a table may be refused. The protocol asks a reader to refuse a reader feature or a version that it does not know.
 * - variantType: DuckDB 1.5 reads variants of Spark's older files as plain structs; the product has no such type.
 * - geospatial: a reader feature of a draft. catalogManaged: the newest commits may be in the catalog only.
 * - Broken or incomplete: a log without protocol, metadata, schema or its first commits; logs of unit tests whose data
 *   files or deletion vectors were never there.
 * - crc-full: made by hand for its checksum, which tells of ten files while the log has none. Who reads rows all the
 *   same trusts a log that may have lost them.
 */
const REASONS = [
  /cannot be read: it needs .*(variantType|geospatial|catalogManaged|reader version)/,
  /holds no (metaData|protocol) action|schemaString is missing|lacks the commit/,
  /The deletion vector in .* cannot be read: ENOENT/,
  /does not add up to what the checksum of version 0 tells: it has 0 files, not 10/,
  /a data file that the log names is gone: .*No files found that match the pattern/,
];

describe("the public conformance tables", () => {
  const suite = findSuite();
  if (suite === undefined) {
    it.skip("are not here: set DELTA_CONFORMANCE to the folder that holds tables/ and expected.json", () => undefined);
    return;
  }

  it("are read as expected, refused with a reason, or differ with an explanation", { timeout: 300_000 }, async () => {
    const results: Comparison[] = [];
    const expected = readExpected(join(suite, "expected.json"));
    for await (const result of compareTables(join(suite, "tables"), expected)) results.push(result);
    const named = (outcome: Comparison["outcome"]) => results.filter((result) => result.outcome === outcome);

    expect(
      named("different")
        .map(({ table }) => table.split("/").at(-1))
        .sort(),
    ).toEqual(Object.keys(EXPLAINED).sort());
    const refused = named("refused");
    expect(refused.filter(({ difference }) => !REASONS.some((reason) => reason.test(difference)))).toEqual([]);
    const readByOthers = refused.filter(({ difference }) => difference.includes("(expected"));
    expect(readByOthers.filter(({ difference }) => !/variantType|checksum/.test(difference))).toEqual([]);
    expect(named("equal").length).toBeGreaterThanOrEqual(134);
  });
});
