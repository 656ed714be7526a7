import type { GraphNode } from "../graph/graph.js";
import type { BatchFile } from "../model/batch.js";
import type { ChangeRules } from "../model/changes.js";
import type { Field } from "../model/data-type.js";
import type { Dataset } from "../model/definition.js";
import type { IngotError } from "../model/error.js";
import type { FileRead } from "../model/file-read.js";
import type { SourceColumns } from "../model/quarantine.js";
import type { AsOf, CompiledQuery, Dialect, Moment, TableOptions } from "../model/query.js";
import type { RowRules } from "../model/rule.js";
import type { DeclaredTable, TableState } from "../model/table.js";
import type { FactCheck } from "../model/table-fact.js";
import type { CompiledExpression } from "../sql/compile-expression.js";
import type { Compiler } from "../sql/compiler.js";

/**
 * What executes the steps of a plan. Everything above speaks of queries and tables; what a file or a commit looks like
 * is known below.
 */
export interface Engine {
  /**
   * The table in a folder, or undefined where the folder is absent or empty.
   *
   * @throws IngotError NO_DELTA_TABLE (a folder with other content), DELTA_…
   */
  describe(location: string, asOf?: AsOf): Promise<TableState | undefined>;
  /**
   * The properties of a table that is declared, named and written as the engine keeps them. Looks at nothing else.
   *
   * @throws IngotError DELTA_… for a property, or the name of a column, that no table can have
   */
  declare(table: DeclaredTable): Promise<Readonly<Record<string, string>>>;
  /**
   * The versions that a read names by version or moment, both included; `from` is one more than `to` where that is none.
   *
   * @throws IngotError DELTA_CDC_START_VERSION_AFTER_LATEST, DELTA_INVALID_CDC_RANGE, DELTA_TIMESTAMP_…
   */
  resolveRange(
    location: string,
    from: Moment | "latest",
    to?: Moment,
  ): Promise<{ readonly from: bigint; readonly to: bigint }>;
  /**
   * How much of a range a stream's next batch takes: all of it, or what the limits of the read allow. Looks at what the
   * range did to the table.
   *
   * @throws IngotError DELTA_SOURCE_TABLE_IGNORE_CHANGES, DELTA_SOURCE_IGNORE_DELETE, DELTA_MISSING_CHANGE_DATA,
   *   DELTA_VERSION_NOT_FOUND,
   *   DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE for a range that the stream cannot follow
   */
  admit(location: string, range: VersionRange, options: TableOptions): Promise<RangeEnd>;
  /** What of a table's flows the engine cannot do, before anything runs; absent: it does all. */
  readonly refuse?: (node: GraphNode) => readonly IngotError[];
  /** Compilers of the SQL that the engine has beside Spark's, for datasets with such a `dialect`. */
  readonly dialects: Readonly<Partial<Record<Dialect, Compiler>>>;
  /**
   * Executes one step in one commit; a part that the table already has (its `txn`) is left out.
   *
   * @throws IngotError MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE for a view that is to follow changes, strictly, and cannot
   */
  write(step: WriteStep, signal: AbortSignal): Promise<WriteResult>;
  /**
   * Applies events to a table: first one commit of its state, then one of the table. A part that the table already has
   * is left out.
   *
   * @throws IngotError AUTOCDC_MICROBATCH_VALIDATION.…, AUTOCDC_INVALID_STATE.…, MASS_DELETE; nothing is committed then
   */
  apply(step: ApplyStep, signal: AbortSignal): Promise<ApplyResult>;
  /** Adds rows to a table, which is made where it is not there, in one commit with a `txn`. For few rows. */
  appendRows(target: TargetTable, rows: readonly TextRow[], transaction: WritePart["transaction"]): Promise<void>;
  /**
   * Marks open rows of a quarantine as dropped; gives how many.
   *
   * @param condition over the columns of the quarantine
   */
  dropQuarantined(
    location: string,
    condition: Pick<CompiledExpression, "duckdb" | "spark">,
    origin: Pick<RowOrigin, "runId" | "at">,
    signal: AbortSignal,
  ): Promise<number>;
  /** Writes small files and files with deleted rows of a table anew, in one commit or none; its rows stay the same. */
  optimize(location: string, signal: AbortSignal): Promise<Optimized>;
  /**
   * Deletes the files of a table that no version within the retention has.
   *
   * @throws IngotError DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT
   */
  vacuum(location: string, options: VacuumOptions): Promise<Vacuumed>;
  /** Runs a query and gives its first `limit` rows. */
  query(query: BoundQuery, options: { readonly limit?: number; readonly signal: AbortSignal }): Promise<ResultSet>;
  close(): Promise<void>;
}

export interface Optimized {
  /** Version of the table behind it. */
  readonly version: bigint;
  readonly filesAdded: number;
  readonly filesRemoved: number;
  readonly bytesAdded: number;
  readonly bytesRemoved: number;
}

export interface VacuumOptions {
  /** At least the table's own retention, which holds without it. */
  readonly retainHours?: number;
  /** Nothing is deleted, only told. */
  readonly dryRun: boolean;
}

export interface Vacuumed {
  readonly files: number;
  readonly bytes: number;
}

/** A query with the rows that each of its relations stands for. */
export interface BoundQuery {
  readonly query: CompiledQuery;
  readonly inputs: ReadonlyMap<string, BoundInput>;
  /** Its rows are those that these let pass. */
  readonly rules?: RowRules;
}

/** As `TableRange` of a manifest. */
export interface VersionRange {
  readonly after?: bigint;
  readonly to: bigint;
  readonly fromFile?: number;
}

/** Where a batch ends within a range. */
export interface RangeEnd {
  readonly to: bigint;
  readonly untilFile?: number;
}

export type BoundInput =
  /**
   * `schema`: the columns that the query was typed with; one that an older version lacks is NULL. `sources`: those of
   * them that say where a row comes from.
   */
  | {
      readonly kind: "snapshot";
      readonly location: string;
      readonly version: bigint;
      readonly schema?: readonly Field[];
      readonly sources?: SourceColumns;
    }
  | (VersionRange &
      Partial<RangeEnd> & {
        readonly kind: "appended";
        readonly location: string;
        readonly skipsChanges?: true;
        readonly schema?: readonly Field[];
        readonly sources?: SourceColumns;
      })
  /** `schema` is the table's; the columns of the feed come behind it. */
  | (VersionRange &
      Partial<RangeEnd> & {
        readonly kind: "changes";
        readonly location: string;
        readonly schema?: readonly Field[];
        readonly sources?: SourceColumns;
      })
  /** `columns`: all that the query sees but `_metadata`; a file that lacks one gives NULL. */
  | {
      readonly kind: "files";
      readonly read: FileRead;
      readonly columns: readonly Field[];
      readonly files: readonly BatchFile[];
    }
  | { readonly kind: "view"; readonly view: BoundQuery };

/** Where a step writes, and what the table is to be after it. */
export interface TargetTable extends DeclaredTable {
  readonly location: string;
  readonly comment?: string;
}

/** A row of texts and of timestamps (`2024-05-01T10:00:00.123456Z`), by column. */
export type TextRow = Readonly<Record<string, string | null>>;

export interface WriteStep {
  readonly target: TargetTable;
  readonly mode: "append" | "overwrite";
  /** Rows that an overwrite finds in the table may stay where they are: only the difference is written. */
  readonly byDifference?: boolean;
  /** Whether a view follows the changes of its inputs or is computed anew; absent: "auto", what costs less. */
  readonly refreshPolicy?: Dataset["refreshPolicy"];
  /** One a flow. */
  readonly parts: readonly WritePart[];
  /** Note in the commit, by which the writer knows its own commit again. */
  readonly note: string;
}

export interface WritePart {
  readonly bound: BoundQuery;
  /** The flow's checkpoint and its batch: the same pair is never committed twice. */
  readonly transaction: { readonly appId: string; readonly version: bigint };
  /** Where rows that rules send to a quarantine say they come from; there where a query of the part has such rules. */
  readonly origin?: RowOrigin;
  /** When the batch was planned, UTC, ISO 8601; there where a rule asks how fresh the table is. */
  readonly planned?: string;
  /** Rows that must come out, where the query keeps every record of its files. Another count: BALANCE, no commit. */
  readonly expectedRows?: number;
  /** Of a view: its query over the inputs that the rows of its table come of, or why they do not count. */
  readonly basis?: BoundQuery | string;
  /** Output column that holds raw text of records that did not fit; counted. */
  readonly corruptRecordColumn?: string;
}

/** Events that are applied to a table by key and sequence. */
export interface ApplyStep {
  readonly target: TargetTable;
  /** `reset`: the events are all that the table comes of, as after a full refresh. */
  readonly mode: "apply" | "reset";
  readonly rules: ChangeRules;
  /** One a flow; several only where the table starts again. Their queries give events (see `model/changes.ts`). */
  readonly parts: readonly WritePart[];
  /** Folder of the table that holds the sequences which the target does not show, and the tombstones. */
  readonly state: string;
  /** When the batch was planned, UTC, ISO 8601: tombstones get older from then on. */
  readonly planned: string;
  /** `maxDeleteShare` does not hold this time. */
  readonly allowMassDelete: boolean;
  /** Tombstones go when they are older, in seconds; absent: they stay. */
  readonly tombstoneSeconds?: number;
  readonly note: string;
}

export interface ApplyResult {
  /** Version that holds the step; the table's newest one where there was nothing to apply. */
  readonly version: bigint;
  /** What became of each part's events: nothing, where the table had it already. */
  readonly parts: readonly AppliedPart[];
  /** One sentence for people: why nothing was applied. */
  readonly notice?: string;
}

export interface AppliedPart {
  readonly events: EventCounts;
  /** As of `PartResult`. */
  readonly droppedRecords?: number;
  readonly checks?: readonly RuleCounts[];
}

/**
 * What became of the events of a batch. Law: `read` is the sum of `inserted`, `updated`, `deleted`, `truncates`,
 * `unchanged`, `superseded`, `duplicate`, `late`, `beforeImages` and `archived`.
 */
export interface EventCounts {
  readonly read: number;
  readonly inserted: number;
  readonly updated: number;
  /** Took a row away. */
  readonly deleted: number;
  /** Took older rows away, whichever there were. */
  readonly truncates: number;
  /** Were applied and changed no row: deletes of keys that are not there. */
  readonly unchanged: number;
  /** Lost against another event of the batch. */
  readonly superseded: number;
  /** Are the same as another event of the batch, or as the one that the table has. */
  readonly duplicate: number;
  /** Lost against an event of an earlier batch. */
  readonly late: number;
  readonly beforeImages: number;
  /** Say that a row was archived, which the target keeps. */
  readonly archived: number;
  /** Of all these: had the key and the sequence of the event that counts, and were another. */
  readonly ties: number;
  /** Rows of the table that truncates took away, or the events of a replace flow. */
  readonly truncatedRows: number;
}

export const NO_EVENTS: EventCounts = {
  read: 0,
  inserted: 0,
  updated: 0,
  deleted: 0,
  truncates: 0,
  unchanged: 0,
  superseded: 0,
  duplicate: 0,
  late: 0,
  beforeImages: 0,
  archived: 0,
  ties: 0,
  truncatedRows: 0,
};

export interface RowOrigin {
  /** Complete name of the target, and of the flow where it has another: `spark_catalog.default.orders late_orders`. */
  readonly flow: string;
  readonly runId: string;
  /** UTC, ISO 8601. */
  readonly at: string;
}

export interface WriteResult {
  /** Version that holds the step; the table's newest one where there was nothing to commit. */
  readonly version: bigint;
  /** What each part of the step wrote, in their order: nothing, where the table had it already. */
  readonly parts: readonly PartResult[];
}

export interface PartResult {
  readonly rows: number;
  readonly bytes: number;
  /** Of an overwrite that looked for the difference. */
  readonly refresh?: Refresh;
  readonly corruptRecords?: number;
  /** Records that reads with DROPMALFORMED left out; absent for none. */
  readonly droppedRecords?: number;
  /** What came of the rules of the query and of the views below it, one for each dataset that has some. */
  readonly checks?: readonly RuleCounts[];
  /** What came of those about the table as a whole. */
  readonly facts?: readonly FactCheck[];
}

/** How a table got the rows of its query. */
export interface Refresh {
  /** From the changes of its inputs or from all of their rows, and why so. */
  readonly computed: Computed;
  /** `unchanged`: it had them, and nothing was committed. */
  readonly technique: "unchanged" | "difference" | "overwrite";
  /** Rows that it lacked, and rows that it had too much. */
  readonly inserted: number;
  readonly deleted: number;
  /** Why it was not written otherwise, in a few words. */
  readonly reason: string;
}

/** In Lakeflow's words. */
export type Computed = `INCREMENTAL: ${string}` | `COMPLETE_RECOMPUTE: ${string}`;

/**
 * How the rows of a query fared under the rules of a dataset. Each row is in one place:
 * `rows` = those that went on + `dropped` + `quarantined`.
 */
export interface RuleCounts {
  readonly dataset: string;
  readonly rows: number;
  /** Rows that fail at least one rule. */
  readonly failed: number;
  readonly dropped: number;
  readonly quarantined: number;
  /** Rows that fail it, rule by rule in their order. */
  readonly rules: readonly { readonly name: string; readonly failed: number }[];
}

export interface ResultSet {
  readonly columns: readonly Field[];
  /** Values in the columns' order; texts in Spark's form, except boolean, numbers up to 32 bits and doubles. */
  readonly rows: readonly (readonly Value[])[];
  /** More rows were there than asked for. */
  readonly truncated: boolean;
}

/** A value as JSON can hold it without loss: see `engine/duckdb/values.ts`. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [field: string]: Value };
