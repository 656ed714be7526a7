import { DELTA_ERRORS, DeltaError, type DeltaErrorCode } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import type { Fault } from "../../model/error-catalogue.js";
import { conditionOf } from "../../sql/run-condition.js";
import { deltaFault, fromDelta } from "../tables/delta-errors.js";

/**
 * What DuckDB says, in the product's words: Spark's condition where there is one, storage faults, and the rest.
 */
export function fromDuckdb(error: unknown, object: string): unknown {
  if (!(error instanceof Error) || error instanceof IngotError || error.name === "AbortError") return error;
  if (error instanceof DeltaError) return fromDelta(error);
  const text = error.message;
  if (/^INTERRUPT/.test(text))
    return new IngotError("INTERRUPTED", "The run was interrupted", { object, cause: error });
  if (
    /No space left|Permission denied|Read-only file system|Cannot open file|Could not write|Failed to create/i.test(
      text,
    )
  ) {
    return new IngotError("STORAGE_FAILED", firstLine(text), {
      object,
      hint: "Check that the disk has room and that the folder can be written. Nothing half-written counts.",
      cause: error,
    });
  }
  if (/No files found that match the pattern.*_change_data/.test(text)) {
    return new IngotError(
      deltaFault("DELTA_CHANGE_DATA_FILE_NOT_FOUND"),
      `${object}: a file of the change feed that the log names is gone: ${firstLine(text)}`,
      {
        object,
        hint: "VACUUM takes such files away with the versions that they tell of. Start the reading table again with --full-refresh; its feed then begins with the rows that are there.",
        cause: error,
      },
    );
  }
  if (/No files found that match the pattern/.test(text)) {
    return new IngotError(
      deltaFault("DELTA_TABLE_UNREADABLE"),
      `${object}: a data file that the log names is gone: ${firstLine(text)}`,
      {
        object,
        hint: "Restore the file, or read an older version of the table (VERSION AS OF).",
        cause: error,
      },
    );
  }
  const condition = deltaCondition(text) ?? conditionOf(text);
  if (condition !== undefined) {
    const code = typeof condition === "string" ? condition : condition.code;
    return new IngotError(condition, withoutCondition(firstLine(text), code), { object, cause: error });
  }
  if (/^(Parser|Binder|Catalog|Internal|Not implemented)/i.test(text)) {
    // The lowered text is ours: DuckDB must take it.
    return new IngotError("INTERNAL_ERROR", `${object}: DuckDB refuses the translated query: ${text}`, {
      object,
      hint: "This is a fault of Ingot's translator. Please report it with the query.",
      cause: error,
    });
  }
  return new IngotError("QUERY_FAILED", firstLine(text), { object, cause: error });
}

/** The library's condition that the query itself raised, `[DELTA_…]`. */
function deltaCondition(text: string): Fault | undefined {
  const raised = /\[([A-Z_]+)\]/.exec(text)?.[1] ?? "";
  return Object.hasOwn(DELTA_ERRORS, raised) ? deltaFault(raised as DeltaErrorCode) : undefined;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}

/** The message that stands behind `[CONDITION]`, where the query raised it; a decoder's own condition is its second one. */
function withoutCondition(text: string, code: string): string {
  const message = text.replace(/^.*?\[[A-Z_]+\] /, "");
  return message.startsWith(`[${code}] `) ? message.slice(code.length + 3) : message;
}
