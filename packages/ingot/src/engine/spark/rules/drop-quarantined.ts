import { quoteString } from "../../../sql/quote.js";
import type { RowOrigin } from "../../engine.js";
import type { SparkSession } from "../connect/session.js";
import { tableText, timestampText } from "../spark-sql.js";

/** Marks open rows of a quarantine as dropped; gives how many. */
export async function dropQuarantined(
  session: SparkSession,
  location: string,
  condition: string,
  { runId, at }: Pick<RowOrigin, "runId" | "at">,
  signal: AbortSignal,
): Promise<number> {
  const set = `_state = 'dropped', _resolved_at = ${timestampText(at)}, _resolved_run = ${quoteString(runId)}`;
  const update = `UPDATE ${tableText(location)} SET ${set} WHERE _state = 'open' AND (${condition})`;
  const { rows } = await session.sql(update, signal);
  return Number(rows[0]?.[0] ?? 0);
}
