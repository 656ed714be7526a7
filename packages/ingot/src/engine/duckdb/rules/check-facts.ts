import type { DuckDBConnection } from "@duckdb/node-api";
import { type PlannedDefinition, readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import { IngotError } from "../../../model/error.js";
import { MASK, type RowRules } from "../../../model/rule.js";
import {
  describeCount,
  describeStale,
  type FactCheck,
  type FreshnessFact,
  freshSince,
  isExpectedCount,
  type RowCountFact,
} from "../../../model/table-fact.js";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";
import type { WrittenFile } from "../delta/write-files.js";
import { greatestValues, rowsOf } from "../part-result.js";
import { scan } from "../relations.js";
import { rowsIn } from "../view-table.js";

/** The rows that a step adds, before they are committed. */
export interface NewRows {
  readonly rows: number;
  /** SQL of one column, `newest`: the newest value of a column of them, or NULL. */
  newest(column: string): string;
}

/** A table, and what a step makes of it. */
export interface TableStep {
  readonly store: Store;
  /** As it is before the step; undefined where it is not there. */
  readonly snapshot: Snapshot | undefined;
  /** Its rows stay. */
  readonly appends: boolean;
  /** When the batch was planned: a batch that is done again comes to the same end. UTC, ISO 8601. */
  readonly planned: string;
}

/**
 * Looks whether a table is after a step as its expectations say.
 *
 * @throws IngotError EXPECTATION_VIOLATION
 */
export async function checkFacts(
  connection: DuckDBConnection,
  { dataset, facts = [], sensitive }: RowRules,
  step: TableStep,
  added: NewRows,
): Promise<FactCheck[]> {
  const checks: FactCheck[] = [];
  for (const fact of facts) {
    const fault =
      fact.kind === "row count"
        ? await faultOfCount(fact, step, added)
        : await faultOfAge(connection, fact, step, added, sensitive);
    if (fault !== undefined && fact.action === "fail") throw violation(dataset, fact.name, fault);
    checks.push({ dataset, name: fact.name, ...(fault === undefined ? {} : { fault }) });
  }
  return checks;
}

/** Files that were staged. */
export function stagedRows(plan: PlannedDefinition, files: readonly WrittenFile[]): NewRows {
  return {
    rows: rowsOf(files),
    newest: (column) => {
      const values = ["NULL", ...greatestValues(plan, files, column).map(quoteText)];
      return `SELECT max(value::TIMESTAMPTZ) AS newest FROM (SELECT unnest([${values.join(", ")}]) AS value)`;
    },
  };
}

function violation(dataset: string, rule: string, fault: string): IngotError {
  return new IngotError("EXPECTATION_VIOLATION", `${dataset}: the expectation \`${rule}\` fails: ${fault}`, {
    object: dataset,
    hint: "Nothing was written. Look at the source; or widen the expectation, if this is how the table is to be.",
  });
}

async function faultOfCount(
  fact: RowCountFact,
  { store, snapshot, appends }: TableStep,
  added: NewRows,
): Promise<string | undefined> {
  if (snapshot === undefined) return undefined;
  const rows = added.rows + (appends ? rowsIn(snapshot) : 0);
  const counts = await lastCounts(store, snapshot, fact.runs);
  return isExpectedCount(fact, rows, counts) ? undefined : describeCount(fact, rows, counts);
}

/** Versions without a batch, such as those of OPTIMIZE, that are passed by for one with a batch. */
const PASSED_BY = 10;

/** How many rows the table had after its last runs, newest first, where it had some. */
async function lastCounts(store: Store, newest: Snapshot, runs: number): Promise<number[]> {
  const counts: number[] = [];
  let snapshot: Snapshot | undefined = newest;
  for (let looked = 0; snapshot !== undefined && counts.length < runs && looked < runs * PASSED_BY; looked += 1) {
    const rows = rowsIn(snapshot);
    if (typeof snapshot.commitInfo?.["userMetadata"] === "string" && rows > 0 && Number.isFinite(rows))
      counts.push(rows);
    const version: bigint = snapshot.version - 1n;
    // A clean-up of the log takes the oldest versions away.
    snapshot = version < 0n ? undefined : await readSnapshot(store, newest.table, { version }).catch(() => undefined);
  }
  return counts;
}

async function faultOfAge(
  connection: DuckDBConnection,
  fact: FreshnessFact,
  { store, snapshot, appends, planned }: TableStep,
  added: NewRows,
  sensitive: readonly string[],
): Promise<string | undefined> {
  const { name } = fact.column;
  const limit = `TIMESTAMPTZ ${quoteText(freshSince(fact, planned))}`;
  const look = async (newest: string): Promise<{ readonly fresh: boolean; readonly text: string | undefined }> => {
    const [[fresh, text] = []] = (
      await connection.runAndReadAll(`SELECT newest::TIMESTAMPTZ >= ${limit}, newest::VARCHAR FROM (${newest})`)
    ).getRows();
    return { fresh: fresh === true, text: typeof text === "string" ? text : undefined };
  };
  const isNew = await look(added.newest(name));
  if (isNew.fresh) return undefined;
  if (!appends || snapshot === undefined) return stale(isNew.text);
  const kept = `SELECT max(${quoteName(name)})::TIMESTAMPTZ AS newest FROM (${await scan(store, snapshot)})`;
  const all = await look(`SELECT max(newest) AS newest FROM (${kept} UNION ALL ${added.newest(name)})`);
  return all.fresh ? undefined : stale(all.text);

  function stale(text: string | undefined): string {
    const isHidden = text !== undefined && sensitive.some((column) => column.toLowerCase() === name.toLowerCase());
    return describeStale(fact, isHidden ? MASK : text, planned);
  }
}
