/**
 * node scripts/run-source.mjs test/sql/random-corpus.ts SEED COUNT > CORPUS.json
 *
 * Writes a corpus of random expressions without answers, for `npm run conformance:sql -- CORPUS.json --spark OUT.json`.
 */
import { randomCorpus } from "./random-expression.js";

const [seed, count] = process.argv.slice(2).map(Number);
process.stdout.write(JSON.stringify(randomCorpus(seed ?? 1, count ?? 500)));
