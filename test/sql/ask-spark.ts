import type { Relation } from "../interop/relation.js";
import { type Spark, SparkError } from "../interop/spark.js";
import type { Answer, Case, Corpus } from "./corpus.js";
import { splitStatements } from "./setup-statements.js";
import { canonicalOf } from "./spark-values.js";

/**
 * Spark's answers to the cases of a corpus, by their place. A case whose setup fails, or whose session has a setting
 * that is not known here, gets the error as its answer.
 */
export async function askSpark(spark: Spark, { setups, cases }: Corpus): Promise<Answer[]> {
  const answers = new Map<Case, Answer>();
  for (const [name, group] of groupBy(cases, (test) => test.setup)) {
    await clear(spark);
    const failure = await makeTables(spark, setups.get(name)?.spark ?? "");
    if (failure !== undefined) for (const test of group) answers.set(test, failure);
    else
      for (const [timeZone, tests] of groupBy(group, (test) => test.timeZone)) {
        await spark.sql(`SET spark.sql.session.timeZone = ${timeZone}`);
        const found = await spark.runAll(tests.map((test) => [test.sql]));
        for (const [i, test] of tests.entries()) answers.set(test, toAnswer(found[i]));
      }
  }
  await spark.sql("SET spark.sql.session.timeZone = UTC");
  return cases.map((test) => answers.get(test) ?? { condition: null });
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Takes away what the setup before has made. */
async function clear(spark: Spark): Promise<void> {
  for (const [, name] of (await spark.sql("SHOW VIEWS")).rows) await spark.sql(`DROP VIEW IF EXISTS \`${name}\``);
  for (const [, name, temporary] of (await spark.sql("SHOW TABLES")).rows)
    if (temporary !== true) await spark.sql(`DROP TABLE IF EXISTS \`${name}\``);
}

async function makeTables(spark: Spark, script: string): Promise<Answer | undefined> {
  await spark.sql("SET spark.sql.session.timeZone = UTC");
  for (const statement of splitStatements(script)) {
    const [answer] = await spark.runAll([[statement]]);
    if (answer instanceof SparkError) return toAnswer(answer);
  }
  return undefined;
}

function toAnswer(answer: Relation | SparkError | undefined): Answer {
  if (answer === undefined || answer instanceof SparkError)
    return {
      condition: answer?.condition ?? null,
      ...(answer?.phase === undefined ? {} : { phase: answer.phase }),
    };
  const { columns, rows } = answer;
  return { columns, rows: rows.map((row) => row.map((value, i) => canonicalOf(value, columns[i]?.type ?? ""))) };
}
