/**
 * npm run conformance:delta -- DIR EXPECTED.json
 *
 * Reads every Delta table below DIR and compares rows, schema and hash with EXPECTED.json, which holds by the table's
 * path `{rows, schema, jsonMd5Sum}` or `{error}`. Prints one line for each table that differs and then the counts.
 * Exit code 0 when none is different, 1 when one is, 2 when it was called in another way.
 */
import { compareTables, readExpected } from "./compare-tables.js";

const [folder, expected] = process.argv.slice(2);
if (folder === undefined || expected === undefined) {
  process.stderr.write("usage: npm run conformance:delta -- DIR EXPECTED.json\n");
  process.exit(2);
}
const counts = { equal: 0, refused: 0, different: 0, unknown: 0 };
for await (const { table, outcome, difference } of compareTables(folder, readExpected(expected))) {
  counts[outcome] += 1;
  if (outcome === "different" || outcome === "refused") process.stdout.write(`${outcome} ${table}: ${difference}\n`);
}
if (counts.unknown > 0) process.stdout.write(`${counts.unknown} read that ${expected} does not name\n`);
process.stdout.write(`${counts.equal} equal, ${counts.refused} refused, ${counts.different} different\n`);
process.exitCode = counts.different > 0 ? 1 : 0;
