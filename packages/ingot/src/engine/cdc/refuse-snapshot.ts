import { IngotError } from "../../model/error.js";
import type { ErrorCode } from "../../model/error-catalogue.js";
import type { ApplyStep } from "../engine.js";

/** What the rows of a snapshot are like. */
export interface SnapshotFigures {
  readonly rows: number;
  readonly withoutKey: number;
  /** A row without a key, as text. */
  readonly keyless: string;
  readonly withVersion: number;
  /** Different ones. */
  readonly versions: number;
  /** Keys with several rows, and one of them, as text, with so many. */
  readonly shared: { readonly keys: number; readonly key: string; readonly rows: number };
}

/**
 * Refuses a snapshot that cannot be one: with rows that have no key, the same key, or not the same version; or without
 * rows that could have one.
 *
 * @throws IngotError EMPTY_SNAPSHOT, APPLY_CHANGES_FROM_SNAPSHOT_ERROR.…
 */
export function refuseSnapshot({ rules, target: { name } }: ApplyStep, figures: SnapshotFigures): void {
  const { rows, withoutKey, keyless, withVersion, versions, shared } = figures;
  const refuse = (code: ErrorCode, message: string, hint: string) =>
    new IngotError(code, `${name}: ${message}`, { object: name, hint: `Nothing was applied. ${hint}` });
  if (rows === 0 && rules.snapshot?.versioned === true)
    throw refuse(
      "EMPTY_SNAPSHOT",
      "the snapshot has no row, and so no version",
      "Mend the source: the next run takes it as it is then.",
    );
  if (withoutKey > 0)
    throw refuse(
      "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.NULL_KEY",
      `${count(withoutKey, "row")} of the snapshot without a key, such as ${keyless}`,
      "Give the column a value in the source's query, or leave such rows out with WHERE.",
    );
  if (rules.snapshot?.versioned === true && (withVersion < rows || versions > 1))
    throw refuse(
      `APPLY_CHANGES_FROM_SNAPSHOT_ERROR.${withVersion < rows ? "NULL_SNAPSHOT_VERSION" : "DYNAMIC_SNAPSHOT_VERSION"}`,
      withVersion < rows ? "the version of the snapshot is NULL" : `the snapshot has ${versions} versions`,
      "WITH VERSION takes a query of one value.",
    );
  if (shared.keys > 0)
    throw refuse(
      "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.DUPLICATE_KEY_VIOLATION",
      `${count(shared.keys, "key")} with several rows in the snapshot, such as ${shared.key} with ${shared.rows}`,
      "Name all columns that identify a row as keys, or keep one row a key in the source's query.",
    );
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/**
 * Stops a snapshot that looks cut short: without a row where the table has some, or with few beside a share that is
 * declared. A table that starts again is not compared with a share.
 *
 * @param countLive rows that are there; asked where they decide
 * @throws IngotError EMPTY_SNAPSHOT, SMALL_SNAPSHOT
 */
export async function refuseSmallSnapshot(
  { rules: { snapshot }, allowMassDelete, mode, target: { name } }: ApplyStep,
  rows: number,
  countLive: () => Promise<number>,
): Promise<void> {
  const share = allowMassDelete || mode === "reset" ? undefined : snapshot?.minRowShare;
  if (rows > 0 && share === undefined) return;
  const live = await countLive();
  if (rows === 0 && live > 0)
    throw new IngotError(
      "EMPTY_SNAPSHOT",
      `${name}: the snapshot has no row, which would take away all that are there`,
      {
        object: name,
        hint: "Nothing was applied. Mend the source: the next run takes it as it is then.",
      },
    );
  if (share === undefined || rows >= live * share) return;
  throw new IngotError(
    "SMALL_SNAPSHOT",
    `${name}: the snapshot has ${rows} rows where ${live} are there, and minRowShare is ${share}`,
    {
      object: name,
      hint: `Nothing was applied. If the rows are all, run once with --allow-mass-delete ${name.split(".").at(-1)}; if not, mend the source.`,
    },
  );
}
