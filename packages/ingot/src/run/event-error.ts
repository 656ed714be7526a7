import type { IngotError } from "../model/error.js";
import type { EventError } from "../model/event.js";

/** An error as text for the event stream. */
export function toEventError(error: IngotError): EventError {
  return {
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.sqlState === undefined ? {} : { sqlState: error.sqlState }),
    ...(error.at === undefined ? {} : { at: error.at }),
  };
}
