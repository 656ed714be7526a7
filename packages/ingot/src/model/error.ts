import { CATALOGUE, type ErrorCode, EXIT, type Exit, type Fault } from "./error-catalogue.js";
import type { Position } from "./position.js";

export interface ErrorOptions {
  /** The next step for the user. */
  readonly hint?: string;
  /** Where in the user's files. */
  readonly at?: Position;
  /** The text that `at` lies in, where that is no file. */
  readonly source?: string;
  /** The object it is about: a table, a flow, a key of the spec. */
  readonly object?: string;
  /** Other errors of the same load or analysis, reported together. */
  readonly others?: readonly IngotError[];
  readonly cause?: unknown;
}

/**
 * Every error that Ingot raises on purpose. `code` is stable: Spark's condition name where Spark has one, else ours
 * (see the catalogue). Whatever else reaches the user is a bug of Ingot and says so.
 */
export class IngotError extends Error implements Fault {
  override readonly name = "IngotError";
  /** Of the catalogue, or of the Delta library's. */
  readonly code: string;
  readonly exit: Exit;
  readonly sqlState: string | undefined;
  readonly hint?: string;
  readonly at?: Position;
  readonly source?: string;
  readonly object?: string;
  readonly others: readonly IngotError[];

  constructor(what: ErrorCode | Fault, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const fault: Fault = typeof what === "string" ? { code: what, ...CATALOGUE[what] } : what;
    this.code = fault.code;
    this.exit = fault.exit;
    this.sqlState = fault.sqlState;
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.at !== undefined) this.at = options.at;
    if (options.source !== undefined) this.source = options.source;
    if (options.object !== undefined) this.object = options.object;
    this.others = options.others ?? [];
  }

  /** Exit code of the process when this error ends it. */
  get exitCode(): number {
    return EXIT[this.exit];
  }
}

/** The same error with a place in the user's files, where it has none. */
export function withPlace(error: IngotError, at: Position): IngotError {
  return error.at === undefined ? copy(error, { at }) : error;
}

/** The same error, and those that came with it, with the text that their places lie in. */
export function withSource(error: IngotError, source: string): IngotError {
  return copy(error, { source, others: error.others.map((other) => withSource(other, source)) });
}

/** Throws all errors as one: the first carries the rest, so that a user sees every fault of a load at once. */
export function throwAll(errors: readonly IngotError[]): void {
  const [first, ...others] = errors.flatMap((error) => [error, ...error.others]);
  if (first === undefined) return;
  if (errors.length === 1) throw first;
  throw copy(first, { others });
}

function copy(error: IngotError, changes: ErrorOptions): IngotError {
  return new IngotError(error, error.message, {
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.at === undefined ? {} : { at: error.at }),
    ...(error.source === undefined ? {} : { source: error.source }),
    ...(error.object === undefined ? {} : { object: error.object }),
    others: error.others,
    cause: error.cause,
    ...changes,
  });
}
