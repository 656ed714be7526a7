import { countRows, readSnapshot, type Snapshot, type Store } from "@ingot/delta";
import { IngotError } from "../../model/error.js";
import { MASK, type RowRules } from "../../model/rule.js";
import {
  describeCount,
  describeStale,
  type FactCheck,
  type FreshnessFact,
  isExpectedCount,
  type RowCountFact,
} from "../../model/table-fact.js";

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

/** The rows that a step adds, before they are committed. */
export interface AddedRows {
  readonly rows: number;
  /** The newest value of a fact's column: of them, or of all rows that the table has then. */
  newest(fact: FreshnessFact, among: "added" | "all"): Promise<NewestValue>;
}

export interface NewestValue {
  readonly isFresh: boolean;
  /** Undefined for no value. */
  readonly text: string | undefined;
}

/**
 * Looks whether a table is after a step as its expectations say.
 *
 * @throws IngotError EXPECTATION_VIOLATION
 */
export async function checkFacts(
  { dataset, facts = [], sensitive }: RowRules,
  step: TableStep,
  added: AddedRows,
): Promise<FactCheck[]> {
  const checks: FactCheck[] = [];
  for (const fact of facts) {
    const fault =
      fact.kind === "row count"
        ? await faultOfCount(fact, step, added)
        : await faultOfAge(fact, step, added, sensitive);
    if (fault !== undefined && fact.action === "fail") throw violation(dataset, fact.name, fault);
    checks.push({ dataset, name: fact.name, ...(fault === undefined ? {} : { fault }) });
  }
  return checks;
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
  added: AddedRows,
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
  fact: FreshnessFact,
  { snapshot, appends, planned }: TableStep,
  added: AddedRows,
  sensitive: readonly string[],
): Promise<string | undefined> {
  let newest = await added.newest(fact, "added");
  if (newest.isFresh) return undefined;
  if (appends && snapshot !== undefined) newest = await added.newest(fact, "all");
  if (newest.isFresh) return undefined;
  const isHidden = sensitive.some((column) => column.toLowerCase() === fact.column.name.toLowerCase());
  return describeStale(fact, newest.text !== undefined && isHidden ? MASK : newest.text, planned);
}

/** Infinity where the log does not tell it. */
function rowsIn(snapshot: Snapshot): number {
  return Number(countRows(snapshot) ?? Number.POSITIVE_INFINITY);
}
