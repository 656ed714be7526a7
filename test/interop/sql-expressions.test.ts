import { expect, it } from "vitest";
import { askSpark } from "../sql/ask-spark.js";
import { toCorpus } from "../sql/corpus.js";
import { openEmbedded } from "../sql/embedded.js";
import { randomCorpus } from "../sql/random-expression.js";
import { judge } from "../sql/verdict.js";
import { describeWith } from "./peer.js";
import { startSpark } from "./spark.js";

/** `INGOT_SEED=…` asks about other expressions. Of two errors in one expression either engine may raise its own. */
const SEED = Number(process.env["INGOT_SEED"] ?? 7);
const COUNT = 400;

const describeSpark = await describeWith("spark");
describeSpark(`${COUNT} random expressions of seed ${SEED}`, () => {
  it("give Spark's value, type, name or error, or are refused", async () => {
    const corpus = toCorpus(randomCorpus(SEED, COUNT));
    const spark = await startSpark();
    const answers = await askSpark(spark, corpus).finally(() => spark.stop());
    const embedded = openEmbedded(corpus);
    const wrong: string[] = [];
    for (const [i, test] of corpus.cases.entries()) {
      const answer = answers[i];
      if (answer === undefined) throw new Error(`Spark gave no answer to ${test.sql}`);
      const verdict = judge(test, answer, await embedded.answer(test));
      if (verdict.kind === "wrong") wrong.push(`${test.sql}\n  ${verdict.why}`);
    }
    embedded.close();
    expect(wrong).toEqual([]);
    // A generator whose expressions fail proves nothing.
    expect(answers.filter((answer) => "rows" in answer).length).toBeGreaterThan(0.9 * COUNT);
  }, 120_000);
});
