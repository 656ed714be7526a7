import type { AddFile } from "../log/actions.js";
import { type Bounds, bindColumn, boundsReader, type TableColumns } from "./column-bounds.js";
import type { ColumnPath, Literal } from "./condition.js";
import { compareKeys, exactKeyOfLiteral, keyOfLiteral, type SortKey } from "./sort-key.js";

/** What lies, in each of some columns, between two values, both included; undefined: open at this side. */
export interface KeyRange {
  readonly lower: readonly (Literal | undefined)[];
  readonly upper: readonly (Literal | undefined)[];
}

/** So many ranges tell 200,000 keys well enough; comparing a file with them costs microseconds. */
const RANGES = 1000;

/**
 * Ranges that hold all keys: keys that follow one another in the order of the columns share a range. A key with a NULL
 * equals no row and is left out.
 *
 * @param keys values by column
 * @throws as `mayContain`
 */
export function rangesOf(
  keys: readonly (readonly (Literal | null)[])[],
  columns: readonly ColumnPath[],
  table: TableColumns,
  { limit = RANGES }: { readonly limit?: number } = {},
): KeyRange[] {
  const types = columns.map((path) => bindColumn(path, table).type);
  const rows = keys.filter(isComplete).map((key) => ({
    key,
    order: types.map((type, i) => keyOfLiteral(type, key[i] as Literal)),
  }));
  rows.sort((a, b) => compareAll(a.order, b.order));
  const size = Math.max(1, Math.ceil(rows.length / limit));
  const ranges: KeyRange[] = [];
  for (let at = 0; at < rows.length; at += size) ranges.push(enclose(rows.slice(at, at + size)));
  return ranges;
}

/**
 * Whether a file may hold a row whose columns lie within one of the ranges, by its statistics and partition values.
 *
 * @param table a snapshot of the table that the files belong to
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, TypeError for a value that is none of the column's type
 */
export function mayContain(
  ranges: readonly KeyRange[],
  columns: readonly ColumnPath[],
  table: TableColumns,
): (file: AddFile) => boolean {
  const bound = columns.map((path) => bindColumn(path, table));
  const toKeys = (values: KeyRange["lower"]) =>
    bound.map(({ type }, i) => {
      const value = values[i];
      return value === undefined ? undefined : exactKeyOfLiteral(type, value);
    });
  const boxes = ranges.map(({ lower, upper }): Box => ({ lower: toKeys(lower), upper: toKeys(upper) }));
  const lead = leadingColumn(boxes, columns.length);
  const sorted = sortBoxes(boxes, lead);
  const read = boundsReader(bound);
  return (file) => {
    const bounds = read(file);
    if (boxes.length === 0 || bounds.some(({ mayBeValue }) => !mayBeValue)) return false;
    return someBox(sorted, lead, bounds);
  };
}

/** Undefined: open at this side. */
type Side = readonly (SortKey | undefined)[];

interface Box {
  readonly lower: Side;
  readonly upper: Side;
}

interface SortedBoxes {
  /** By their lower side in the leading column, open ones first. */
  readonly boxes: readonly Box[];
  /** The greatest upper side so far; undefined: open. */
  readonly highest: Side;
}

/** The column that tells most ranges apart. */
function leadingColumn(boxes: readonly Box[], width: number): number {
  const counts = Array.from({ length: width }, (_, i) => new Set(boxes.map(({ lower }) => lower[i])).size);
  return counts.indexOf(Math.max(...counts));
}

function sortBoxes(given: readonly Box[], lead: number): SortedBoxes {
  const boxes = [...given].sort((a, b) => compareSides(a.lower[lead], b.lower[lead]));
  const highest: (SortKey | undefined)[] = [];
  for (const [i, { upper }] of boxes.entries()) {
    const [before, here] = [highest[i - 1], upper[lead]];
    const isOpen = here === undefined || (i > 0 && before === undefined);
    highest.push(isOpen ? undefined : before === undefined || compareKeys(here, before) > 0 ? here : before);
  }
  return { boxes, highest };
}

/** Only boxes that begin before the file's end can meet it, and none of those before all that end before it begins. */
function someBox({ boxes, highest }: SortedBoxes, lead: number, bounds: readonly Bounds[]): boolean {
  const { min, max, mayBeNan } = bounds[lead] ?? {};
  let end = boxes.length;
  if (max !== undefined && !mayBeNan) {
    let low = 0;
    while (low < end) {
      const middle = (low + end) >> 1;
      const lower = boxes[middle]?.lower[lead];
      if (lower === undefined || compareKeys(lower, max) <= 0) low = middle + 1;
      else end = middle;
    }
  }
  for (let at = end - 1; at >= 0; at -= 1) {
    const reach = highest[at];
    if (reach !== undefined && min !== undefined && compareKeys(reach, min) < 0) return false;
    const box = boxes[at];
    if (box !== undefined && bounds.every((column, i) => meets(column, box.lower[i], box.upper[i]))) return true;
  }
  return false;
}

function meets({ min, max, mayBeNan }: Bounds, lower: SortKey | undefined, upper: SortKey | undefined): boolean {
  if (mayBeNan && (upper === undefined || Number.isNaN(upper))) return true;
  const startsBefore = lower === undefined || max === undefined || compareKeys(lower, max) <= 0;
  const endsBehind = upper === undefined || min === undefined || compareKeys(upper, min) >= 0;
  return startsBefore && endsBehind;
}

function enclose(rows: readonly { readonly key: readonly Literal[]; readonly order: readonly SortKey[] }[]): KeyRange {
  const width = rows[0]?.key.length ?? 0;
  const extreme = (i: number, sign: 1 | -1) =>
    rows.reduce((best, row) => (sign * compareKeys(row.order[i] ?? 0, best.order[i] ?? 0) > 0 ? row : best)).key[i];
  const side = (sign: 1 | -1) => Array.from({ length: width }, (_, i) => extreme(i, sign) as Literal);
  return { lower: side(-1), upper: side(1) };
}

function isComplete(key: readonly (Literal | null)[]): key is readonly Literal[] {
  return !key.includes(null);
}

function compareAll(a: readonly SortKey[], b: readonly SortKey[]): number {
  for (let i = 0; i < a.length; i += 1) {
    const order = compareKeys(a[i] ?? 0, b[i] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}

function compareSides(a: SortKey | undefined, b: SortKey | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareKeys(a, b);
}
