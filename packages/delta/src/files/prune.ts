import type { AddFile } from "../log/actions.js";
import { type BoundColumn, type Bounds, bindColumn, boundsReader, type TableColumns } from "./column-bounds.js";
import type { ColumnPath, Comparison, Condition, Literal } from "./condition.js";
import { compareKeys, exactKeyOfLiteral, type SortKey } from "./sort-key.js";

/**
 * Whether a file may hold a row for which the condition is true, by its statistics and partition values; true when they
 * do not tell. Rows that a deletion vector hides do not count, yet a file may be kept for their sake.
 *
 * @param table a snapshot of the table that the files belong to
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, TypeError for a literal that is no value of the column's type
 */
export function mayMatch(condition: Condition, table: TableColumns): (file: AddFile) => boolean {
  const outcomes = bindCondition(condition, table);
  return (file) => (outcomes(file) & TRUE) !== 0;
}

/**
 * Whether the condition is true for every row of a file, so that the file can go away as a whole; false when the log
 * does not tell. Throws as `mayMatch` does.
 */
export function mustMatch(condition: Condition, table: TableColumns): (file: AddFile) => boolean {
  const outcomes = bindCondition(condition, table);
  return (file) => (outcomes(file) & (FALSE | NULL)) === 0;
}

/** What a condition may be for the rows of a file: a set of three bits, never less than what occurs. */
type Outcomes = number;
const TRUE = 1;
const FALSE = 2;
const NULL = 4;
const ANY = TRUE | FALSE | NULL;

function bindCondition(condition: Condition, table: TableColumns): (file: AddFile) => Outcomes {
  const columns: BoundColumn[] = [];
  const evaluate = compile(condition, (path) => {
    const column = bindColumn(path, table);
    const known = columns.findIndex(({ id }) => id === column.id);
    return { column, index: known === -1 ? columns.push(column) - 1 : known };
  });
  const read = boundsReader(columns);
  return (file) => evaluate(read(file));
}

type Evaluate = (bounds: readonly Bounds[]) => Outcomes;
type FindColumn = (path: ColumnPath) => { readonly column: BoundColumn; readonly index: number };

function compile(condition: Condition, find: FindColumn): Evaluate {
  switch (condition.kind) {
    case "unknown":
      return () => ANY;
    case "not": {
      const inner = compile(condition.condition, find);
      return (bounds) => negate(inner(bounds));
    }
    case "and": {
      const parts = condition.conditions.map((part) => compile(part, find));
      return (bounds) => parts.reduce((all, part) => and(all, part(bounds)), TRUE);
    }
    case "or": {
      const parts = condition.conditions.map((part) => compile(part, find));
      return (bounds) => negate(parts.reduce((all, part) => and(all, negate(part(bounds))), TRUE));
    }
    case "isNull":
      return onColumn(condition.column, find, ({ mayBeNull, mayBeValue }) => bits(mayBeNull, mayBeValue));
    case "startsWith":
      return startsWith(condition.column, condition.prefix, find);
    case "in":
      return isIn(condition.column, condition.values, find);
    case "compare":
      return compare(condition.column, condition.operator, condition.value, find);
  }
}

function onColumn(path: ColumnPath, find: FindColumn, evaluate: (bounds: Bounds) => Outcomes): Evaluate {
  const { index } = find(path);
  return (bounds) => {
    const column = bounds[index];
    return column === undefined ? ANY : evaluate(column);
  };
}

function compare(path: ColumnPath, operator: Comparison, value: Literal | null, find: FindColumn): Evaluate {
  if (value === null)
    return onColumn(path, find, ({ mayBeNull, mayBeValue }) =>
      operator === "<=>" ? bits(mayBeNull, mayBeValue) : NULL,
    );
  const key = exactKeyOfLiteral(find(path).column.type, value);
  if (operator === "<=>")
    return onColumn(path, find, (bounds) => {
      const outcomes = ofValues(bounds, key, equal);
      // A NULL is not equal, and that is certain.
      return (outcomes & ~NULL) | (bounds.mayBeNull ? FALSE : 0);
    });
  return onColumn(path, find, (bounds) => ofValues(bounds, key, INTERVAL[operator]));
}

function isIn(path: ColumnPath, values: readonly (Literal | null)[], find: FindColumn): Evaluate {
  const { type } = find(path).column;
  if (values.length === 0) return () => FALSE;
  const given = values.filter((value) => value !== null).map((value) => exactKeyOfLiteral(type, value));
  const keys = given.filter((key) => key !== undefined).sort(compareKeys);
  const isExact = keys.length === given.length;
  const hasNull = values.includes(null);
  return onColumn(path, find, (bounds) => {
    const found = ofValues(bounds, isExact ? keys : undefined, oneOf);
    // Not among the values, one of which is unknown: unknown.
    return hasNull && (found & FALSE) !== 0 ? (found & ~FALSE) | NULL : found;
  });
}

function startsWith(path: ColumnPath, prefix: string, find: FindColumn): Evaluate {
  const { type } = find(path).column;
  if (type.kind !== "string") throw new TypeError(`a column of the type ${type.kind} has no prefix`);
  return onColumn(path, find, (bounds) =>
    ofValues(bounds, prefix, (min, max) => {
      const mayBe = (min === undefined || isBelow(min, prefix)) && (max === undefined || compareKeys(prefix, max) <= 0);
      return bits(mayBe, !(hasPrefix(min, prefix) && hasPrefix(max, prefix)));
    }),
  );
}

/** Whether strings from `min` on may have the prefix. */
function isBelow(min: SortKey, prefix: string): boolean {
  return hasPrefix(min, prefix) || compareKeys(min, prefix) <= 0;
}

function hasPrefix(bound: SortKey | undefined, prefix: string): boolean {
  return typeof bound === "string" && bound.startsWith(prefix);
}

type OnInterval<T> = (min: SortKey | undefined, max: SortKey | undefined, key: T) => Outcomes;

/** The outcomes over all values that a column may have. Without a key, which a float may lack, nothing is told. */
function ofValues<T>(bounds: Bounds, key: T | undefined, onInterval: OnInterval<T>): Outcomes {
  let outcomes = bounds.mayBeNull ? NULL : 0;
  if (!bounds.mayBeValue) return outcomes;
  if (key === undefined) return outcomes | TRUE | FALSE;
  outcomes |= onInterval(bounds.min, bounds.max, key);
  if (bounds.mayBeNan) outcomes |= onInterval(Number.NaN, Number.NaN, key);
  return outcomes;
}

const equal: OnInterval<SortKey> = (min, max, key) => {
  const isWithin =
    (min === undefined || compareKeys(min, key) <= 0) && (max === undefined || compareKeys(key, max) <= 0);
  const isAll = min !== undefined && max !== undefined && compareKeys(min, key) === 0 && compareKeys(max, key) === 0;
  return bits(isWithin, !isAll);
};

const less: OnInterval<SortKey> = (min, max, key) =>
  bits(min === undefined || compareKeys(min, key) < 0, max === undefined || compareKeys(max, key) >= 0);

const lessOrEqual: OnInterval<SortKey> = (min, max, key) =>
  bits(min === undefined || compareKeys(min, key) <= 0, max === undefined || compareKeys(max, key) > 0);

const INTERVAL: Readonly<Record<Exclude<Comparison, "<=>">, OnInterval<SortKey>>> = {
  "=": equal,
  "<": less,
  "<=": lessOrEqual,
  ">": (min, max, key) => negate(lessOrEqual(min, max, key)),
  ">=": (min, max, key) => negate(less(min, max, key)),
};

/** Of sorted keys: whether one of them lies within the bounds, and whether a value may be none of them. */
const oneOf: OnInterval<readonly SortKey[]> = (min, max, keys) => {
  const key = min === undefined ? keys[0] : keys[firstFrom(keys, min)];
  const isWithin = key !== undefined && (max === undefined || compareKeys(key, max) <= 0);
  const isOne = isWithin && min !== undefined && max !== undefined && compareKeys(min, max) === 0;
  return bits(isWithin, !isOne);
};

/** The place of the first key that is not less; beyond the end when there is none. */
function firstFrom(keys: readonly SortKey[], bound: SortKey): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const key = keys[middle];
    if (key !== undefined && compareKeys(key, bound) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bits(mayBeTrue: boolean, mayBeFalse: boolean): Outcomes {
  return (mayBeTrue ? TRUE : 0) | (mayBeFalse ? FALSE : 0);
}

function negate(outcomes: Outcomes): Outcomes {
  return (outcomes & NULL) | bits((outcomes & FALSE) !== 0, (outcomes & TRUE) !== 0);
}

function and(a: Outcomes, b: Outcomes): Outcomes {
  const isNull = ((a & NULL) !== 0 && (b & (NULL | TRUE)) !== 0) || ((b & NULL) !== 0 && (a & TRUE) !== 0);
  return (a & b & TRUE) | ((a | b) & FALSE) | (isNull ? NULL : 0);
}
