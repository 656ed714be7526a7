/**
 * Stable codes, the Delta project's own condition names where it has one.
 * A caller may retry after DELTA_CONCURRENT_WRITE with a new snapshot; no other code goes away by itself.
 */
export type DeltaErrorCode =
  | "NO_DELTA_TABLE"
  | "DELTA_TABLE_UNREADABLE"
  | "DELTA_UNSUPPORTED_FEATURES_FOR_READ"
  | "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE"
  | "DELTA_VERSION_NOT_FOUND"
  | "DELTA_TIMESTAMP_INVALID"
  | "DELTA_MISSING_CHANGE_DATA"
  | "DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE"
  | "DELTA_CONCURRENT_WRITE"
  | "DELTA_CANNOT_MODIFY_APPEND_ONLY"
  | "DELTA_INVALID_COMMIT";

export interface DeltaErrorOptions {
  /** Where the table lies. */
  readonly table: string;
  readonly version?: bigint;
  /** The file that is damaged or in the way, as the store names it. */
  readonly path?: string;
  /** The next step. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Every error that this library raises on purpose. Errors of the store (disk full, no rights) pass through as they are. */
export class DeltaError extends Error {
  override readonly name = "DeltaError";
  readonly code: DeltaErrorCode;
  readonly table: string;
  readonly version?: bigint;
  readonly path?: string;
  readonly hint?: string;

  constructor(code: DeltaErrorCode, message: string, options: DeltaErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.table = options.table;
    if (options.version !== undefined) this.version = options.version;
    if (options.path !== undefined) this.path = options.path;
    if (options.hint !== undefined) this.hint = options.hint;
  }
}
