import type { DataType, Field } from "./data-type.js";

/** Before the names of all columns that Ingot adds to the rows of a change flow's query. */
export const RESERVED_PREFIX = "__ingot_";

/** The sequence of an event. */
export const SEQUENCE = `${RESERVED_PREFIX}sequence`;
/** BOOLEAN, never NULL: the event takes its key away. */
export const DELETED = `${RESERVED_PREFIX}deleted`;
/** BOOLEAN, never NULL, where truncates are declared: the event takes all older rows away. */
export const TRUNCATES = `${RESERVED_PREFIX}truncates`;
/** BOOLEAN, never NULL, where the source is a change feed: the event says what a row was, and changes nothing. */
export const BEFORE_IMAGE = `${RESERVED_PREFIX}before_image`;
/** BOOLEAN, never NULL, where the flow keeps archived rows: the event says that a row was archived, and changes nothing. */
export const ARCHIVED = `${RESERVED_PREFIX}archived`;

/** ARRAY<STRING>, where the flow has COLUMNS TO UPDATE: the names of the columns that the event writes. */
export const LISTED = `${RESERVED_PREFIX}listed`;

/** Columns of a type 2 target that say from and until which sequence a version holds. */
export const START_AT = "__START_AT";
export const END_AT = "__END_AT";

/** How the events that a change flow's query gives are applied to its target. */
export interface ChangeRules {
  readonly storedAs: "scd1" | "scd2";
  /** Columns that identify a row, as `columns` spells them. */
  readonly keys: readonly string[];
  /** Columns of the query that the target takes, the keys among them. */
  readonly columns: readonly Field[];
  readonly sequenceType: DataType;
  /** The query has TRUNCATES. */
  readonly truncates: boolean;
  /** The query has BEFORE_IMAGE. */
  readonly beforeImages: boolean;
  /** The query has ARCHIVED. */
  readonly archived: boolean;
  /** What wins among events of one key and sequence (law 5). */
  readonly ties: "upsert" | "delete";
  /** Columns in which NULL keeps the value of before. */
  readonly ignoreNulls: readonly string[];
  /** Where each event writes the columns of its LISTED alone, the names that may stand there; absent: it writes all. */
  readonly listable?: readonly string[];
  /** Type 2: columns whose change opens a version. */
  readonly tracked: readonly string[];
  /** Column of the target that holds the sequence of each of its rows; absent where none does. */
  readonly sequenceColumn?: string;
  /** The sequences rise from batch to batch, so that nothing need be known of the events before. */
  readonly rises?: true;
  /** The share of the target's rows that one batch may take away; absent: all. */
  readonly maxDeleteShare?: number;
  /** The events are the rows of a whole snapshot, whose version is their sequence; absent: they are changes. */
  readonly snapshot?: SnapshotRules;
  /** The events are rows that take the place of others: of those of their key, or of those that a condition tells. */
  readonly replace?: ReplaceRules;
}

/** Columns that not every event writes, so that each has its value from an event of its own. */
export function keptColumns({ columns, keys, ignoreNulls, listable }: ChangeRules): readonly string[] {
  if (listable === undefined) return ignoreNulls;
  return columns.map(({ name }) => name).filter((name) => !keys.includes(name));
}

export interface ReplaceRules {
  /** Over the names of the target's columns, true for all events, in DuckDB's text and in Spark's; absent: the key tells. */
  readonly condition?: { readonly duckdb: string; readonly spark: string };
}

export interface SnapshotRules {
  /** The flow says the snapshot's version; else snapshots are counted from 0. */
  readonly versioned: boolean;
  /** A snapshot with a smaller share of the rows that are there is refused; absent: only an empty one is. */
  readonly minRowShare?: number;
}
