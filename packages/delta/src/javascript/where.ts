import type { Condition } from "../files/condition.js";
import { mayMatch } from "../files/prune.js";
import type { AddFile } from "../log/actions.js";
import { formatCondition } from "../operations/format-condition.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { conditionTest } from "./row-condition.js";
import type { Row } from "./value.js";

/**
 * Which rows are meant: those for which the condition is true. By a condition, files without such rows are passed over,
 * and other writers may change them meanwhile; by a function every file is searched, and its text is not in the history.
 */
export type Where = Condition | ((row: Row) => boolean);

export interface BoundWhere {
  readonly test: (row: Row) => boolean;
  readonly mayTouch: (file: AddFile) => boolean;
}

/** Throws as `conditionTest`. */
export function bindWhere(where: Where, snapshot: Snapshot): BoundWhere {
  if (typeof where === "function") return { test: where, mayTouch: () => true };
  const test = conditionTest(where, snapshot);
  return { test: (row) => test(row) === true, mayTouch: mayMatch(where, snapshot) };
}

/** As Spark's history shows a predicate, where it is known. */
export function describeWhere(where: Where): { readonly predicate?: string } {
  return typeof where === "function" ? {} : { predicate: JSON.stringify([formatCondition(where)]) };
}
