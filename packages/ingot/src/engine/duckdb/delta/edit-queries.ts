import { quoteName } from "../../../sql/lower/lower-text.js";
import type { OpenSource } from "./edit-source.js";
import { FILE, ROW, ROW_ID } from "./hidden-columns.js";
import { type RowEdit, touchingClauses } from "./row-edit.js";

/** A change with its source open, and the temporary table of what it has found. */
export interface OpenEdit {
  readonly edit: RowEdit;
  readonly source: OpenSource | undefined;
  readonly hits: string;
}

/**
 * SQL of the places of target rows that belong to a row of the source or that a clause takes: FILE, ROW DOUBLE, ROW_ID
 * where rows are tracked, `source` (the source's rowid) and `clause` (its number in `touchingClauses`, -1 for none).
 *
 * @param target SQL as of `scanPlaces`, or of rows that were found before, which have `mark`
 * @param rowId SQL as of `rowIdText`, where rows are tracked
 */
export function hitsQuery({ edit, source }: OpenEdit, target: string, rowId?: string, mark?: string): string {
  const tracked = rowId === undefined ? "" : `, ${rowId} AS ${ROW_ID}`;
  const places = `t.${FILE}, t.${ROW}::DOUBLE AS ${ROW}${tracked}`;
  const bySource = clauseNumber(edit.notMatchedBySource, edit.matched.length);
  const join = joinText(mark === undefined ? edit : { keys: [mark] }, source);
  if (join === undefined) {
    const rows = `SELECT ${places}, NULL::BIGINT AS source, (${bySource})::TINYINT AS clause FROM (${target}) t`;
    return `SELECT * FROM (${rows}) WHERE clause >= 0`;
  }
  const matched = clauseNumber(edit.matched);
  if (edit.notMatchedBySource.length === 0)
    return `SELECT ${places}, s.rowid AS source, (${matched})::TINYINT AS clause FROM (${target}) t JOIN ${join}`;
  const clause = `CASE WHEN s.rowid IS NULL THEN ${bySource} ELSE ${matched} END`;
  const rows = `SELECT ${places}, s.rowid AS source, (${clause})::TINYINT AS clause FROM (${target}) t LEFT JOIN ${join}`;
  return `SELECT * FROM (${rows}) WHERE source IS NOT NULL OR clause >= 0`;
}

/**
 * SQL of the source's rows that belong to no row of the target, with `clause`: the insert that takes them, or -1.
 *
 * @param rows SQL of the source's rows, with what is asked of them
 */
export function insertedRows({ edit, source, hits }: OpenEdit, rows = source?.name): string {
  const isJoined = joinText(edit, source) !== undefined;
  const unmatched = isJoined ? ` WHERE NOT EXISTS (SELECT 1 FROM ${hits} h WHERE h.source = s.rowid)` : "";
  return `SELECT s.*, (${clauseNumber(edit.notMatched)})::TINYINT AS clause FROM ${rows} s${unmatched}`;
}

function joinText({ keys, on }: Pick<RowEdit, "keys" | "on">, source: OpenSource | undefined): string | undefined {
  if (source === undefined || (keys.length === 0 && on === undefined)) return undefined;
  const equal = keys.map((key) => `t.${quoteName(key)} = s.${quoteName(key)}`);
  return `${source.name} s ON ${[...equal, ...(on === undefined ? [] : [`(${on})`])].join(" AND ")}`;
}

/** SQL of the number of the first clause whose condition is true, counted from `first`; -1 for none. */
export function clauseNumber(clauses: readonly { readonly condition?: string }[], first = 0): string {
  if (clauses.length === 0) return "-1";
  const cases = clauses.map(({ condition = "true" }, i) => `WHEN ${condition} THEN ${first + i}`);
  return `CASE ${cases.join(" ")} ELSE -1 END`;
}

/** A row to which several rows of the source belong has one result only where it goes away in any case. */
export function allowsSeveralMatches(edit: RowEdit): boolean {
  const [first, ...others] = edit.matched;
  const isDelete = first?.kind === "delete" && first.condition === undefined && others.length === 0;
  return touchingClauses(edit).length === 0 || isDelete;
}
