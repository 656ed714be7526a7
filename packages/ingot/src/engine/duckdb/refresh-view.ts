import type { DuckDBConnection } from "@duckdb/node-api";
import { clusteringColumns, countRows, type PlannedDefinition, type Snapshot, type Store } from "@ingot/delta";
import type { DataType } from "../../model/data-type.js";
import type { PartResult, Refresh, WritePart, WriteResult, WriteStep } from "../engine.js";
import { commitFiles } from "./commit-files.js";
import { changeStep } from "./commit-step.js";
import type { TextCopies } from "./files/text-copies.js";
import { checkBalance, rowsOf } from "./part-result.js";
import type { Checks } from "./rules/checked-rows.js";
import { commitQuarantine } from "./rules/commit-quarantine.js";
import { checkGate } from "./rules/expectation-violation.js";
import { stageQuarantines } from "./rules/stage-quarantine.js";
import { settleReads } from "./settle-reads.js";
import { projectTo, stageFiles } from "./stage-files.js";
import { type DifferenceCounts, ViewDifference } from "./view-difference.js";

/** Comparing more rows than these costs more than writing them, where no change feed asks for it. */
const MANY_ROWS = 1_000_000;
/** Of a table's rows, the share that may change by deletion vectors before writing it anew is cheaper for its readers. */
const SMALL_SHARE = 0.2;

/** A view's table, and the step that is to give it the rows of its query. */
interface ViewTable {
  readonly connection: DuckDBConnection;
  readonly store: Store;
  readonly snapshot: Snapshot;
  readonly plan: PlannedDefinition;
  readonly step: WriteStep;
  readonly part: WritePart;
  readonly signal: AbortSignal;
}

/** The view's query as a connection runs it. */
interface ViewQuery {
  readonly text: string;
  readonly copies: TextCopies;
  readonly checks: Checks;
}

/**
 * Whether the rows of a table can be compared with those that it is to have, and are worth it: it stays as it is defined,
 * and no value within a value can be equal to another one and not the same.
 */
export function isComparable(
  snapshot: Snapshot,
  { isChanged }: PlannedDefinition,
  { target, parts }: WriteStep,
): boolean {
  const clustering = (clusteringColumns(snapshot) ?? []).map((path) => path.join(".")).join();
  const isPlain = parts.length === 1 && parts[0]?.corruptRecordColumn === undefined;
  if (isChanged || !isPlain || clustering !== (target.clusterBy ?? []).join()) return false;
  const isSound = target.schema.every(({ type }) => !isNested(type) || !holdsFloats(type));
  return isSound && (hasFeed(snapshot) || rowsIn(snapshot) <= MANY_ROWS);
}

let refreshes = 0;

/**
 * Gives a view's table the rows of its query in one commit, or in none where it has them: by the difference where the
 * table records changes, or where few rows differ and deletion vectors can mark them, else by writing all rows anew.
 * The query is evaluated once.
 */
export async function refreshView(view: ViewTable, { text, copies, checks }: ViewQuery): Promise<WriteResult> {
  const { connection, store, step, part, signal } = view;
  const { target } = step;
  refreshes += 1;
  const rows = `ingot_view_${refreshes}`;
  for (const checked of checks.values()) await checkGate(connection, checked);
  await connection.run(`CREATE TEMP TABLE ${rows} AS ${projectTo(target.schema, text, part.bound.query.schema)}`);
  try {
    const dropped = await settleReads(connection, part.bound, copies);
    const counts = [...checks.values()].map((checked) => checked.counts);
    const [[count] = []] = (await connection.runAndReadAll(`SELECT count(*) FROM ${rows}`)).getRows();
    checkBalance(target.name, part, Number(count), dropped, counts);
    const aside = await stageQuarantines(connection, store, step, part, checks);
    signal.throwIfAborted();
    // The target comes last: a batch that it holds is done.
    for (const quarantine of aside) await commitQuarantine(store, quarantine);
    const { version, result } = await writeRows(view, rows);
    const told = {
      ...(dropped === 0 ? {} : { droppedRecords: dropped }),
      ...(counts.length === 0 ? {} : { checks: counts }),
    };
    return { version, parts: step.parts.map((other) => (other === part ? { ...result, ...told } : NO_ROWS)) };
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${rows}`);
  }
}

const NO_ROWS: PartResult = { rows: 0, bytes: 0 };

async function writeRows(view: ViewTable, rows: string): Promise<{ version: bigint; result: PartResult }> {
  const { connection, store, snapshot, plan, step, part } = view;
  const difference = new ViewDifference(connection, store, rows);
  const counts = await difference.compare(snapshot);
  const refresh = chooseTechnique(snapshot, counts);
  if (refresh.technique === "difference") {
    const { version } = await changeStep(store, snapshot, plan, step, [part], difference);
    return { version, result: { rows: counts.inserted, bytes: 0, refresh } };
  }
  await difference.close();
  if (refresh.technique === "unchanged") return { version: snapshot.version, result: { rows: 0, bytes: 0, refresh } };
  const { schema, clusterBy } = step.target;
  const files = await stageFiles(connection, plan, `FROM ${rows}`, schema, clusterBy);
  const version = await commitFiles(store, snapshot, plan, step, [part], files);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  return { version, result: { rows: rowsOf(files), bytes, refresh } };
}

function chooseTechnique(snapshot: Snapshot, counts: DifferenceCounts): Refresh {
  const changed = counts.inserted + counts.deleted;
  if (changed === 0) return { technique: "unchanged", ...counts, reason: "the query gives the rows that are there" };
  if (hasFeed(snapshot)) return { technique: "difference", ...counts, reason: "the table records its changes" };
  if (!isOn(snapshot, "delta.enableDeletionVectors"))
    return { technique: "overwrite", ...counts, reason: "the table has no deletion vectors" };
  const share = changed / Math.max(rowsIn(snapshot), 1);
  if (share <= SMALL_SHARE) return { technique: "difference", ...counts, reason: "few rows differ" };
  return { technique: "overwrite", ...counts, reason: "many rows differ" };
}

function hasFeed(snapshot: Snapshot): boolean {
  return isOn(snapshot, "delta.enableChangeDataFeed");
}

function isOn({ metadata: { configuration } }: Snapshot, property: string): boolean {
  return configuration[property]?.toLowerCase() === "true";
}

/** Infinity where the log does not tell it. */
function rowsIn(snapshot: Snapshot): number {
  return Number(countRows(snapshot) ?? Number.POSITIVE_INFINITY);
}

function isNested({ kind }: DataType): boolean {
  return kind === "array" || kind === "map" || kind === "struct";
}

function holdsFloats(type: DataType): boolean {
  switch (type.kind) {
    case "array":
      return holdsFloats(type.element);
    case "map":
      return holdsFloats(type.key) || holdsFloats(type.value);
    case "struct":
      return type.fields.some((field) => holdsFloats(field.type));
    default:
      return type.kind === "float" || type.kind === "double";
  }
}
