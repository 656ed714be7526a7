import { IngotError } from "../../model/error.js";
import { CATALOGUE, type ErrorCode } from "../../model/error-catalogue.js";

/** An error of Spark with what it is about; one that a query of ours raised under its own condition. */
export function fromSpark(error: unknown, object: string): unknown {
  if (!(error instanceof IngotError)) return error;
  const raised = /^\[([A-Z_]+)\] ([\s\S]*)$/.exec(error.message);
  const [, code = "", message = ""] = raised ?? [];
  if (error.code === "USER_RAISED_EXCEPTION" && Object.hasOwn(CATALOGUE, code))
    return new IngotError(code as ErrorCode, message, { object, cause: error });
  if (error.object !== undefined) return error;
  const { hint } = error;
  return new IngotError(error, error.message, { ...(hint === undefined ? {} : { hint }), object, cause: error.cause });
}
