import { DeltaError, type Snapshot } from "@ingot/delta";

const MARK = "[DELTA_REPLACE_WHERE_MISMATCH]";

/** A query whose rows all make a condition over the alias `t` true: it stops at the first that does not. */
export function requireWhere(query: string, condition: string): string {
  return `SELECT * FROM (${query}) t WHERE CASE WHEN ${condition} THEN true ELSE error('${MARK}') END`;
}

export function isMismatch(error: unknown): boolean {
  return error instanceof Error && error.message.includes(MARK);
}

export function mismatch({ table, version }: Snapshot, condition: string): DeltaError {
  return new DeltaError(
    "DELTA_REPLACE_WHERE_MISMATCH",
    `Written data does not conform with partial table overwrite condition or constraint: a new row of ${table} does not make ${condition} true.`,
    { table, version, hint: "Nothing was committed. Leave such rows out, or widen the condition." },
  );
}
