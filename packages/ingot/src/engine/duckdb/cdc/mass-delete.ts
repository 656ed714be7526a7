import type { DuckDBConnection } from "@duckdb/node-api";
import { countRows, type Snapshot, type Store } from "@ingot/delta";
import { type ChangeRules, DELETED, END_AT } from "../../../model/changes.js";
import { IngotError } from "../../../model/error.js";
import type { ApplyStep } from "../../engine.js";
import { scan } from "../relations.js";
import { ROWS } from "./changed-rows.js";

/**
 * Stops a batch that would take away more of the table than is usual: an extract that was cut short looks like that.
 *
 * @throws IngotError MASS_DELETE
 */
export function refuseMassDelete(connection: DuckDBConnection, step: ApplyStep, target: Snapshot): Promise<void> {
  return limitDeletes(step, async () => {
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${ROWS} WHERE ${DELETED} AND __ingot_is_live`);
    return { deletes: Number(counted.getRows()[0]?.[0]), live: countAll(target) };
  });
}

function countAll(target: Snapshot): number {
  return Number(countRows(target) ?? 0n);
}

/** Rows of a target that hold now: of type 2 its open versions. */
export async function countLive(
  connection: DuckDBConnection,
  store: Store,
  { storedAs }: ChangeRules,
  target: Snapshot,
): Promise<number> {
  if (storedAs === "scd1") return countAll(target);
  const rows = await scan(store, target);
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM (${rows}) WHERE ${END_AT} IS NULL`);
  return Number(counted.getRows()[0]?.[0]);
}

/** @param count rows that would go, and rows that are there; asked where there is a limit */
export async function limitDeletes(
  { rules: { maxDeleteShare }, allowMassDelete, target: { name } }: ApplyStep,
  count: () => Promise<{ readonly deletes: number; readonly live: number }>,
): Promise<void> {
  if (maxDeleteShare === undefined || allowMassDelete) return;
  const { deletes, live } = await count();
  if (deletes <= live * maxDeleteShare) return;
  const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;
  throw new IngotError(
    "MASS_DELETE",
    `${name}: the batch would delete ${deletes} of ${live} rows (${percent(deletes / live)}), and maxDeleteShare is ${percent(maxDeleteShare)}`,
    {
      object: name,
      hint: `Nothing was applied. If the deletes are right, run once with --allow-mass-delete ${name.split(".").at(-1)}; if not, mend the source: the batch stays planned until then.`,
    },
  );
}
