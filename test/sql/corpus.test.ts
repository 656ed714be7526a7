import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { readCorpus } from "./corpus.js";
import { openEmbedded } from "./embedded.js";
import { judge, type Verdict } from "./verdict.js";

const FIXTURES = fileURLToPath(new URL("../fixtures/sql/", import.meta.url));

/** Cases of each file that are exact: what once was is not to be refused later. */
const LEAST: Readonly<Record<string, number>> = {
  "clauses.json": 413,
  "conditions.json": 55,
  "corpus.json": 350,
  "expressions.json": 500,
  "functions.json": 2105,
  "queries.json": 547,
};

describe("Spark's answers", () => {
  it("are all gated", () => expect(readdirSync(FIXTURES).sort()).toEqual(Object.keys(LEAST)));
  it.each(Object.entries(LEAST))("%s: gives the same, or refuses before it runs", async (file, least) => {
    const found = await judgeAll(join(FIXTURES, file));
    const count = (kind: Verdict["kind"]) => found.filter((f) => f.kind === kind).length;
    process.stdout.write(`${file}: ${count("exact")} exact, ${count("refused")} refused, ${count("wrong")} wrong\n`);
    expect(found.filter((f) => f.kind === "wrong")).toEqual([]);
    expect(count("exact")).toBeGreaterThanOrEqual(least);
  });
});

async function judgeAll(file: string) {
  const corpus = readCorpus(file);
  const embedded = openEmbedded(corpus);
  const found = [];
  for (const test of corpus.cases) {
    if (test.answer === undefined) continue;
    const verdict = judge(test, test.answer, await embedded.answer(test));
    found.push({ id: test.id, sql: test.sql, kind: verdict.kind, why: "why" in verdict ? verdict.why : "" });
  }
  embedded.close();
  return found;
}

describe("a corpus that its author wrote by hand", () => {
  const folder = mkdtempSync(join(tmpdir(), "ingot-corpus-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const one = { schema: [{ name: "1", type: "int" }], rows: [["1"]] };
  const kindOf = async (test: object, setups: object = {}) => {
    const file = join(folder, "hand.json");
    writeFileSync(file, JSON.stringify({ setups, cases: [test] }));
    return (await judgeAll(file))[0];
  };

  it.each([
    ["another value", { sql: "SELECT 1", schema: one.schema, rows: [["2"]] }, "rows, number 1: expected"],
    ["another type", { sql: "SELECT 1L AS `1`", ...one }, "types, number 1: expected int, seen bigint"],
    ["another name", { sql: "SELECT 1 AS x", ...one }, "names, number 1: expected 1, seen x"],
    ["one row too many", { sql: "SELECT 1 UNION ALL SELECT 1", ...one }, "rows (1 expected, 2 seen), number 2"],
    ["rows where Spark raises", { sql: "SELECT 1", error: { condition: "DIVIDE_BY_ZERO" } }, "seen rows"],
    ["another error", { sql: "SELECT 1 / 0", error: { condition: "CAST_OVERFLOW" } }, "seen DIVIDE_BY_ZERO"],
    ["an error where Spark gives rows", { sql: "SELECT 1 / 0 AS `1`", ...one }, "DIVIDE_BY_ZERO"],
    ["rows out of order", { sql: "VALUES (2), (1)", ordered: true, ...ordered() }, "rows, number 1"],
  ])("is wrong: %s", async (_, test, why) => {
    const found = await kindOf(test);
    expect(found?.kind).toBe("wrong");
    expect(found?.why).toContain(why);
  });
  it.each([
    ["a setup that is not there", { sql: "SELECT 1", setup: "other", ...one }, {}],
    [
      "a setup that fails",
      { sql: "SELECT 1", ...one },
      { default: { spark: "CREATE VIEW v AS SELECT no_function()" } },
    ],
    ["no ANSI mode", { sql: "SELECT 1", session: { ansi: false }, ...one }, {}],
    ["a setting that is not known", { sql: "SELECT 1", session: { caseSensitive: true }, ...one }, {}],
    ["a zone that is none", { sql: "SELECT 1", session: { timeZone: "Mars/Base" }, ...one }, {}],
    ["a function that Spark has", { sql: "SELECT histogram_numeric(1, 2)", ...one }, {}],
    [
      "a refusal where Spark raises while it runs",
      { sql: "SELECT no", error: { condition: "X", phase: "runtime" } },
      {},
    ],
  ])("is refused: %s", async (_, test, setups) => {
    expect((await kindOf(test, setups))?.kind).toBe("refused");
  });
  it.each([
    [
      "Spark's own setup",
      { sql: "SELECT a AS `1` FROM t", ...one },
      { default: "CREATE TEMP VIEW t AS SELECT 1 AS a;" },
    ],
    ["both raise the same", { sql: "SELECT 1 / 0", expect: "error", error: { condition: "DIVIDE_BY_ZERO" } }, {}],
    ["both refuse it", { sql: "SELECT no", error: { condition: "OTHER", phase: "analysis" } }, {}],
    ["a column that Spark leaves open", { sql: "SELECT rand()", nondeterministic: "random", ...random() }, {}],
  ])("is exact: %s", async (_, test, setups) => {
    expect(await kindOf(test, setups)).toMatchObject({ kind: "exact" });
  });
  it("counts no case without an answer", async () => {
    expect(await kindOf({ sql: "SELECT 1", rows: 5 })).toBeUndefined();
    expect(await kindOf({ ...one, sql: "SELECT 1", usage: "parse-only" })).toBeUndefined();
  });
});

function ordered() {
  return { schema: [{ name: "col1", type: "int" }], rows: [["1"], ["2"]] };
}

function random() {
  return { schema: [{ name: "rand()", type: "double" }], rows: [["0.5"]] };
}
