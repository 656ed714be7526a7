import type { DuckDBConnection } from "@duckdb/node-api";
import type { AddFile, Snapshot } from "@ingot/delta";
import { type Field, fieldNamed, sameType } from "../../../model/data-type.js";
import type { RowRule } from "../../../model/rule.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { BoundQuery } from "../../engine.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { filesHolding } from "../files-holding.js";
import { type RowSources, referenceTexts, scan, snapshotAt, snapshotText } from "../relations.js";
import { rowsIn } from "../view-table.js";
import type { OtherRows } from "./rule-text.js";

/** Of a table with more rows, only the files are read that may hold the values of a batch. */
const MANY_ROWS = 1_000_000;

/** Where rules look for rows beside those of a query. */
export interface Surroundings {
  readonly sources: RowSources;
  /** The table whose rows stay beside those of the query. */
  readonly beside: Snapshot | undefined;
}

/** The rows beside those of a query that its rules look at, all of them. */
export async function otherRows(query: BoundQuery, { sources, beside }: Surroundings): Promise<OtherRows> {
  const existing = beside !== undefined && uniqueKeys(query).length > 0 ? await scan(sources.store, beside) : undefined;
  return { existing, references: await referenceTexts(query, sources) };
}

/** Whether rules of a query look at a table that is large beside a batch. */
export async function looksFar(query: BoundQuery, { sources, beside }: Surroundings): Promise<boolean> {
  if (beside !== undefined && uniqueKeys(query).length > 0 && rowsIn(beside) > MANY_ROWS) return true;
  for (const { reference } of query.rules?.rules ?? []) {
    const table = reference === undefined ? undefined : await referred(query, reference.input, sources);
    if (table !== undefined && rowsIn(table) > MANY_ROWS) return true;
  }
  return false;
}

/**
 * The rows beside those of a query that may matter to its rules, by the statistics of the files.
 *
 * @param fresh SQL name of the query's rows
 */
export async function nearRows(
  connection: DuckDBConnection,
  fresh: string,
  query: BoundQuery,
  { sources, beside }: Surroundings,
): Promise<OtherRows> {
  const mayHold = (table: Snapshot, pairs: readonly Pair[]) =>
    filesHolding(connection, fresh, comparable(pairs, query, table), table);
  const keys = uniqueKeys(query);
  let existing: string | undefined;
  if (beside !== undefined && keys.length > 0) {
    const tests: ((file: AddFile) => boolean)[] = [];
    for (const columns of keys)
      tests.push(
        await mayHold(
          beside,
          columns.map((column) => [column, column]),
        ),
      );
    const files = beside.files.filter((file) => tests.some((test) => test(file)));
    existing = await scan(sources.store, beside, files);
  }
  const references = new Map<string, string>();
  for (const { reference } of query.rules?.rules ?? []) {
    const input = reference === undefined ? undefined : query.inputs.get(reference.input);
    if (reference === undefined || input?.kind !== "snapshot") continue;
    const table = await snapshotAt(sources.store, input.location, input.version);
    const pairs = reference.others.map(({ column }, i): Pair => [column, reference.columns[i] ?? ""]);
    references.set(reference.input, await snapshotText(input, sources.store, await mayHold(table, pairs)));
  }
  return { existing, references };
}

type Pair = readonly [ofTable: string, ofQuery: string];

/** Of columns with other types, values that are equal may look otherwise. */
function comparable(pairs: readonly Pair[], { query }: BoundQuery, table: Snapshot): Pair[] {
  const stored = fromDeltaSchema(table.schema);
  const typeOf = (columns: readonly Field[], name: string) => fieldNamed(columns, name)?.type;
  return pairs.flatMap(([column, own]): Pair[] => {
    const [there, here] = [typeOf(stored, column), typeOf(query.schema, own)];
    return there !== undefined && here !== undefined && sameType(there, here) ? [[column, quoteName(own)]] : [];
  });
}

function uniqueKeys({ rules }: BoundQuery): (readonly string[])[] {
  return (rules?.rules ?? []).flatMap(({ keys }: RowRule) => (keys === undefined ? [] : [keys]));
}

async function referred({ inputs }: BoundQuery, id: string, { store }: RowSources): Promise<Snapshot | undefined> {
  const input = inputs.get(id);
  return input?.kind === "snapshot" ? snapshotAt(store, input.location, input.version) : undefined;
}
