import type { DuckDBConnection } from "@duckdb/node-api";
import { type Field, fieldNamed, sameType } from "../../model/data-type.js";
import { GROUPS, type QueryGroups } from "../../model/query.js";
import type { BoundInput, BoundQuery } from "../engine.js";
import { changedInputs } from "./changed-inputs.js";
import { filesHolding } from "./files-holding.js";
import { followTotals } from "./follow-totals.js";
import type { Followed } from "./followed.js";
import { overChanges, type Side } from "./over-changes.js";
import { queryText, type RowSources, snapshotAt, snapshotText } from "./relations.js";
import { projectTo } from "./stage-files.js";
import { type ToldInput, tellChanges } from "./tell-changes.js";
import type { ViewTable } from "./view-table.js";

let followings = 0;

/**
 * Evaluates a view's query over what changed in its inputs since its table was written. Rows that came to an input bring
 * what the query gives over them alone, rows that went take it away; one input after the other, those before it as they
 * are now and those behind it as they were. Of a query with groups, be they those of GROUP BY, of windows or of DISTINCT,
 * those that changed rows are in are computed anew.
 *
 * @returns why that cannot be, or is not worth it, in words
 */
export async function followChanges(view: ViewTable, sources: RowSources): Promise<Followed | string> {
  const { part, step } = view;
  const { bound, basis } = part;
  if (basis === undefined || typeof basis === "string") return basis ?? "nothing is known of the rows that are there";
  if (!bound.query.deterministic) return "the query is not deterministic";
  const changed = changedInputs(bound, basis);
  if (typeof changed === "string") return changed;
  if (changed.length === 0) return "no input is known to have changed";
  const read: ToldInput[] = [];
  for (const input of changed) {
    const told = await tellChanges(
      view.store,
      input,
      step.refreshPolicy === undefined || step.refreshPolicy === "auto",
    );
    if (typeof told === "string") return told;
    read.push(told);
  }
  followings += 1;
  const prefix = `ingot_follow_${followings}`;
  const { groups, totals } = bound.query.propagation ?? {};
  const compared = groups?.columns ?? (totals === undefined ? [] : bound.query.schema.map(({ name }) => name));
  const other = compared.find((column) => !isStoredAs(column, bound.query.schema, step.target.schema));
  if (other !== undefined) return `the column ${other} is stored with another type`;
  if (groups !== undefined) return followGroups(view, groups, read, sources, prefix);
  return totals === undefined
    ? followRows(view, read, sources, prefix)
    : followTotals(view, totals, read, sources, prefix);
}

function isStoredAs(column: string, given: readonly Field[], stored: readonly Field[]): boolean {
  const [own, kept] = [fieldNamed(given, column), fieldNamed(stored, column)];
  return own !== undefined && kept !== undefined && sameType(own.type, kept.type);
}

async function followRows(
  { connection, step, part }: ViewTable,
  changed: readonly ToldInput[],
  sources: RowSources,
  prefix: string,
): Promise<Followed> {
  const [rows, gone] = [`${prefix}_rows`, `${prefix}_gone`];
  const { bound } = part;
  const text = async (side: Side): Promise<string> => {
    const texts = await overChanges(bound, changed, sources, side);
    const all = texts.map((query) => `(${projectTo(step.target.schema, query, bound.query.schema)})`);
    return all.join(" UNION ALL ");
  };
  const close = async () => {
    await connection.run(`DROP TABLE IF EXISTS ${rows}; DROP TABLE IF EXISTS ${gone}`);
  };
  try {
    await connection.run(`CREATE TEMP TABLE ${rows} AS ${await text("came")}`);
    await connection.run(`CREATE TEMP TABLE ${gone} AS ${await text("went")}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { wanted: { rows, gone }, how: "the rows that changed in its inputs", close };
}

async function followGroups(
  { connection, step, part }: ViewTable,
  { keys, some, columns }: QueryGroups,
  changed: readonly ToldInput[],
  sources: RowSources,
  prefix: string,
): Promise<Followed> {
  const rows = `${prefix}_rows`;
  const { bound } = part;
  const as = (duckdb: string): BoundQuery => ({ ...bound, query: { ...bound.query, duckdb } });
  const close = async () => {
    await connection.run(`DROP TABLE IF EXISTS ${rows}; DROP TABLE IF EXISTS ${GROUPS}`);
  };
  try {
    const touched = await overChanges(as(keys), changed, sources, "both");
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${GROUPS} AS ${touched.map((query) => `(${query})`).join(" UNION ")}`,
    );
    const instead = await inputsOfGroups(connection, bound, columns, sources);
    const text = await queryText(as(some), { ...sources, instead });
    await connection.run(`CREATE TEMP TABLE ${rows} AS ${projectTo(step.target.schema, text, bound.query.schema)}`);
  } catch (error) {
    await close();
    throw error;
  }
  const within = { table: GROUPS, columns };
  return { wanted: { rows, within }, how: "the groups of the rows that changed in its inputs", close };
}

/** The tables that keys are columns of, without the files that hold none of the groups. */
async function inputsOfGroups(
  connection: DuckDBConnection,
  { query, inputs }: BoundQuery,
  columns: readonly string[],
  { store }: RowSources,
): Promise<Map<BoundInput, string>> {
  const copies = columns.flatMap((column, i) => {
    const [source, ...more] = query.lineage?.columns[query.schema.findIndex(({ name }) => name === column)] ?? [];
    const isCopy = source !== undefined && more.length === 0 && source.how === "copied" && source.fields === undefined;
    return isCopy ? [{ ...source, key: [source.column, `k${i}`] as const }] : [];
  });
  const texts = new Map<BoundInput, string>();
  for (const [id, input] of inputs) {
    const keys = copies.filter(({ relation }) => relation === id).map(({ key }) => key);
    const isLinear = query.propagation?.linear[id] !== undefined;
    if (input.kind !== "snapshot" || !isLinear || keys.length === 0) continue;
    const snapshot = await snapshotAt(store, input.location, input.version);
    const mayMatter = await filesHolding(connection, GROUPS, keys, snapshot);
    texts.set(input, await snapshotText(input, store, mayMatter));
  }
  return texts;
}
