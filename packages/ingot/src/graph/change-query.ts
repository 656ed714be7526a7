import { ARCHIVED, BEFORE_IMAGE, DELETED, LISTED, SEQUENCE, TRUNCATES } from "../model/changes.js";
import { type Field, fieldNamed } from "../model/data-type.js";
import type { AutoCdcFlow, ReplaceFlow, SnapshotCdcFlow } from "../model/definition.js";
import { quoteIdentifier } from "../model/name.js";
import { type Position, positionAt, type SqlText } from "../model/position.js";
import { concat } from "../sql/locate.js";

/** The `_change_type` of an event that archiving made: a delete of a row that still is true. */
export const ARCHIVE_DELETE = "archive_delete";

/** The query of a change flow's source alone, by which its columns are known. */
export function sourceQuery({ source }: Pick<AutoCdcFlow, "source">): SqlText {
  const at = positionAt(source, 0);
  return concat([ours("SELECT * FROM ", at), source]);
}

/**
 * The query that gives the events of a change flow: all columns of its source, and what its expressions say of each row
 * in columns of Ingot's own. So they are typed where they see what a query sees, and their errors keep their places.
 *
 * @param columns of the source
 */
export function eventQuery(flow: AutoCdcFlow, columns: readonly Field[]): SqlText {
  const at = positionAt(flow.source, 0);
  const { applyAsDeletes: deletes, applyAsTruncates: truncates } = flow;
  const listed = fieldNamed(columns, flow.columnsToUpdate ?? "");
  const [tells, keeps] = [tellsChangeType(columns), flow.onArchiveDelete === "keep"];
  return concat([
    ours("SELECT *, (", at),
    flow.sequenceBy,
    ours(`) AS ${SEQUENCE}`, at),
    ...(deletes === undefined ? [ours(`, false AS ${DELETED}`, at)] : condition(deletes, DELETED)),
    ...(truncates === undefined ? [] : condition(truncates, TRUNCATES)),
    ...(listed === undefined ? [] : [ours(`, ${quoteIdentifier(listed.name)} AS ${LISTED}`, at)]),
    ...(!tells ? [] : [ours(`, _change_type <=> 'update_preimage' AS ${BEFORE_IMAGE}`, at)]),
    ...(!tells || !keeps ? [] : [ours(`, _change_type <=> '${ARCHIVE_DELETE}' AS ${ARCHIVED}`, at)]),
    ours(" FROM ", at),
    flow.source,
  ]);
}

/** The query that gives the rows of a snapshot, each as an event with the snapshot's version, NULL where it has none. */
export function snapshotQuery({ source, version }: SnapshotCdcFlow): SqlText {
  const at = positionAt(source, 0);
  const sequence =
    version === undefined
      ? [ours("CAST(NULL AS BIGINT)", at)]
      : [ours("(", positionAt(version, 0)), version, ours(")", positionAt(version, 0))];
  return concat([ours("SELECT *, ", at), ...sequence, ours(` AS ${SEQUENCE}, false AS ${DELETED} FROM `, at), source]);
}

/** The query that gives the rows of a replace flow as events: those that make its condition true, or all with their sequence. */
export function replaceQuery({ query, replaceWhere, sequenceBy }: ReplaceFlow): SqlText {
  const at = positionAt(query, 0);
  const sequence = sequenceBy === undefined ? "CAST(NULL AS BIGINT)" : quoteIdentifier(sequenceBy);
  const where = replaceWhere === undefined ? [] : [ours(" WHERE ", positionAt(replaceWhere, 0)), replaceWhere];
  return concat([
    ours(`SELECT *, ${sequence} AS ${SEQUENCE}, false AS ${DELETED} FROM (`, at),
    query,
    ours(")", at),
    ...where,
  ]);
}

/** Whether the rows tell, as those of a Delta change feed, what a row was beside what it became. */
export function tellsChangeType(columns: readonly Field[]): boolean {
  return fieldNamed(columns, "_change_type")?.type.kind === "string";
}

/** A condition that is NULL does not hold. */
function condition(text: SqlText, name: string): SqlText[] {
  const at = positionAt(text, 0);
  return [ours(", coalesce((", at), text, ours(`), false) AS ${name}`, at)];
}

/** Text of Ingot's own, at the place of the text that it goes with. */
export function ours(text: string, at: Position): SqlText {
  return { text, segments: [{ start: 0, ...at }] };
}
