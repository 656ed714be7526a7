import { DeltaError } from "../error.js";
import type { Literal } from "../files/condition.js";
import { mayContain, rangesOf } from "../files/key-ranges.js";
import type { AddFile } from "../log/actions.js";
import { changeRows, type RowChangeResult } from "../operations/change-rows.js";
import { formatPath } from "../schema/field-path.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { gather, type InputRows } from "./input-rows.js";
import { assign, prepareSource, showRow } from "./prepare-rows.js";
import { keyOf } from "./row-key.js";
import { type Decision, type Fate, rowRewrite } from "./row-rewrite.js";
import type { InputRow, Row, Value } from "./value.js";
import { hasOrder, valueKey } from "./value-key.js";
import type { WriteOptions } from "./write-options.js";

/**
 * A row of the source; values of columns that the table has, too, are in the shapes of `Row`, so that both can be
 * compared.
 */
export type SourceRow = InputRow;

/** What happens to a row of the table that a source row matches. `"*"`: every column gets the source's value. */
export type MatchedClause = { readonly when?: (target: Row, source: SourceRow) => boolean } & (
  | { readonly update: "*" | ((target: Row, source: SourceRow) => InputRow) }
  | { readonly delete: true }
);

/** What row a source row gives that matches none. */
export interface NotMatchedClause {
  readonly when?: (source: SourceRow) => boolean;
  readonly insert: "*" | ((source: SourceRow) => InputRow);
}

/** What happens to a row of the table that no source row matches. */
export type NotMatchedBySourceClause = { readonly when?: (target: Row) => boolean } & (
  | { readonly update: (target: Row) => InputRow }
  | { readonly delete: true }
);

/** Of the clauses of one list the first counts whose condition holds; a row for which none does stays, or is not added. */
export interface Merge {
  readonly source: InputRows;
  /** Columns that both have and that must be equal, NULL never being equal; or a condition, tried on all pairs. */
  readonly on: readonly string[] | ((target: Row, source: SourceRow) => boolean);
  readonly whenMatched?: readonly MatchedClause[];
  readonly whenNotMatched?: readonly NotMatchedClause[];
  readonly whenNotMatchedBySource?: readonly NotMatchedBySourceClause[];
  /**
   * The columns of `on` are a primary key: two source rows of one key are refused even where no row of the table
   * matches them. Spark would insert both.
   */
  readonly uniqueSource?: boolean;
}

/**
 * Brings source rows into a table in one commit, as Spark's MERGE does. A matched row that is updated to what it was
 * counts as updated; a condition such as `when: (t, s) => t.v !== s.v` leaves it alone. A row of the table that several
 * source rows match is refused, unless the only clause for matched rows deletes without a condition, or, where there
 * are clauses for matched rows only, a clause's condition holds for at most one of them. Files that no
 * source row can match are passed over where keys tell and nothing happens to unmatched rows of the table. It holds the source in memory.
 *
 * @throws DeltaError DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE with keys and counts, what `changeRows`,
 * `readRows` and `prepareRows` throw; nothing is committed then
 */
export async function mergeRows(
  store: Store,
  table: string,
  merge: Merge,
  options: WriteOptions = {},
): Promise<RowChangeResult> {
  const source = await gather(merge.source);
  const change = rowRewrite(
    store,
    { operation: "MERGE", operationParameters: describe(merge) },
    (snapshot) => decideMerge(snapshot, merge, prepareSource(snapshot, source)),
    options.evaluator,
  );
  return changeRows(store, table, change, options);
}

function decideMerge(snapshot: Snapshot, merge: Merge, source: readonly SourceRow[]): Decision {
  const { whenMatched = [], whenNotMatched = [], whenNotMatchedBySource = [] } = merge;
  const match = matcher(snapshot, merge, source);
  const isMatched = new Set<number>();
  const ambiguous = new Map<string, number>();
  const isMatchedOnly = whenNotMatched.length === 0 && whenNotMatchedBySource.length === 0;
  const isInsertOnly = whenMatched.length === 0 && whenNotMatchedBySource.length === 0;
  const [sole, ...others] = whenMatched;
  const deletesAll = sole !== undefined && others.length === 0 && "delete" in sole && sole.when === undefined;

  const clauseFor = (target: Row, row: SourceRow): MatchedClause | undefined =>
    whenMatched.find(({ when }) => when === undefined || when(target, row));

  return {
    ...(whenNotMatchedBySource.length === 0 ? { mayTouch: match.mayMatch } : {}),
    decide(target): Fate {
      const indices = match.sourcesOf(target);
      for (const i of indices) isMatched.add(i);
      if (indices.length === 0) {
        const clause = whenNotMatchedBySource.find(({ when }) => when === undefined || when(target));
        if (clause === undefined) return "keep";
        return "delete" in clause ? "delete" : { update: assign(snapshot, target, clause.update(target)) };
      }
      const pairs = indices.map((i) => {
        const row = source[i] ?? {};
        return { row, clause: clauseFor(target, row) };
      });
      const counting = isMatchedOnly ? pairs.filter(({ clause }) => clause !== undefined) : pairs;
      if (counting.length > 1 && !deletesAll && !isInsertOnly) {
        ambiguous.set(match.show(target), counting.length);
        return "keep";
      }
      const { row = {}, clause } = counting[0] ?? {};
      if (clause === undefined) return "keep";
      if ("delete" in clause) return "delete";
      const set = clause.update === "*" ? allColumns(snapshot, row) : clause.update(target, row);
      return { update: assign(snapshot, target, set) };
    },
    inserts() {
      if (merge.uniqueSource) for (const [key, count] of match.repeated()) ambiguous.set(key, count);
      if (ambiguous.size > 0) throw ambiguousMerge(snapshot, ambiguous);
      return source.flatMap((row, i) => {
        if (isMatched.has(i)) return [];
        const clause = whenNotMatched.find(({ when }) => when === undefined || when(row));
        if (clause === undefined) return [];
        return [clause.insert === "*" ? allColumns(snapshot, row) : clause.insert(row)];
      });
    },
  };
}

interface Matcher {
  /** Whether a file may hold a row that a source row matches. */
  readonly mayMatch: (file: AddFile) => boolean;
  /** The places of the source rows that match. */
  sourcesOf(target: Row): readonly number[];
  /** The row's key, or the row where there is none. */
  show(target: Row): string;
  /** Keys that more than one source row has, with the count. */
  repeated(): Iterable<readonly [string, number]>;
}

function matcher(snapshot: Snapshot, { on }: Merge, source: readonly SourceRow[]): Matcher {
  const { table, version, schema } = snapshot;
  if (typeof on === "function")
    return {
      mayMatch: () => true,
      sourcesOf: (target) => source.flatMap((row, i) => (on(target, row) ? [i] : [])),
      show: showRow,
      repeated: () => [],
    };
  const unknown = on.find((name) => schema.fields.every((field) => field.name !== name));
  if (on.length === 0 || unknown !== undefined)
    throw new DeltaError(
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `A merge into ${table} needs columns of the table as its key, not ${unknown ?? "none"}.`,
      { table, version, hint: `Its columns are ${schema.fields.map(({ name }) => name).join(", ")}.` },
    );
  const byKey = new Map<string, number[]>();
  for (const [i, row] of source.entries()) {
    const key = keyOf(row, on);
    if (key === undefined) continue;
    const places = byKey.get(key);
    if (places === undefined) byKey.set(key, [i]);
    else places.push(i);
  }
  const show = (row: InputRow): string => showRow(Object.fromEntries(on.map((name) => [name, row[name]])));
  return {
    mayMatch: keyPruning(snapshot, on, source),
    sourcesOf(target) {
      const key = keyOf(target, on);
      return key === undefined ? [] : (byKey.get(key) ?? []);
    },
    show,
    *repeated() {
      for (const places of byKey.values())
        if (places.length > 1) yield [show(source[places[0] ?? 0] ?? {}), places.length];
    },
  };
}

function keyPruning(
  snapshot: Snapshot,
  on: readonly string[],
  source: readonly SourceRow[],
): (file: AddFile) => boolean {
  const types = on.flatMap((name) => snapshot.schema.fields.find((field) => field.name === name)?.type ?? []);
  if (!types.every(hasOrder)) return () => true;
  const columns = on.map((name) => [name]);
  // Times as numbers: not every year has a text that statistics could have.
  const keys = source.map((row) =>
    types.map((type, i) => {
      const value = row[on[i] ?? ""] ?? null;
      const isTime = type.kind === "date" || type.kind === "timestamp" || type.kind === "timestamp_ntz";
      return value === null || !isTime ? (value as Literal | null) : (valueKey(type, value as Value) as bigint);
    }),
  );
  return mayContain(rangesOf(keys, columns, snapshot), columns, snapshot);
}

/** The columns of the table; others of the source are passed over, as by `UPDATE SET *` and `INSERT *`. */
function allColumns({ table, version, schema }: Snapshot, source: SourceRow): InputRow {
  const missing = schema.fields.find(({ name, metadata }) => {
    const isFilled = "CURRENT_DEFAULT" in metadata || "delta.generationExpression" in metadata;
    return !isFilled && source[name] === undefined;
  });
  if (missing !== undefined)
    throw new DeltaError(
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `A source row of the merge into ${table} has no column ${formatPath([missing.name])}: ${showRow(source)}.`,
      { table, version, hint: 'Give null for NULL, or write a function instead of "*".' },
    );
  return Object.fromEntries(schema.fields.map(({ name }) => [name, source[name]]));
}

/** More would not help. */
const SHOWN = 5;

function ambiguousMerge({ table, version }: Snapshot, counts: ReadonlyMap<string, number>): DeltaError {
  const shown = [...counts].slice(0, SHOWN).map(([key, count]) => `${key} has ${count} source rows`);
  const more = counts.size > SHOWN ? `, and ${counts.size - SHOWN} more` : "";
  return new DeltaError(
    "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE",
    `The merge into ${table} would depend on the order of its source: ${shown.join(", ")}${more}.`,
    { table, version, hint: "Keep one source row for each row of the table, such as the newest; nothing was written." },
  );
}

/** What Spark tells of a merge, as far as functions have a text. */
function describe({ on, whenMatched = [], whenNotMatched = [], whenNotMatchedBySource = [] }: Merge) {
  const actions = (clauses: readonly object[]): string =>
    JSON.stringify(
      clauses.map((clause) => ({
        actionType: "delete" in clause ? "delete" : "insert" in clause ? "insert" : "update",
      })),
    );
  return {
    ...(typeof on === "function"
      ? {}
      : {
          predicate: JSON.stringify([
            on.map((name) => `t.${formatPath([name])} = s.${formatPath([name])}`).join(" AND "),
          ]),
        }),
    matchedPredicates: actions(whenMatched),
    notMatchedPredicates: actions(whenNotMatched),
    notMatchedBySourcePredicates: actions(whenNotMatchedBySource),
  };
}
