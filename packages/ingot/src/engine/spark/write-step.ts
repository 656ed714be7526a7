import type { Store } from "@ingot/delta";
import { quoteIdentifier } from "../../model/name.js";
import { checkBalance } from "../check-balance.js";
import type { PartResult, WritePart, WriteResult, WriteStep } from "../engine.js";
import { planTarget } from "../tables/plan-target.js";
import { isDone, snapshotOf } from "../tables/table-state.js";
import { type CheckedPart, checkPart } from "./check-part.js";
import { sqlRelation } from "./connect/relations.js";
import type { SparkSession } from "./connect/session.js";
import { commitTransactions } from "./define-table.js";
import { refuseStep } from "./refuse-step.js";
import { writeQuarantines } from "./rules/write-quarantines.js";
import { projection, versionOf } from "./spark-sql.js";
import { TextContext } from "./text-context.js";
import { type WrittenRows, writeRows } from "./write-rows.js";

const NOTHING: PartResult = { rows: 0, bytes: 0 };

/** A part with what is known of its rows before they are written. */
interface CountedPart extends CheckedPart {
  /** Counted where somebody has to know. */
  readonly rows: number | undefined;
  readonly corrupt: number | undefined;
}

/**
 * Executes a step: what can be refused is refused first, then rows that rules set aside are committed, the target last.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED, SPARK_TYPE_MISMATCH, and as `Engine.write`
 */
export async function writeStep(
  session: SparkSession,
  store: Store,
  step: WriteStep,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { target, mode } = step;
  const snapshot = await snapshotOf(store, target.location);
  const pending = step.parts.filter((part) => !isDone(part, snapshot));
  if (pending.length === 0 && step.parts.length > 0 && snapshot !== undefined)
    return { version: snapshot.version, parts: step.parts.map(() => NOTHING) };
  refuseStep(step);
  planTarget(target, mode, snapshot);
  const context = new TextContext(
    store,
    mode === "append" && snapshot ? `SELECT * FROM ${versionOf(snapshot)}` : undefined,
  );
  // Rows that replace all others are those of all parts.
  const parts = mode === "append" ? pending : step.parts;
  const counted: CountedPart[] = [];
  for (const part of parts) {
    const checked = await checkPart(session, target.name, part, context, signal);
    const isCounted = mode === "overwrite" && parts.length > 1;
    counted.push({ ...checked, ...(await countRecords(session, target.name, checked, context, isCounted, signal)) });
  }
  signal.throwIfAborted();
  for (const { part, checks } of counted)
    await writeQuarantines(session, store, step, part, { context, checks }, signal);
  const groups = mode === "append" ? counted.map((part) => [part]) : [counted];
  let version = snapshot?.version ?? 0n;
  const results = new Map<WritePart, PartResult>();
  for (const group of groups) {
    const written = await writeGroup(session, store, step, group, context, signal);
    version = written.version;
    for (const { part, rows, corrupt, checks } of group)
      results.set(part, {
        rows: rows ?? written.rows,
        bytes: written.bytes / group.length,
        ...(corrupt === undefined ? {} : { corruptRecords: corrupt }),
        ...(checks.length === 0 ? {} : { checks: checks.map(({ counts }) => counts) }),
      });
  }
  return { version, parts: step.parts.map((part) => results.get(part) ?? NOTHING) };
}

/** Writes the rows of parts in one commit. Spark's has one batch: those of the other parts follow. */
async function writeGroup(
  session: SparkSession,
  store: Store,
  { target, mode, note }: WriteStep,
  parts: readonly CountedPart[],
  { names }: TextContext,
  signal: AbortSignal,
): Promise<WrittenRows> {
  const snapshot = await snapshotOf(store, target.location);
  const [first, ...others] = parts.filter(({ part }) => !isDone(part, snapshot)).map(({ part }) => part.transaction);
  if (first === undefined) throw new Error("unreachable: a part is to be written");
  const rows = parts.map(
    ({ part, text }) => `SELECT ${projection(target.schema, part.bound.query.schema).join(", ")} FROM (${text})`,
  );
  const write = { text: rows.join(" UNION ALL "), names, target, mode, note, transaction: first };
  const written = await writeRows(session, store, snapshot, write, signal);
  const after = await snapshotOf(store, target.location);
  if (others.length === 0 || after === undefined) return written;
  return { ...written, version: await commitTransactions(store, after, others, note) };
}

/**
 * Counts what comes out of files whose records were counted before, which Spark tells of a write only when it is
 * committed; gives how many records did not fit, where they have a column.
 *
 * @param isCounted somebody asks for the rows
 *
 * @throws IngotError BALANCE
 */
async function countRecords(
  session: SparkSession,
  name: string,
  { part, text, checks }: CheckedPart,
  { names }: TextContext,
  isCounted: boolean,
  signal: AbortSignal,
): Promise<Pick<CountedPart, "rows" | "corrupt">> {
  const { corruptRecordColumn: column, expectedRows } = part;
  if (expectedRows === undefined && column === undefined && !isCounted) return { rows: undefined, corrupt: undefined };
  const corrupt = column === undefined ? "0" : `count(${quoteIdentifier(column)})`;
  const query = `SELECT count(*), ${corrupt} FROM (${text})`;
  const [row] = (await session.collect(sqlRelation(query, names), signal)).rows;
  checkBalance(
    name,
    part,
    Number(row?.[0]),
    0,
    checks.map(({ counts }) => counts),
  );
  return { rows: Number(row?.[0]), corrupt: column === undefined ? undefined : Number(row?.[1]) };
}
