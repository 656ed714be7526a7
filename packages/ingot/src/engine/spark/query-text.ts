import { readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import { CHANGE_COLUMNS } from "../../model/change-feed.js";
import { ATTEMPT_COLUMN, RELEASED_COLUMN, ROW_SOURCES, sourceColumn } from "../../model/quarantine.js";
import { quoteString } from "../../sql/quote.js";
import type { BoundInput, BoundQuery } from "../engine.js";
import { appendedFiles } from "../tables/appended-files.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { sqlRelation } from "./connect/relations.js";
import { dataFileRows, rowsOf } from "./data-files.js";
import { type MetadataUse, metadataUse } from "./files/file-metadata.js";
import { fileRows } from "./files/file-rows.js";
import { notOnSpark } from "./not-supported.js";
import { observeRules } from "./rules/observed-rules.js";
import { checkedText, keptText, type RuledRows } from "./rules/rule-text.js";
import { sourceItems, tracesRows } from "./source-columns.js";
import { columnList, noRows, projection, timestampText, versionOf } from "./spark-sql.js";
import type { TextContext } from "./text-context.js";

/**
 * The text of a query with its rows in the place of its relations; its rules leave rows out.
 *
 * @param traced its rows say where they come from: see `tracesRows`
 */
export async function queryText(bound: BoundQuery, context: TextContext, traced = false): Promise<string> {
  const { rules } = bound;
  if (rules === undefined || rules.rules.length === 0) return ownText(bound, context, traced);
  const rows = await ruledRows(bound, context, traced);
  const observation = context.observed.get(bound);
  if (observation === undefined) return keptText(rules, rows);
  const checked = observeRules(rules, observation, sqlRelation(checkedText(rules, rows), context.names));
  return keptText(rules, rows, context.name(checked));
}

/** What the rules of a query look at. */
export async function ruledRows(bound: BoundQuery, context: TextContext, traced: boolean): Promise<RuledRows> {
  const references = new Map<string, string>();
  for (const { reference } of bound.rules?.rules ?? [])
    if (reference !== undefined)
      references.set(reference.input, await inputText(bound.inputs.get(reference.input), "none", context, false));
  const { existing } = context;
  return { query: await ownText(bound, context, traced), columns: bound.query.schema, traced, existing, references };
}

/** The text of a query without the rules of its own rows. */
async function ownText(bound: BoundQuery, context: TextContext, traced: boolean): Promise<string> {
  const { query, inputs } = bound;
  if (query.spark === undefined)
    throw notOnSpark(`A query in the dialect ${query.dialect}`, "Write it in Spark SQL, or run it on DuckDB.");
  const asksSource = traced && query.spark.some((part) => typeof part === "object" && "room" in part);
  const metadata = asksSource ? "whole" : metadataUse(query.spark.filter((part) => typeof part === "string"));
  const parts: string[] = [];
  for (const part of query.spark) {
    if (typeof part === "string") parts.push(part);
    else if ("relation" in part)
      parts.push(`(${await inputText(inputs.get(part.relation), metadata, context, traced)})`);
    else if (traced) parts.push(sourceItems(bound, part));
  }
  return parts.join("");
}

async function inputText(
  input: BoundInput | undefined,
  metadata: MetadataUse,
  context: TextContext,
  traced: boolean,
): Promise<string> {
  if (input === undefined) throw new Error("unreachable: every relation is bound");
  switch (input.kind) {
    case "view":
      return viewText(input.view, context.below(), traced && tracesRows(input.view));
    case "files":
      return fileRows(input, metadata, context);
    case "snapshot":
      return snapshotText(input, await snapshotAt(context.store, input.location, input.version), context);
    case "appended":
      return appendedText(input, context);
    case "changes":
      return changesText(input, context);
  }
}

/** A view has its own columns alone in a `*`: not those that stand beside rows of a quarantine. */
async function viewText(view: BoundQuery, context: TextContext, traced: boolean): Promise<string> {
  const text = await queryText(view, context, traced);
  const { schema } = view.query;
  const own = schema.filter(({ name }) => name !== RELEASED_COLUMN && name !== ATTEMPT_COLUMN);
  if (own.length === schema.length) return text;
  return `SELECT ${[columnList(own), ...(traced ? ROW_SOURCES.map(sourceColumn) : [])].join(", ")} FROM (${text})`;
}

type Table = BoundInput & { readonly kind: "snapshot" | "appended" | "changes" };

/** The rows of a table at a version. */
function snapshotText({ schema }: Pick<Table, "schema">, snapshot: Snapshot, context: TextContext): string {
  const present = fromDeltaSchema(snapshot.schema);
  return `SELECT ${projection(schema ?? present, present).join(", ")} FROM ${rowsOf(snapshot, context, versionOf(snapshot))}`;
}

async function appendedText(input: BoundInput & { readonly kind: "appended" }, context: TextContext): Promise<string> {
  const snapshot = await snapshotAt(context.store, input.location, input.to);
  const isWhole = input.after === undefined && input.fromFile === undefined && input.untilFile === undefined;
  if (isWhole) return snapshotText(input, snapshot, context);
  const files = [];
  for await (const version of appendedFiles(context.store, snapshot, input, input.skipsChanges === true))
    files.push(...version.files);
  const present = fromDeltaSchema(snapshot.schema);
  const schema = input.schema ?? present;
  if (files.length === 0) return noRows(schema);
  return `SELECT ${projection(schema, present).join(", ")} FROM (${dataFileRows(snapshot, files, context)})`;
}

async function changesText(
  { schema, location, after, to, fromFile, untilFile }: BoundInput & { readonly kind: "changes" },
  context: TextContext,
): Promise<string> {
  const snapshot = await snapshotAt(context.store, location, to);
  const present = fromDeltaSchema(snapshot.schema);
  const columns = schema ?? present;
  if (after !== undefined) {
    if (after >= to) return noRows([...columns, ...CHANGE_COLUMNS]);
    const from = `table_changes_by_path(${quoteString(location)}, ${after + 1n}, ${to})`;
    return `SELECT ${[...projection(columns, present), columnList(CHANGE_COLUMNS)].join(", ")} FROM ${from}`;
  }
  if (fromFile !== undefined || untilFile !== undefined)
    throw notOnSpark(
      "A change feed that begins with a part of its table",
      "Leave maxFilesPerTrigger and maxBytesPerTrigger out.",
      location,
    );
  // A feed without a start begins with the table as it stands, each row an insert of that version.
  const moment = timestampText(new Date(snapshot.timestamp).toISOString());
  const change = `'insert' AS _change_type, ${to}L AS _commit_version, ${moment} AS _commit_timestamp`;
  return `SELECT *, ${change} FROM (${snapshotText({ schema: columns }, snapshot, context)})`;
}

async function snapshotAt(store: Store, location: string, version: bigint): Promise<Snapshot> {
  const snapshot = await readSnapshot(store, location, { version });
  if (snapshot === undefined) throw new Error(`unreachable: ${location} was described before`);
  return snapshot;
}
