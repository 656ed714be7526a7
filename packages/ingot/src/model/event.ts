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
  /** Version of the Delta table that holds the batch. */
  readonly table_version?: number;
  readonly duration_ms?: number;
}

export type EventDetails =
  | {
      readonly flow_progress: {
        readonly status: FlowStatus;
        readonly metrics?: FlowMetrics;
        /** Why: `2 new files`, `inputs unchanged`, `upstream orders failed`. */
        readonly reason?: string;
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
  readonly event_type: "flow_progress" | "run_progress" | "create_run" | "notice";
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
