import type { RowRules } from "../../../model/rule.js";
import type { BoundQuery, RuleCounts } from "../../engine.js";
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

/** The rows of a query with the answers of its rules. */
export interface RowsUnderRules extends Pick<CountedRows, "rules" | "columns"> {
  /** SQL of all of them. */
  readonly text: string;
  /** The rows say where they come from, in columns of `sourceColumn`. */
  readonly traced: boolean;
  readonly read: ReadExamples;
}

/** The rows of a query with rules, which were counted. */
export type CheckedRows = RowsUnderRules & CountedRows;

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
  const checks = await checkViews(session, bound, context, signal);
  const own = await underRules(session, bound, context, signal);
  if (own === undefined) return checks;
  refuseRandom(bound, own.rules.dataset);
  const checked = { ...own, counts: await countRows(session, own, context, signal) };
  await refuseViolations(checked, checked.read);
  return [...checks, checked];
}

/** The same of the views below a query alone. */
export async function checkViews(
  session: SparkSession,
  bound: BoundQuery,
  context: TextContext,
  signal: AbortSignal,
): Promise<readonly CheckedRows[]> {
  const checks = new Map<BoundQuery, CheckedRows>();
  const visit = async (query: BoundQuery): Promise<void> => {
    for (const input of query.inputs.values()) if (input.kind === "view") await visit(input.view);
    if (query === bound || checks.has(query)) return;
    const rows = await underRules(session, query, context.below(), signal);
    if (rows === undefined) return;
    refuseRandom(query, rows.rules.dataset);
    checks.set(query, { ...rows, counts: await countRows(session, rows, context, signal) });
  };
  await visit(bound);
  for (const checked of checks.values()) await refuseViolations(checked, checked.read);
  return [...checks.values()];
}

/** The rows of a query under its own rules; undefined where it has none. */
export async function underRules(
  session: SparkSession,
  bound: BoundQuery,
  context: TextContext,
  signal: AbortSignal,
): Promise<RowsUnderRules | undefined> {
  const { rules } = bound;
  if (rules === undefined || rules.rules.length === 0) return undefined;
  const columns = bound.query.schema;
  const traced = rules.quarantine !== undefined && tracesRows(bound);
  const text = checkedText(rules, await ruledRows(bound, context, traced));
  const read: ReadExamples = async (condition, limit) => {
    const query = `SELECT ${columnList(columns)} FROM (${text}) WHERE ${condition} LIMIT ${limit}`;
    return (await session.collect(sqlRelation(query, context.names), signal)).rows;
  };
  return { rules, columns, text, traced, read };
}

/** @throws IngotError BALANCE */
export async function countRows(
  session: SparkSession,
  { rules, text }: Pick<RowsUnderRules, "rules" | "text">,
  { names }: TextContext,
  signal: AbortSignal,
): Promise<RuleCounts> {
  const { rows } = await session.collect(sqlRelation(countText(rules, `(${text})`), names), signal);
  return toRuleCounts(rules, (rows[0] ?? []).map(Number));
}

const RANDOM = /\b(rand|randn|random|uniform|randstr|uuid|shuffle|monotonically_increasing_id)\s*\(/i;

/**
 * Rows that are counted, and written by another statement: a random number would be another one there.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED
 */
export function refuseRandom(bound: BoundQuery, object: RowRules["dataset"]): void {
  const isRandom = ({ query, inputs }: BoundQuery): boolean =>
    (!query.deterministic && query.spark?.some((part) => typeof part === "string" && RANDOM.test(part)) === true) ||
    [...inputs.values()].some((input) => input.kind === "view" && isRandom(input.view));
  if (isRandom(bound))
    throw notOnSpark("An expectation over random numbers", "Draw them in a table below this one.", object);
}
