import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot } from "@ingot/delta";
import { SEQUENCE } from "../../../model/changes.js";
import { IngotError } from "../../../model/error.js";
import type { ErrorCode } from "../../../model/error-catalogue.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import type { ApplyStep } from "../../engine.js";
import type { ApplyWork } from "./apply-work.js";
import { keyList } from "./event-order.js";
import { countLive } from "./mass-delete.js";
import { EVENTS } from "./stage-events.js";

/**
 * Refuses a snapshot that cannot be one: without rows, or with rows that have no key, the same key, or not the same
 * version.
 *
 * @returns its rows
 * @throws IngotError EMPTY_SNAPSHOT, APPLY_CHANGES_FROM_SNAPSHOT_ERROR.…
 */
export async function checkSnapshot(connection: DuckDBConnection, { rules, target }: ApplyStep): Promise<number> {
  const refuse = (code: ErrorCode, message: string, hint: string) =>
    new IngotError(code, `${target.name}: ${message}`, { object: target.name, hint: `Nothing was applied. ${hint}` });
  const keyless = rules.keys.map((key) => `${quoteName(key)} IS NULL`).join(" OR ");
  const counted = await connection.runAndReadAll(`SELECT count(*), count(*) FILTER (${keyless}),
      any_value(e::VARCHAR) FILTER (${keyless}), count(${SEQUENCE}), count(DISTINCT ${SEQUENCE}) FROM ${EVENTS} e`);
  const [row = []] = counted.getRows();
  const [rows = 0, withoutKey = 0, , withVersion = 0, versions = 0] = row.map(Number);
  if (rows === 0)
    throw refuse(
      "EMPTY_SNAPSHOT",
      "the snapshot has no row, which would take away all that are there",
      "Mend the source: the next run takes it as it is then.",
    );
  if (withoutKey > 0)
    throw refuse(
      "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.NULL_KEY",
      `${count(withoutKey, "row")} of the snapshot without a key, such as ${row[2]}`,
      "Give the column a value in the source's query, or leave such rows out with WHERE.",
    );
  if (rules.snapshot?.versioned === true && (withVersion < rows || versions > 1))
    throw refuse(
      `APPLY_CHANGES_FROM_SNAPSHOT_ERROR.${withVersion < rows ? "NULL_SNAPSHOT_VERSION" : "DYNAMIC_SNAPSHOT_VERSION"}`,
      withVersion < rows ? "the version of the snapshot is NULL" : `the snapshot has ${versions} versions`,
      "WITH VERSION takes a query of one value.",
    );
  await refuseSharedKeys(connection, keyList(rules), refuse);
  return rows;
}

async function refuseSharedKeys(
  connection: DuckDBConnection,
  keys: string,
  refuse: (code: ErrorCode, message: string, hint: string) => IngotError,
): Promise<void> {
  const shared = await connection.runAndReadAll(`SELECT count(*), first(shown), first(times) FROM (
      SELECT any_value((${keys})::VARCHAR) AS shown, count(*) AS times FROM ${EVENTS} GROUP BY ${keys} HAVING count(*) > 1)`);
  const [twice, shown, times] = shared.getRows()[0] ?? [];
  if (Number(twice) === 0) return;
  throw refuse(
    "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.DUPLICATE_KEY_VIOLATION",
    `${count(Number(twice), "key")} with several rows in the snapshot, such as ${shown} with ${times}`,
    "Name all columns that identify a row as keys, or keep one row a key in the source's query.",
  );
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/**
 * Stops a snapshot that looks cut short.
 *
 * @throws IngotError SMALL_SNAPSHOT
 */
export async function refuseSmallSnapshot({ connection, store, step }: ApplyWork, target: Snapshot, rows: number) {
  const { rules, allowMassDelete } = step;
  const { name } = step.target;
  const share = rules.snapshot?.minRowShare;
  if (share === undefined || allowMassDelete) return;
  const live = await countLive(connection, store, rules, target);
  if (rows >= live * share) return;
  throw new IngotError(
    "SMALL_SNAPSHOT",
    `${name}: the snapshot has ${rows} rows where ${live} are there, and minRowShare is ${share}`,
    {
      object: name,
      hint: `Nothing was applied. If the rows are all, run once with --allow-mass-delete ${name.split(".").at(-1)}; if not, mend the source.`,
    },
  );
}
