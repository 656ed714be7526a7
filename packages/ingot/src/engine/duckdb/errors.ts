import { IngotError } from "../../model/error.js";
import { CATALOGUE, type ErrorCode } from "../../model/error-catalogue.js";

/** DuckDB's own wording of run-time errors for which Spark has a condition. */
const CONDITIONS: readonly [RegExp, ErrorCode][] = [
  [/^Conversion Error/, "CAST_INVALID_INPUT"],
  [/^Out of Range Error/, "ARITHMETIC_OVERFLOW"],
];

/**
 * What DuckDB says, in the product's words. A lowered query raises Spark's errors itself, with the condition in
 * brackets at the start; the rest is told by DuckDB's kind of error.
 */
export function fromDuckdb(error: unknown, object: string): unknown {
  if (!(error instanceof Error) || error instanceof IngotError || error.name === "AbortError") return error;
  const text = error.message;
  if (/^INTERRUPT/.test(text))
    return new IngotError("INTERRUPTED", "The run was interrupted", { object, cause: error });
  const raised = /\[([A-Z_]+(?:\.[A-Z_]+)*)\] ([\s\S]*)$/.exec(text);
  if (raised?.[1] !== undefined && raised[1] in CATALOGUE) {
    return new IngotError(raised[1] as ErrorCode, raised[2] ?? text, { object, cause: error });
  }
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
  for (const [pattern, code] of CONDITIONS) {
    if (pattern.test(text)) return new IngotError(code, firstLine(text), { object, cause: error });
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

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}
