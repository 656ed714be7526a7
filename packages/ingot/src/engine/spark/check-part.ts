import { formatType, sameType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import { verifyReadFile } from "../../sources/files/verify-read-file.js";
import type { BoundQuery, WritePart } from "../engine.js";
import { sqlRelation } from "./connect/relations.js";
import type { SparkSession } from "./connect/session.js";
import { queryText } from "./query-text.js";
import { type CheckedRows, checkRows, type RowsUnderRules, rulesBelow } from "./rules/check-rows.js";
import { passingViews } from "./rules/passing-views.js";
import type { TextContext } from "./text-context.js";

/** A part that was typed, and nothing of it written. */
export interface TypedPart {
  readonly part: WritePart;
  /** Of its query, for a statement that evaluates it once: there rows are counted. */
  readonly text: string;
  /** The rules that its rows meet in the text, and the names of the observations that count them. */
  readonly passing: readonly RowsUnderRules[];
  readonly observed: TextContext["observed"];
  /** Rows under other rules. */
  readonly checks: readonly CheckedRows[];
}

/**
 * Types the query of a part on Spark, and counts rows under those rules of views that its own evaluation cannot count.
 *
 * @param name of the table that it fills
 * @throws IngotError as `typeQuery`; as `checkRows`
 */
export async function typePart(
  session: SparkSession,
  name: string,
  part: WritePart,
  context: TextContext,
  signal: AbortSignal,
): Promise<TypedPart> {
  const { bound } = part;
  const observed = observations(part);
  const text = await typeQuery(session, name, bound, context.observing(observed), signal);
  const rules = await rulesBelow(session, bound, context, signal);
  const checks = await checkRows(rules.filter((rows) => !observed.has(rows.bound)));
  return { part, text, passing: rules.filter((rows) => observed.has(rows.bound)), observed, checks };
}

/** The rules of the query itself look at the rows that it gives. */
function observations({ bound, transaction }: WritePart): TextContext["observed"] {
  const queries = [...passingViews(bound), ...(bound.rules === undefined ? [] : [bound])];
  return new Map(queries.map((query, i) => [query, `${transaction.appId} ${i}`]));
}

/**
 * Gives the text of a query, typed by Spark; its files are still what the batch recorded.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED, SPARK_TYPE_MISMATCH, FILE_CHANGED
 */
async function typeQuery(
  session: SparkSession,
  name: string,
  bound: BoundQuery,
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
