import { DELTA_ERRORS, DeltaError, type DeltaErrorCode, type DeltaErrorKind } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import type { Exit, Fault } from "../../model/error-catalogue.js";

const EXITS: Readonly<Record<DeltaErrorKind, Exit>> = {
  conflict: "locked",
  damaged: "unreachable",
  table: "runFailed",
  definition: "projectInvalid",
  request: "usage",
  rows: "runFailed",
  misuse: "bug",
};

/** An error of the Delta library's catalogue as the product's. */
export function deltaFault(code: DeltaErrorCode): Fault {
  const { kind, sqlState } = DELTA_ERRORS[code];
  return { code, exit: EXITS[kind], sqlState };
}

/** Runs work over the Delta library, whose errors become the product's with their codes. */
export async function withDelta<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DeltaError ? fromDelta(error) : error;
  }
}

/** An error of the Delta library as the product's. */
export function fromDelta(error: DeltaError): IngotError {
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  return new IngotError(deltaFault(error.code), error.message, { object: error.table, ...hint, cause: error });
}
