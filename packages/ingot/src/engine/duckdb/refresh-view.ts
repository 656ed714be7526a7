import { DeltaError, type Snapshot } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import { quoteName } from "../../sql/lower/lower-text.js";
import { checkBalance } from "../check-balance.js";
import type { Computed, PartResult, Refresh, WritePart, WriteResult, WriteStep } from "../engine.js";
import { checkGate } from "../rules/expectation-violation.js";
import { commitFiles } from "../tables/commit-files.js";
import { changeStep, ENGINE_INFO } from "./commit-step.js";
import type { TextCopies } from "./files/text-copies.js";
import { followChanges } from "./follow-changes.js";
import { newFiles, rowsOf } from "./part-result.js";
import type { RowSources } from "./relations.js";
import { checkFacts, type NewRows } from "./rules/check-facts.js";
import type { Checks } from "./rules/checked-rows.js";
import { commitQuarantine } from "./rules/commit-quarantine.js";
import { readExamples } from "./rules/read-examples.js";
import { stageQuarantines } from "./rules/stage-quarantine.js";
import { settleReads } from "./settle-reads.js";
import { projectTo, stageFiles } from "./stage-files.js";
import { MissingRows, ViewDifference } from "./view-difference.js";
import { hasFeed, isOn, isWorthComparing, rowsIn, type ViewTable } from "./view-table.js";

/** Of a table's rows, the share that may change by deletion vectors before writing it anew is cheaper for its readers. */
const SMALL_SHARE = 0.2;

/** Runs work with the text of the view's query, and what its rules said. */
type Evaluate = (work: (text: string, checks: Checks) => Promise<WriteResult>) => Promise<WriteResult>;

/**
 * Where a view is to follow the changes of its inputs and nothing else, and there are rows to go on from.
 *
 * @throws IngotError MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE
 */
export function refuseRecompute({ target, refreshPolicy }: WriteStep, { basis }: WritePart, obstacle: string): void {
  if (refreshPolicy !== "incremental strict" || typeof basis !== "object") return;
  throw new IngotError(
    "MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE",
    `${target.name}: REFRESH POLICY INCREMENTAL STRICT, and the view cannot follow what changed: ${obstacle}`,
    {
      object: target.name,
      hint: `Nothing was written. Start it again with --full-refresh ${target.name.split(".").at(-1)}; or take REFRESH POLICY INCREMENTAL, which computes it anew where it must.`,
    },
  );
}

let refreshes = 0;

/**
 * Gives a view's table the rows of its query in one commit, or in none where it has them: what changes of its inputs make
 * of it, where they can be followed; else the query is evaluated once, and the difference written where the table records
 * changes, or where few rows differ and deletion vectors can mark them, or all rows anew.
 *
 * @throws IngotError MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE
 */
export async function refreshView(view: ViewTable, sources: RowSources, evaluate: Evaluate): Promise<WriteResult> {
  const { step, part } = view;
  const result = await refreshByChanges(view, sources);
  if (typeof result !== "string")
    return { version: result.version, parts: step.parts.map((other) => (other === part ? result.result : NO_ROWS)) };
  refuseRecompute(step, part, result);
  return evaluate((text, checks) => recompute(view, text, checks, sources.copies, `COMPLETE_RECOMPUTE: ${result}`));
}

async function recompute(
  view: ViewTable,
  text: string,
  checks: Checks,
  copies: TextCopies,
  computed: Computed,
): Promise<WriteResult> {
  const { connection, store, snapshot, step, part, signal } = view;
  const { target } = step;
  refreshes += 1;
  const rows = `ingot_view_${refreshes}`;
  for (const checked of checks.values()) await checkGate(checked, readExamples(connection, checked));
  await connection.run(`CREATE TEMP TABLE ${rows} AS ${projectTo(target.schema, text, part.bound.query.schema)}`);
  try {
    const dropped = await settleReads(connection, part.bound, copies);
    const counts = [...checks.values()].map((checked) => checked.counts);
    const [[count] = []] = (await connection.runAndReadAll(`SELECT count(*) FROM ${rows}`)).getRows();
    checkBalance(target.name, part, Number(count), dropped, counts);
    const { rules } = part.bound;
    const table = { store, snapshot, appends: false, planned: part.planned ?? "" };
    const facts =
      rules?.facts === undefined ? [] : await checkFacts(connection, rules, table, rowsOfTable(rows, Number(count)));
    const aside = await stageQuarantines(connection, store, step, part, checks);
    signal.throwIfAborted();
    // The target comes last: a batch that it holds is done.
    for (const quarantine of aside) await commitQuarantine(store, quarantine);
    const { version, result } = await writeRows(view, rows, computed);
    const told = {
      ...(dropped === 0 ? {} : { droppedRecords: dropped }),
      ...(counts.length === 0 ? {} : { checks: counts }),
      ...(facts.length === 0 ? {} : { facts }),
    };
    return { version, parts: step.parts.map((other) => (other === part ? { ...result, ...told } : NO_ROWS)) };
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${rows}`);
  }
}

function rowsOfTable(table: string, rows: number): NewRows {
  return { rows, newest: (column) => `SELECT max(${quoteName(column)})::TIMESTAMPTZ AS newest FROM ${table}` };
}

const NO_ROWS: PartResult = { rows: 0, bytes: 0 };

interface Written {
  readonly version: bigint;
  readonly result: PartResult;
}

async function writeRows(view: ViewTable, rows: string, computed: Computed): Promise<Written> {
  const { connection, store, snapshot, plan, step, part } = view;
  const difference = new ViewDifference(connection, store, { rows });
  const refresh = { computed, ...(await chooseTechnique(snapshot, difference)) };
  if (refresh.technique === "difference") return writeDifference(view, difference, refresh);
  await difference.close();
  if (refresh.technique === "unchanged") return { version: snapshot.version, result: { rows: 0, bytes: 0, refresh } };
  const { schema, clusterBy } = step.target;
  const files = await stageFiles(connection, plan, `FROM ${rows}`, schema, clusterBy);
  const commit = { ...step, parts: [part] };
  const version = await commitFiles(store, snapshot, plan, commit, newFiles(files), ENGINE_INFO);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return { version, result: { rows: rowsOf(files), bytes, refresh } };
}

async function chooseTechnique(snapshot: Snapshot, difference: ViewDifference): Promise<Omit<Refresh, "computed">> {
  if (!isWorthComparing(snapshot))
    return { technique: "overwrite", inserted: 0, deleted: 0, reason: "the table is large and has no change feed" };
  const counts = await difference.compare(snapshot);
  const changed = counts.inserted + counts.deleted;
  if (changed === 0) return { technique: "unchanged", ...counts, reason: "the query gives the rows that are there" };
  if (hasFeed(snapshot)) return { technique: "difference", ...counts, reason: "the table records its changes" };
  if (!isOn(snapshot, "delta.enableDeletionVectors"))
    return { technique: "overwrite", ...counts, reason: "the table has no deletion vectors" };
  const share = changed / Math.max(rowsIn(snapshot), 1);
  if (share <= SMALL_SHARE) return { technique: "difference", ...counts, reason: "few rows differ" };
  return { technique: "overwrite", ...counts, reason: "many rows differ" };
}

async function writeDifference(view: ViewTable, difference: ViewDifference, refresh: Refresh): Promise<Written> {
  const { store, snapshot, plan, step, part } = view;
  const { version } = await changeStep(store, snapshot, plan, step, [part], difference);
  return { version, result: { rows: refresh.inserted, bytes: 0, refresh } };
}

/** @returns why the changes cannot be followed, in words, and nothing is written then */
async function refreshByChanges(view: ViewTable, sources: RowSources): Promise<Written | string> {
  const { connection, store, snapshot, part, signal } = view;
  const followed = await unlessItFails(signal, () => followChanges(view, sources));
  if (typeof followed === "string") return followed;
  const difference = new ViewDifference(connection, store, followed.wanted);
  try {
    const counts = await difference.compare(snapshot);
    await settleReads(connection, part.bound, sources.copies);
    signal.throwIfAborted();
    const computed: Computed = `INCREMENTAL: ${followed.how}`;
    if (counts.inserted + counts.deleted > 0)
      return await writeDifference(view, difference, {
        computed,
        technique: "difference",
        ...counts,
        reason: "its other rows stay",
      });
    const refresh = { computed, technique: "unchanged", ...counts, reason: "none of its rows changes" } as const;
    return { version: snapshot.version, result: { rows: 0, bytes: 0, refresh } };
  } catch (error) {
    if (error instanceof MissingRows) return "the table lacks rows that are to go";
    throw error;
  } finally {
    await difference.close();
    await followed.close();
  }
}

/**
 * Over the changes a query may fail where it does not over all rows, and versions of before may be gone: all rows of now say
 * whether it fails.
 */
async function unlessItFails<T>(signal: AbortSignal, evaluate: () => Promise<T>): Promise<T | string> {
  try {
    return await evaluate();
  } catch (error) {
    if (signal.aborted) throw error;
    const code = error instanceof IngotError || error instanceof DeltaError ? ` (${error.code})` : "";
    return `the query fails over the changes alone${code}`;
  }
}
