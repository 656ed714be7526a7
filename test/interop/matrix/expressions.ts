import type { Evaluator, Row } from "@ingot/delta";

/**
 * The expressions that the matrix's tables have, by their text in Spark's SQL, as a program without SQL computes them.
 * Our DuckDB engine translates the text.
 */
const EXPRESSIONS: Readonly<Record<string, (row: Row) => unknown>> = {
  "amount > 0": ({ amount = null }) => (amount === null ? null : Number(amount) > 0),
  "id > 0": ({ id = null }) => (id === null ? null : (id as bigint) > 0n),
  "id * 2": ({ id }) => (id as bigint) * 2n,
  "double <=> (id * 2)": ({ id, double }) => double === (id as bigint) * 2n,
  "CAST(at AS DATE)": ({ at }) => String(at).slice(0, 10),
  "day <=> (CAST(at AS DATE))": ({ at, day }) => String(at).slice(0, 10) === day,
  "'open'": () => "open",
};

export const javascriptEvaluator: Evaluator<(row: Row) => unknown> = {
  compile(sql) {
    const expression = EXPRESSIONS[sql];
    if (expression === undefined) throw new Error(`the matrix does not know ${sql}`);
    return expression;
  },
};
