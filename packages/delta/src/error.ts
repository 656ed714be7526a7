import { type ConflictCode, DELTA_ERRORS, type DeltaErrorCode, type DeltaErrorKind } from "./error-catalogue.js";

export type { ConflictCode, DeltaErrorCode } from "./error-catalogue.js";

/** Of which table an error tells, and of which of its versions: undefined for a table that is not there yet. */
export interface At {
  /** Where the table lies. */
  readonly table: string;
  readonly version?: bigint | undefined;
}

export interface DeltaErrorOptions extends At {
  /** The file that is damaged or in the way, as the store names it. */
  readonly path?: string | undefined;
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

  get kind(): DeltaErrorKind {
    return DELTA_ERRORS[this.code].kind;
  }

  get sqlState(): string | undefined {
    return DELTA_ERRORS[this.code].sqlState;
  }
}

/** What an error says, as the end of a sentence that tells its consequence. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether an error says that another writer was faster: with a new snapshot the same work may succeed. */
export function isConflict(error: unknown): error is DeltaError & { readonly code: ConflictCode } {
  return error instanceof DeltaError && error.kind === "conflict";
}
