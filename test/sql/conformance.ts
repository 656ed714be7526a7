/**
 * npm run conformance:sql -- CORPUS.json [--spark [OUT.json]]
 *
 * Runs the queries of a corpus (`corpus.ts`) on the embedded engine and compares names, types, values and conditions with
 * Spark's answers: one line for each case that is not exact, then the counts. With `--spark` the answers are made anew by
 * a real Spark, compared with those of the file, and written to OUT.json where it is given. Exit code 0 when none is
 * wrong, 1 when one is, 2 when it was called in another way or the file is no corpus.
 */
import { startSpark } from "../interop/spark.js";
import { askSpark } from "./ask-spark.js";
import { type Answer, type Corpus, readCorpus } from "./corpus.js";
import { type Outcome, openEmbedded } from "./embedded.js";
import { judge } from "./verdict.js";
import { writeCorpus } from "./write-corpus.js";

const USAGE = "usage: npm run conformance:sql -- CORPUS.json [--spark [OUT.json]]\n";

process.exitCode = await main(process.argv.slice(2));

async function main([file, option, out, ...more]: readonly string[]): Promise<number> {
  if (file === undefined || (option !== undefined && option !== "--spark") || more.length > 0) return fail(USAGE);
  let corpus: Corpus;
  try {
    corpus = readCorpus(file);
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  if (option === "--spark") {
    const answers = await answerAnew(corpus);
    if (out !== undefined) writeCorpus(file, out, answers);
    const cases = corpus.cases.map((test, i) => {
      const answer = answers[i];
      return answer === undefined || test.parseOnly ? test : { ...test, answer };
    });
    corpus = { ...corpus, cases };
  }
  return run(corpus);
}

function fail(message: string): number {
  process.stderr.write(message);
  return 2;
}

async function run(corpus: Corpus): Promise<number> {
  const counts = { exact: 0, refused: 0, wrong: 0 };
  let unanswered = 0;
  const embedded = openEmbedded(corpus);
  for (const test of corpus.cases) {
    if (test.answer === undefined) {
      unanswered += 1;
      continue;
    }
    const verdict = judge(test, test.answer, await embedded.answer(test));
    counts[verdict.kind] += 1;
    if (verdict.kind !== "exact") say(`${verdict.kind} ${test.id}: ${verdict.why}`);
  }
  embedded.close();
  if (unanswered > 0) say(`${unanswered} cases have no answer of Spark's and are not counted`);
  say(`${counts.exact} exact, ${counts.refused} refused, ${counts.wrong} wrong`);
  return counts.wrong > 0 ? 1 : 0;
}

/** Says which answers are not those of the file. */
async function answerAnew(corpus: Corpus): Promise<Answer[]> {
  // A table in one piece, so that sums of floating-point numbers have one order.
  const spark = await startSpark("short", { "spark.sql.leafNodeDefaultParallelism": "1" });
  try {
    const answers = await askSpark(spark, corpus);
    for (const [i, test] of corpus.cases.entries()) {
      const answer = answers[i];
      if (test.answer === undefined || answer === undefined) continue;
      const verdict = judge(test, test.answer, outcomeOf(answer));
      if (verdict.kind !== "exact") say(`the file's answer to ${test.id} is not Spark's: ${verdict.why}`);
    }
    return answers;
  } finally {
    await spark.stop();
  }
}

/** As if Spark were the engine that is judged. */
function outcomeOf(answer: Answer): Outcome {
  if ("condition" in answer)
    return {
      kind: "raised",
      message: "Spark's error",
      ...(answer.condition === null ? {} : { condition: answer.condition }),
    };
  return { kind: "rows", rows: answer, types: answer.columns.map((c) => c.type) };
}

function say(text: string): void {
  process.stdout.write(`${text.replace(/\s*\n\s*/g, " ")}\n`);
}
