import { formatType, sameType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { verifyReadFile } from "../../sources/files/verify-read-file.js";
import type { BoundQuery, WritePart } from "../engine.js";
import { checkGate } from "../rules/expectation-violation.js";
import { sqlRelation } from "./connect/relations.js";
import type { SparkSession } from "./connect/session.js";
import { countDropped } from "./files/count-dropped.js";
import { queryText } from "./query-text.js";
import { type CheckedRows, checkRows } from "./rules/check-rows.js";
import type { TextContext } from "./text-context.js";

/** A part whose rows were looked at, and nothing of it written. */
export interface CheckedPart {
  readonly part: WritePart;
  /** Of its query. */
  readonly text: string;
  readonly checks: readonly CheckedRows[];
  /** Records that its reads leave out. */
  readonly dropped: number;
}

/**
 * Types the query of a part on Spark, and counts its rows under their rules.
 *
 * @param name of the table that it fills
 * @throws IngotError as `typePart`; EXPECTATION_VIOLATION, QUALITY_GATE_CLOSED
 */
export async function checkPart(
  session: SparkSession,
  name: string,
  part: WritePart,
  context: TextContext,
  signal: AbortSignal,
): Promise<CheckedPart> {
  const text = await typePart(session, name, part, context, signal);
  const checks = await checkRows(session, part.bound, context, signal);
  for (const counted of checks) await checkGate(counted, counted.read);
  return { part, text, checks, dropped: await countDropped(session, part.bound, context, signal) };
}

/**
 * Gives the text of a part's query, typed by Spark; its files are still what the batch recorded.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED, SPARK_TYPE_MISMATCH, FILE_CHANGED
 */
export async function typePart(
  session: SparkSession,
  name: string,
  { bound }: WritePart,
  context: TextContext,
  signal: AbortSignal,
): Promise<string> {
  const text = await queryText(bound, context);
  await checkTypes(session, name, bound, text, context, signal);
  await verifyFiles(bound);
  return text;
}

/**
 * Spark types the query too: where it comes to other types than we do, its rows are not what was planned.
 *
 * @throws IngotError SPARK_TYPE_MISMATCH
 */
async function checkTypes(
  session: SparkSession,
  object: string,
  { query }: BoundQuery,
  text: string,
  { names }: TextContext,
  signal: AbortSignal,
): Promise<void> {
  const found = await session.schema(sqlRelation(text, names), signal);
  const isSame =
    found.length === query.schema.length &&
    query.schema.every(({ name, type }, i) => {
      const other = found[i];
      return other?.name.toLowerCase() === name.toLowerCase() && sameType(other.type, type);
    });
  if (isSame) return;
  const show = (fields: BoundQuery["query"]["schema"]) =>
    fields.map((f) => `${f.name} ${formatType(f.type)}`).join(", ");
  throw new IngotError(
    "SPARK_TYPE_MISMATCH",
    `${object}: the query was typed as (${show(query.schema)}), and Spark gives (${show(found)})`,
    { object, hint: "Nothing was written. Cast the column in the query; and please report it with the query." },
  );
}

/** The files must still be what the batch recorded. */
async function verifyFiles({ inputs }: BoundQuery): Promise<void> {
  for (const input of inputs.values()) {
    if (input.kind === "view") await verifyFiles(input.view);
    else if (input.kind === "files") for (const file of input.files) await verifyReadFile(file);
  }
}
