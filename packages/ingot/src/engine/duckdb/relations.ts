import {
  type AddFile,
  type ChangedRows,
  readChangeFeed,
  readDeletionVectors,
  readSnapshot,
  type Snapshot,
  type Store,
  type VersionFeed,
} from "@ingot/delta";
import type { BatchFile } from "../../model/batch.js";
import { CHANGE_COLUMNS } from "../../model/change-feed.js";
import type { Field } from "../../model/data-type.js";
import { duckdbType, quoteName } from "../../sql/lower/lower-text.js";
import type { BoundInput, BoundQuery } from "../engine.js";
import { appendedFiles } from "../tables/appended-files.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { ROW_NUMBER } from "./files/file-metadata.js";
import { countDropped, filesRelation } from "./files/files-relation.js";
import type { LocatedFile } from "./files/located-file.js";
import type { TextCopies } from "./files/text-copies.js";
import { type Checks, passingText } from "./rules/checked-rows.js";
import { tracedText, tracesRows } from "./rules/source-columns.js";
import { scanFiles } from "./scan.js";
import { scanChanges } from "./scan-changes.js";

/** Where the rows of relations lie. */
export interface RowSources {
  readonly store: Store;
  readonly copies: TextCopies;
  /** See `FileUse`. */
  readonly lineNumber: boolean;
  /** Rows of queries with rules that were evaluated before. */
  readonly checks?: Checks;
  /** SQL of the rows that stand in the place of those of an input. */
  readonly instead?: ReadonlyMap<BoundInput, string>;
}

/**
 * The text of a query with its relations put before it, and its rules behind: what DuckDB runs.
 *
 * @param traced its rows say where they come from: see `tracesRows`
 */
export async function queryText(bound: BoundQuery, sources: RowSources, traced = false): Promise<string> {
  const { rules } = bound;
  if (rules === undefined || rules.rules.length === 0) return ownText(bound, sources, traced);
  const isChecked = sources.checks?.has(bound) === true;
  const text = isChecked ? "" : await ownText(bound, sources, traced);
  const references = isChecked ? new Map<string, string>() : await referenceTexts(bound, sources);
  return passingText(bound, rules, text, references, sources.checks, traced);
}

/** SQL of the rows of each table that the rules of a query refer to, by the input. */
export async function referenceTexts({ rules, inputs }: BoundQuery, sources: RowSources): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { reference } of rules?.rules ?? [])
    if (reference !== undefined)
      texts.set(reference.input, await relationText(inputs.get(reference.input), "", sources));
  return texts;
}

/** The text of a query without the rules of its own rows. */
export async function ownText(bound: BoundQuery, sources: RowSources, traced = false): Promise<string> {
  const text = traced ? tracedText(bound) : bound.query.duckdb;
  const relations: string[] = [];
  for (const { id } of bound.query.reads) {
    relations.push(`${quoteName(id)} AS (${await relationText(bound.inputs.get(id), text, sources, traced)})`);
  }
  if (relations.length === 0) return text;
  const rest = /^WITH\s/.test(text) ? `, ${text.slice(5)}` : ` ${text}`;
  return `WITH ${relations.join(", ")}${rest}`;
}

/** SQL of the rows of an input. @param query the text that reads them */
export async function relationText(
  input: BoundInput | undefined,
  query: string,
  sources: RowSources,
  traced = false,
): Promise<string> {
  if (input === undefined) throw new Error("unreachable: every relation is bound");
  const instead = sources.instead?.get(input);
  if (instead !== undefined) return instead;
  const { store, copies } = sources;
  switch (input.kind) {
    case "view":
      return queryText(input.view, sources, traced && tracesRows(input.view));
    case "files":
      return filesRelation(input.read, input.columns, await locate(input.files, copies), {
        rowNumber: query.includes(quoteName(ROW_NUMBER)),
        lineNumber: sources.lineNumber,
      });
    case "snapshot":
      return snapshotText(input, store);
    case "appended": {
      const snapshot = await snapshotAt(store, input.location, input.to);
      return withColumns(input.schema, snapshot, await scan(store, snapshot, await appended(input, snapshot, store)));
    }
    case "changes": {
      const snapshot = await snapshotAt(store, input.location, input.to);
      const rows = scanChanges(snapshot, await changed(input, snapshot, store));
      return withColumns(input.schema, snapshot, rows, CHANGE_COLUMNS);
    }
  }
}

/** SQL of the rows of a table. @param mayMatter files that it rules out are not read */
export async function snapshotText(
  { location, version, schema }: BoundInput & { readonly kind: "snapshot" },
  store: Store,
  mayMatter: (file: AddFile) => boolean = () => true,
): Promise<string> {
  const snapshot = await snapshotAt(store, location, version);
  return withColumns(schema, snapshot, await scan(store, snapshot, snapshot.files.filter(mayMatter)));
}

async function locate(files: readonly BatchFile[], copies: TextCopies): Promise<LocatedFile[]> {
  const located: LocatedFile[] = [];
  for (const file of files) located.push(await copies.locate(file));
  return located;
}

/** Queries that count the records which reads below with DROPMALFORMED drop, one a read. */
export async function dropCounts({ inputs }: BoundQuery, copies: TextCopies): Promise<string[]> {
  const counts: string[] = [];
  for (const input of inputs.values()) {
    if (input.kind === "view") counts.push(...(await dropCounts(input.view, copies)));
    if (input.kind !== "files" || input.read.mode !== "DROPMALFORMED" || input.files.length === 0) continue;
    const { read, columns } = input;
    // Of these every record fits.
    if (read.format === "parquet" || read.format === "binaryFile") continue;
    counts.push(countDropped(read, columns, await locate(input.files, copies)));
  }
  return counts;
}

async function appended(
  input: BoundInput & { readonly kind: "appended" },
  snapshot: Snapshot,
  store: Store,
): Promise<AddFile[]> {
  const added: AddFile[] = [];
  for await (const { files } of appendedFiles(store, snapshot, input, input.skipsChanges === true))
    added.push(...files);
  return added;
}

async function changed(
  input: BoundInput & { readonly kind: "changes" },
  snapshot: Snapshot,
  store: Store,
): Promise<VersionFeed[]> {
  const feed: VersionFeed[] = [];
  if (input.after !== undefined) {
    for await (const version of readChangeFeed(store, snapshot, input.after + 1n)) feed.push(version);
    return feed;
  }
  // A feed without a start begins with the table as it stands, each row an insert of that version.
  const { version, timestamp } = snapshot;
  for await (const { files } of appendedFiles(store, snapshot, input, false)) {
    const vectors = await readDeletionVectors(store, snapshot, files);
    const changes = files.map(({ path, partitionValues, size }, i): ChangedRows => {
      const except = vectors[i];
      return { path, partitionValues, size, changeType: "insert", rows: except === undefined ? undefined : { except } };
    });
    feed.push({ version, timestamp, changes });
  }
  return feed;
}

/**
 * A batch reads the version that its manifest says; columns that came later are NULL there, and a type that was widened
 * since is the wider one.
 *
 * @param further columns that the rows have behind the table's
 */
function withColumns(
  schema: readonly Field[] | undefined,
  snapshot: Snapshot,
  rows: string,
  further: readonly Field[] = [],
): string {
  if (schema === undefined) return rows;
  const present = new Map(
    fromDeltaSchema(snapshot.schema).map(({ name, type }) => [name.toLowerCase(), duckdbType(type)]),
  );
  const isAs = ({ name, type }: Field) => present.get(name.toLowerCase()) === duckdbType(type);
  if (schema.every(isAs)) return rows;
  const columns = schema.map((field) => {
    const [name, type] = [quoteName(field.name), duckdbType(field.type)];
    if (isAs(field)) return name;
    return `${present.has(field.name.toLowerCase()) ? `${name}::${type}` : `NULL::${type}`} AS ${name}`;
  });
  return `SELECT ${[...columns, ...further.map(({ name }) => quoteName(name))].join(", ")} FROM (${rows})`;
}

/** The rows of some files of a table; without `files` of all. */
export async function scan(
  store: Store,
  snapshot: Snapshot,
  files: readonly AddFile[] = snapshot.files,
): Promise<string> {
  const vectors = await readDeletionVectors(store, snapshot, files);
  const deleted = new Map(files.flatMap((file, i) => (vectors[i] === undefined ? [] : [[file, vectors[i]] as const])));
  return scanFiles(snapshot, files, deleted);
}

export async function snapshotAt(store: Store, location: string, version: bigint): Promise<Snapshot> {
  const snapshot = await readSnapshot(store, location, { version });
  if (snapshot === undefined) throw new Error(`unreachable: ${location} was described before`);
  return snapshot;
}

/** Whether files are read below: they need functions of their own. */
export function readsFiles(bound: BoundQuery): boolean {
  return [...bound.inputs.values()].some((i) => i.kind === "files" || (i.kind === "view" && readsFiles(i.view)));
}
