import { DeltaError } from "../error.js";
import { changeRows, type RowChangeResult } from "../operations/change-rows.js";
import { formatPath } from "../schema/field-path.js";
import type { Field, StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Store } from "../store/store.js";
import { gather, type InputRows } from "./input-rows.js";
import { type MatchOn, matchRows } from "./match-rows.js";
import { assign, prepareSource, showRow } from "./prepare-rows.js";
import { type Decision, type Fate, rowRewrite } from "./row-rewrite.js";
import { type InputRow, ownValue, type Row } from "./value.js";
import type { EvolvingWriteOptions } from "./write-options.js";

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
  readonly on: MatchOn;
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
  options: EvolvingWriteOptions = {},
): Promise<RowChangeResult> {
  const source = await gather(merge.source);
  const { mergeSchema } = options;
  const change = rowRewrite(
    store,
    { operation: "MERGE", operationParameters: describe(merge), rowSchema: mergeSchema },
    (snapshot) => decideMerge(snapshot, merge, prepareSource(snapshot, source), mergeSchema),
    options.evaluator,
  );
  return changeRows(store, table, change, options);
}

function decideMerge(
  snapshot: Snapshot,
  merge: Merge,
  source: readonly SourceRow[],
  sourceSchema: StructType | undefined,
): Decision {
  const { whenMatched = [], whenNotMatched = [], whenNotMatchedBySource = [] } = merge;
  const match = matchRows(snapshot, merge.on, source);
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
      const set = clause.update === "*" ? allColumns(snapshot, row, sourceSchema) : clause.update(target, row);
      return { update: assign(snapshot, target, set) };
    },
    inserts() {
      if (merge.uniqueSource) for (const [key, count] of match.repeated()) ambiguous.set(key, count);
      if (ambiguous.size > 0) throw ambiguousMerge(snapshot, ambiguous);
      return source.flatMap((row, i) => {
        if (isMatched.has(i)) return [];
        const clause = whenNotMatched.find(({ when }) => when === undefined || when(row));
        if (clause === undefined) return [];
        return [clause.insert === "*" ? allColumns(snapshot, row, sourceSchema) : clause.insert(row)];
      });
    },
  };
}

/**
 * The columns of the table that the source has; others of the source are passed over, as by `UPDATE SET *` and
 * `INSERT *`. Where the table follows the source's schema it need not have all of them; else it must.
 */
function allColumns({ table, version, schema }: Snapshot, source: SourceRow, of: StructType | undefined): InputRow {
  const isGiven = ({ name }: Field): boolean =>
    of === undefined || of.fields.some((field) => field.name.toLowerCase() === name.toLowerCase());
  const columns = schema.fields.filter(isGiven);
  const missing = columns.find(({ name, metadata }) => {
    const isFilled = "CURRENT_DEFAULT" in metadata || "delta.generationExpression" in metadata;
    return !isFilled && ownValue(source, name) === undefined;
  });
  if (missing !== undefined)
    throw new DeltaError(
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `A source row of the merge into ${table} has no column ${formatPath([missing.name])}: ${showRow(source)}.`,
      { table, version, hint: 'Give null for NULL, or write a function instead of "*".' },
    );
  return Object.fromEntries(columns.map(({ name }) => [name, source[name]]));
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
