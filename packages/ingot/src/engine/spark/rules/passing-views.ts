import type { BoundQuery } from "../../engine.js";

/** What puts rows in order or in groups, so that Spark looks at them twice or in a pass before the last. */
const MOVES_ROWS = /\bBY\b|\/\*\+/i;

/**
 * The views with rules below a query whose rows come to it one by one: each is read once, in the pass that evaluates the
 * query, by the tasks whose rows are its result. So what is observed of them there is exact: a task that is done again
 * counts once. Of other views a query may leave rows out, read them again, or hand them on to further tasks.
 */
export function passingViews(bound: BoundQuery): BoundQuery[] {
  const views: BoundQuery[] = [];
  for (let view = viewBelow(bound); view !== undefined; view = viewBelow(view))
    if (view.rules !== undefined && view.rules.rules.length > 0) views.unshift(view);
  return views;
}

/** The view of which a query is a filter and projection, and its rules look at each row alone. */
function viewBelow({ query, inputs, rules }: BoundQuery): BoundQuery | undefined {
  const [entry, ...others] = inputs;
  if (entry === undefined || others.length > 0) return undefined;
  const [id, input] = entry;
  const { propagation: { linear, groups, totals } = { linear: {} }, spark = [] } = query;
  const isOneByOne = linear[id]?.length === 0 && groups === undefined && totals === undefined;
  const moves = spark.some((part) => typeof part === "string" && MOVES_ROWS.test(part));
  const comparesRows = rules?.rules.some((rule) => rule.keys !== undefined) === true;
  return input.kind === "view" && isOneByOne && !moves && !comparesRows ? input.view : undefined;
}
