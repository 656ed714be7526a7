import type { BoundQuery } from "../../engine.js";
import { sqlRelation } from "../connect/relations.js";
import type { SparkSession } from "../connect/session.js";
import type { TextContext } from "../text-context.js";
import { droppedText } from "./file-rows.js";

/** Records that the reads of a query with DROPMALFORMED leave out, those of the views below it included: one job a read. */
export async function countDropped(
  session: SparkSession,
  { inputs }: BoundQuery,
  context: TextContext,
  signal: AbortSignal,
): Promise<number> {
  let dropped = 0;
  for (const input of inputs.values()) {
    if (input.kind === "view") dropped += await countDropped(session, input.view, context, signal);
    if (input.kind !== "files" || input.read.mode !== "DROPMALFORMED" || input.files.length === 0) continue;
    const text = droppedText(input, context);
    const { rows } = await session.collect(sqlRelation(text, context.names), signal);
    dropped += Number(rows[0]?.[0]);
  }
  return dropped;
}
