import type { Position } from "./position.js";

export type FlowStatus =
  | "QUEUED"
  | "PLANNING"
  | "STARTING"
  | "RUNNING"
  | "COMPLETED"
  | "FAILED"
  | "SKIPPED"
  | "STOPPED"
  | "EXCLUDED"
  | "IDLE";
export type RunState = "RUNNING" | "COMPLETED" | "FAILED" | "CANCELED";
export type EventLevel = "INFO" | "WARN" | "ERROR";

/** What an error looks like in an event: text only, so that it can be stored and sent. */
export interface EventError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly sqlState?: string;
  readonly at?: Position;
}

/** Rows and files of one batch of a flow; absent figures were not counted. */
export interface FlowMetrics {
  readonly num_output_rows?: number;
  readonly num_output_bytes?: number;
  /** Files read, and the records in them, counted apart from the engine. */
  readonly num_input_files?: number;
  readonly num_input_records?: number;
  /** Records that went to the corrupt-record column. */
  readonly num_corrupt_records?: number;
  /** Of AUTO CDC, as Lakeflow names them: rows inserted or updated, and rows that deletes took away. */
  readonly num_upserted_rows?: number;
  readonly num_deleted_rows?: number;
  /**
   * Changes that were read: the sum of the inserted, updated and deleted rows, of the truncates that were applied, and of
   * the changes that changed nothing, each told by its reason.
   */
  readonly num_changes?: number;
  readonly num_inserted_rows?: number;
  readonly num_updated_rows?: number;
  readonly num_truncates?: number;
  /** Deletes of keys that are not there. */
  readonly num_unchanged?: number;
  /** Lost against another change of the batch. */
  readonly num_superseded?: number;
  /** The same as another change, of the batch or before it. */
  readonly num_duplicates?: number;
  /** Lost against a change of an earlier batch. */
  readonly num_late?: number;
  readonly num_before_images?: number;
  readonly num_archived?: number;
  /** Of all these: had the key and the sequence of the change that counts, and were another. */
  readonly num_ties?: number;
  /** Rows that truncates took away, or the rows of a replace flow. */
  readonly num_truncated_rows?: number;
  /** Version of the Delta table that holds the batch. */
  readonly table_version?: number;
  readonly duration_ms?: number;
}

/** How rows fared under expectations, as Lakeflow tells it. */
export interface DataQuality {
  readonly dropped_records: number;
  /** Rows that were set aside; Lakeflow has none. */
  readonly quarantined_records: number;
  readonly expectations: readonly ExpectationResult[];
}
export interface ExpectationResult {
  readonly name: string;
  /** Complete name of the dataset that declares it. */
  readonly dataset: string;
  readonly passed_records: number;
  readonly failed_records: number;
}

export type EventDetails =
  | {
      readonly flow_progress: {
        readonly status: FlowStatus;
        readonly metrics?: FlowMetrics;
        /** Of all batches of the run; in COMPLETED alone. */
        readonly data_quality?: DataQuality;
        /** Why: `2 new files`, `inputs unchanged`, `upstream orders failed`. */
        readonly reason?: string;
      };
    }
  | {
      /** How a materialized view whose inputs or definition changed got its rows, and why so. */
      readonly planning_information: {
        /** `INCREMENTAL: …` from the changes of its inputs, or `COMPLETE_RECOMPUTE: …`, each with the reason. */
        readonly computed: string;
        readonly technique: "unchanged" | "difference" | "overwrite";
        readonly inserted_rows: number;
        readonly deleted_rows: number;
        readonly reason: string;
      };
    }
  | { readonly run_progress: { readonly state: RunState; readonly duration_ms?: number } }
  | { readonly create_run: { readonly command: string; readonly user: string } }
  | { readonly notice: Readonly<Record<string, unknown>> };

/** One fact of a run, in the shape of Lakeflow's event log. All screens, files and hooks hear these and nothing else. */
export interface RunEvent {
  readonly id: string;
  /** Rises by one with each event of a run, from 0. */
  readonly sequence: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly timestamp: string;
  readonly level: EventLevel;
  readonly event_type: "flow_progress" | "planning_information" | "run_progress" | "create_run" | "notice";
  readonly message: string;
  readonly origin: {
    readonly pipeline_name: string;
    readonly run_id: string;
    readonly dataset_name?: string;
    readonly flow_name?: string;
    readonly at?: Position;
  };
  readonly details: EventDetails;
  readonly error?: EventError;
}
