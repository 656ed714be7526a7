import { columnName } from "../column-name.js";
import type { DictionaryField, DictionaryTable } from "../dictionary/table.js";
import type { SapSystem } from "../system.js";
import { type ColumnMode, decodedValue } from "../tables/field-value.js";

/** A table that a document is made of: its newest rows, one a key. */
export interface Part {
  readonly table: DictionaryTable;
  /** What stands behind FROM, as Spark SQL. */
  readonly relation: string;
  /** The columns that it has, in lower case. */
  readonly columns: readonly string[];
  readonly mode: ColumnMode;
  readonly system: SapSystem;
  /** It has `event_ts`. */
  readonly timed: boolean;
}

/** A column of a document, as Spark SQL. */
export interface Column {
  readonly name: string;
  readonly sql: string;
}

/** What is joined to the items of a document, without multiplying them. */
export interface Joined {
  readonly joins: readonly string[];
  readonly columns: readonly Column[];
  /** Spark SQL: when its rows were changed. */
  readonly times: readonly string[];
}

/** A value that may be malformed. */
export interface Value {
  readonly sql: string;
  /** Spark SQL: why it is NULL though something stands there; undefined where that cannot be. */
  readonly reason?: string;
}

/** A part lacks columns that the document needs, or has a release that stands against it. */
export class DocumentFault extends Error {}

/** What the columns of a part end with, and what it is called in the query. */
export function aliasOf({ table }: Part): string {
  return table.name.toLowerCase();
}

/** The columns of a part under the names of the document: `netwr_vbak`. */
export function columnsOf(
  part: Part,
  sqlOf = (column: string) => `${aliasOf(part)}.${columnName(column)}`,
  suffix = aliasOf(part),
): Column[] {
  return part.columns.map((column) => ({ name: `${column}_${suffix}`, sql: sqlOf(column) }));
}

/** @throws DocumentFault */
export function requireColumns(part: Part, names: readonly string[]): void {
  const missing = names.filter((name) => !part.columns.includes(name));
  if (missing.length > 0) throw new DocumentFault(`needs ${missing.join(", ")} of ${part.table.name}`);
}

/** Spark SQL: two relations have the same values in some columns. */
export function equalIn(left: string, right: string, columns: readonly string[]): string {
  return columns.map((column) => `${left}.${column} = ${right}.${column}`).join(" AND ");
}

/** `LEFT JOIN` of the row of a part that has the same values in some columns. */
export function joinPart(part: Part, to: Part, columns: readonly string[]): string {
  const alias = aliasOf(part);
  return `LEFT JOIN ${part.relation} AS ${alias}\n  ON ${equalIn(alias, aliasOf(to), columns)}`;
}

/**
 * A field by the decoder of its type, where the part has texts.
 *
 * @param alias of the relation that it stands in; left out where the query has one alone
 * @throws DocumentFault
 */
export function decodedOf(part: Part, column: string, alias?: string): Value {
  const named = (name: string) => `${alias === undefined ? "" : `${alias}.`}${columnName(name.toLowerCase())}`;
  if (part.mode === "typed") {
    requireColumns(part, [column]);
    return { sql: named(column) };
  }
  const { value, reason } = decodedValue(fieldOf(part, column), part.system, named);
  return { sql: value, ...(reason === undefined ? {} : { reason }) };
}

/** Spark SQL: why the first of some values is malformed; NULL where none is. */
export function firstReason(values: readonly Value[]): string {
  const reasons = values.flatMap(({ reason }) => reason ?? []);
  return reasons.length > 1 ? `coalesce(${reasons.join(", ")})` : (reasons[0] ?? "CAST(NULL AS STRING)");
}

/** Spark SQL: when the rows of parts were changed, by the names of the parts. */
export function timesOf(...parts: readonly Part[]): string[] {
  return parts.filter(({ timed }) => timed).map((part) => `${aliasOf(part)}.event_ts`);
}

/** When the freshest of the rows of a document was changed; `greatest` leaves NULL out. */
export function freshness(times: readonly string[]): Column[] {
  const [first, second] = times;
  if (first === undefined) return [];
  return [{ name: "event_ts", sql: second === undefined ? first : `greatest(${times.join(", ")})` }];
}

/** @throws DocumentFault */
function fieldOf(part: Part, column: string): DictionaryField {
  requireColumns(part, [column]);
  const field = part.table.fields.find(({ name }) => name === column.toUpperCase());
  if (field === undefined) throw new DocumentFault(`needs ${column} of ${part.table.name}`);
  return field;
}
