/** A column that a query reads, or a field within it. */
export interface SourceColumn {
  /** Id of the relation, in `CompiledQuery.reads`. */
  readonly relation: string;
  readonly column: string;
  /** The field of a struct that is read of it, from the outside in; absent for all of the column. */
  readonly fields?: readonly string[];
}

/**
 * How a value comes from a column: as it is, as a part of what it is computed from, or together with the values of
 * other rows.
 */
export type LineageKind = "copied" | "computed" | "aggregated";

export interface ColumnSource extends SourceColumn {
  readonly how: LineageKind;
}

/** Where a query's result comes from. */
export interface Lineage {
  /** For each column of the result, in their order: the columns that its values are made of. */
  readonly columns: readonly (readonly ColumnSource[])[];
  /** Of columns that are structs which the query made: the same of each field, by the column's place and the field's name in lower case. */
  readonly fields?: Readonly<Record<number, Readonly<Record<string, readonly ColumnSource[]>>>>;
  /**
   * Columns that decide which rows there are, what is grouped and which of several values is taken: of WHERE, joins,
   * GROUP BY, HAVING, QUALIFY, FILTER, windows, the order beside LIMIT, subqueries that are tests.
   */
  readonly influences: readonly SourceColumn[];
}
