import { IngotError } from "../../../model/error.js";
import type { RowRules } from "../../../model/rule.js";
import type { BoundQuery, RuleCounts } from "../../engine.js";
import { type CountedRows, checkGate, type ReadExamples, refuseViolations } from "../../rules/expectation-violation.js";
import { countText, toRuleCounts } from "../../rules/rule-counts.js";
import type { Observed } from "../connect/observed-metrics.js";
import { sqlRelation } from "../connect/relations.js";
import type { SparkSession } from "../connect/session.js";
import { notOnSpark } from "../not-supported.js";
import { ruledRows } from "../query-text.js";
import { tracesRows } from "../source-columns.js";
import { columnList } from "../spark-sql.js";
import type { TextContext } from "../text-context.js";
import { observedCounts } from "./observed-rules.js";
import { checkedText } from "./rule-text.js";

/** The rows of a query with the answers of its rules. */
export interface RowsUnderRules extends Pick<CountedRows, "rules" | "columns"> {
  readonly bound: BoundQuery;
  /** SQL of all of them. */
  readonly text: string;
  /** The rows say where they come from, in columns of `sourceColumn`. */
  readonly traced: boolean;
  readonly read: ReadExamples;
  /** By a job of its own. @throws IngotError BALANCE */
  readonly count: () => Promise<RuleCounts>;
}

/** The rows of a query with rules, which were counted. */
export type CheckedRows = RowsUnderRules & CountedRows;

/**
 * The rows of a query and of the views below it that have rules, those below first.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED for rows that are others when they are written
 */
export async function rulesBelow(
  session: SparkSession,
  bound: BoundQuery,
  context: TextContext,
  signal: AbortSignal,
): Promise<readonly RowsUnderRules[]> {
  const found = new Map<BoundQuery, RowsUnderRules>();
  const visit = async (query: BoundQuery): Promise<void> => {
    for (const input of query.inputs.values()) if (input.kind === "view") await visit(input.view);
    const { rules } = query;
    if (rules === undefined || rules.rules.length === 0 || found.has(query)) return;
    // Rows that are set aside are written by a statement of their own.
    if (query !== bound || rules.quarantine !== undefined) refuseRandom(query, rules.dataset);
    found.set(query, await underRules(session, query, rules, query === bound ? context : context.below(), signal));
  };
  await visit(bound);
  return [...found.values()];
}

/**
 * Counts rows under their rules, by a job of each query.
 *
 * @throws IngotError EXPECTATION_VIOLATION, QUALITY_GATE_CLOSED, BALANCE
 */
export async function checkRows(queries: readonly RowsUnderRules[]): Promise<readonly CheckedRows[]> {
  const checks: CheckedRows[] = [];
  for (const rows of queries) checks.push({ ...rows, counts: await rows.count() });
  return refuseRows(checks);
}

/**
 * The same of rows that were counted while they passed.
 *
 * @param names of the observations
 * @throws IngotError as `checkRows`
 */
export async function checkObserved(
  queries: readonly RowsUnderRules[],
  names: TextContext["observed"],
  observed: Observed,
): Promise<readonly CheckedRows[]> {
  const checks: CheckedRows[] = [];
  for (const rows of queries) {
    const counts = observedCounts(rows.rules, names.get(rows.bound) ?? "", observed);
    checks.push({ ...rows, counts: counts ?? (await rows.count()) });
  }
  return refuseRows(checks);
}

/**
 * Does work in which rows are counted while they pass. Where a row fails it that a rule refuses, the rule tells more.
 *
 * @throws IngotError of the work; EXPECTATION_VIOLATION, QUALITY_GATE_CLOSED in its place
 */
export async function withPassing<T>(
  queries: readonly RowsUnderRules[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOfRow = error instanceof IngotError && error.code !== "SPARK_UNREACHABLE" && !signal.aborted;
    if (!isOfRow) throw error;
    const refusal = await checkRows(queries).then(
      () => undefined,
      (told: unknown) => told,
    );
    throw refusal instanceof IngotError && REFUSALS.includes(refusal.code) ? refusal : error;
  }
}

const REFUSALS = ["EXPECTATION_VIOLATION", "QUALITY_GATE_CLOSED"];

async function refuseRows(checks: readonly CheckedRows[]): Promise<readonly CheckedRows[]> {
  for (const checked of checks) await refuseViolations(checked, checked.read);
  for (const checked of checks) await checkGate(checked, checked.read);
  return checks;
}

async function underRules(
  session: SparkSession,
  bound: BoundQuery,
  rules: RowRules,
  context: TextContext,
  signal: AbortSignal,
): Promise<RowsUnderRules> {
  const columns = bound.query.schema;
  const traced = rules.quarantine !== undefined && tracesRows(bound);
  const text = checkedText(rules, await ruledRows(bound, context, traced));
  const read: ReadExamples = async (condition, limit) => {
    const query = `SELECT ${columnList(columns)} FROM (${text}) WHERE ${condition} LIMIT ${limit}`;
    return (await session.collect(sqlRelation(query, context.names), signal)).rows;
  };
  const count = async () => {
    const { rows } = await session.collect(sqlRelation(countText(rules, `(${text})`), context.names), signal);
    return toRuleCounts(rules, (rows[0] ?? []).map(Number));
  };
  return { bound, rules, columns, text, traced, read, count };
}

const RANDOM = /\b(rand|randn|random|uniform|randstr|uuid|shuffle|monotonically_increasing_id)\s*\(/i;

/**
 * Rows that are counted, and written by another statement: a random number would be another one there.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED
 */
function refuseRandom(bound: BoundQuery, object: RowRules["dataset"]): void {
  const isRandom = ({ query, inputs }: BoundQuery): boolean =>
    (!query.deterministic && query.spark?.some((part) => typeof part === "string" && RANDOM.test(part)) === true) ||
    [...inputs.values()].some((input) => input.kind === "view" && isRandom(input.view));
  if (isRandom(bound))
    throw notOnSpark("An expectation over random numbers", "Draw them in a table below this one.", object);
}
