import { expect, it } from "vitest";
import { caseQuery, type DecoderCase, sourcesOf, VECTOR_CASES } from "../sap/decoder-cases.js";
import { openDecoders } from "../sap/decoder-session.js";
import { HOSTILE_CASES } from "../sap/hostile-cases.js";
import { describeWith } from "./peer.js";
import { SparkError, startSpark } from "./spark.js";

const CASES: readonly DecoderCase[] = [...VECTOR_CASES, ...HOSTILE_CASES];

(await describeWith("spark"))("the decoders of SAP's values", () => {
  it("give what Spark gives for the expressions that they stand for", async () => {
    const spark = await startSpark();
    const answers = await spark.runAll(CASES.map((test) => [caseQuery(test, "expansion")])).finally(() => spark.stop());
    const session = await openDecoders();
    const wrong: string[] = [];
    for (const [i, test] of CASES.entries()) {
      const answer = answers[i];
      const title = `${test.decoder} ${test.types.join()} ${JSON.stringify(test.constants)}`;
      if (answer === undefined || answer instanceof SparkError)
        throw new Error(`Spark on ${title}: ${answer?.message ?? "no answer"}`);
      const own = (await session.rows(caseQuery(test, "call"), sourcesOf(test))).map((row, n) => shown(test, n, row));
      const theirs = answer.rows.map((row, n) => shown(test, n, row));
      wrong.push(...own.flatMap((row, n) => (row === theirs[n] ? [] : [`${title}: ${row}, Spark ${theirs[n]}`])));
    }
    expect(wrong).toEqual([]);
    session.close();
  }, 240_000);
});

function shown({ rows }: DecoderCase, n: number, [, value, reason]: readonly unknown[]): string {
  return `${rows[n]?.values.join(", ")} → ${String(value)} ${String(reason)}`;
}
