import type { BoundQuery } from "../../engine.js";
import { type CountedRows, type ReadExamples, refuseViolations } from "../../rules/expectation-violation.js";
import { countText, toRuleCounts } from "../../rules/rule-counts.js";
import { sqlRelation } from "../connect/relations.js";
import type { SparkSession } from "../connect/session.js";
import { notOnSpark } from "../not-supported.js";
import { ruledRows } from "../query-text.js";
import { tracesRows } from "../source-columns.js";
import { columnList } from "../spark-sql.js";
import type { TextContext } from "../text-context.js";
import { checkedText } from "./rule-text.js";

/** The rows of a query with rules, which were counted. */
export interface CheckedRows extends CountedRows {
  /** SQL of all the rows with the answers of the rules. */
  readonly text: string;
  /** The rows say where they come from, in columns of `sourceColumn`. */
  readonly traced: boolean;
  readonly read: ReadExamples;
}

/**
 * Counts the rows of a query and of the views below it under their rules, one job for each query that has some.
 *
 * @throws IngotError EXPECTATION_VIOLATION, BALANCE; SPARK_NOT_SUPPORTED for rows that are others when they are written
 */
export async function checkRows(
  session: SparkSession,
  bound: BoundQuery,
  context: TextContext,
  signal: AbortSignal,
): Promise<readonly CheckedRows[]> {
  const checks = new Map<BoundQuery, CheckedRows>();
  const visit = async (query: BoundQuery): Promise<void> => {
    for (const input of query.inputs.values()) if (input.kind === "view") await visit(input.view);
    const { rules } = query;
    if (rules === undefined || rules.rules.length === 0 || checks.has(query)) return;
    refuseRandom(query, rules.dataset);
    const columns = query.query.schema;
    const traced = rules.quarantine !== undefined && tracesRows(query);
    const text = checkedText(rules, await ruledRows(query, context, traced));
    const { rows } = await session.collect(sqlRelation(countText(rules, `(${text})`), context.names), signal);
    const counts = toRuleCounts(rules, (rows[0] ?? []).map(Number));
    const read: ReadExamples = async (condition, limit) => {
      const query = `SELECT ${columnList(columns)} FROM (${text}) WHERE ${condition} LIMIT ${limit}`;
      return (await session.collect(sqlRelation(query, context.names), signal)).rows;
    };
    checks.set(query, { rules, columns, counts, text, traced, read });
  };
  await visit(bound);
  for (const checked of checks.values()) await refuseViolations(checked, checked.read);
  return [...checks.values()];
}

const RANDOM = /\b(rand|randn|random|uniform|randstr|uuid|shuffle|monotonically_increasing_id)\s*\(/i;

/** The rows are counted, and written by a second statement: a random number would be another one there. */
function refuseRandom(bound: BoundQuery, object: string): void {
  const isRandom = ({ query, inputs }: BoundQuery): boolean =>
    (!query.deterministic && query.spark?.some((part) => typeof part === "string" && RANDOM.test(part)) === true) ||
    [...inputs.values()].some((input) => input.kind === "view" && isRandom(input.view));
  if (isRandom(bound))
    throw notOnSpark("An expectation over random numbers", "Draw them in a table below this one.", object);
}
