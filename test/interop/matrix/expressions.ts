import type { Evaluator, Row } from "@ingot/delta";

/** The expressions that the matrix's tables have, in Spark's SQL, each as our engines compute it. */
const EXPRESSIONS: Readonly<Record<string, { javascript(row: Row): unknown; duckdb: string }>> = {
  "amount > 0": {
    javascript: ({ amount }) => (amount === null ? null : Number(amount) > 0),
    duckdb: "amount > 0",
  },
  "id * 2": {
    javascript: ({ id }) => (id as bigint) * 2n,
    duckdb: "id * 2",
  },
  "double <=> (id * 2)": {
    javascript: ({ id, double }) => double === (id as bigint) * 2n,
    duckdb: '"double" IS NOT DISTINCT FROM (id * 2)',
  },
  "CAST(at AS DATE)": {
    javascript: ({ at }) => String(at).slice(0, 10),
    duckdb: 'CAST("at" AS DATE)',
  },
  "day <=> (CAST(at AS DATE))": {
    javascript: ({ at, day }) => String(at).slice(0, 10) === day,
    duckdb: 'day IS NOT DISTINCT FROM CAST("at" AS DATE)',
  },
  "'open'": { javascript: () => "open", duckdb: "'open'" },
};

function find(sql: string) {
  const expression = EXPRESSIONS[sql];
  if (expression === undefined) throw new Error(`the matrix does not know ${sql}`);
  return expression;
}

export const javascriptEvaluator: Evaluator<(row: Row) => unknown> = { compile: (sql) => find(sql).javascript };
export const duckdbEvaluator: Evaluator<string> = { compile: (sql) => find(sql).duckdb };
