import type { DuckDBConnection } from "@duckdb/node-api";
import { countRows, type Snapshot, type Store } from "@ingot/delta";
import { type ChangeRules, DELETED, END_AT } from "../../../model/changes.js";
import { limitDeletes } from "../../cdc/limit-deletes.js";
import type { ApplyStep } from "../../engine.js";
import { scan } from "../relations.js";
import { ROWS } from "./changed-rows.js";

/** Holds the rows that are to go against the table. @throws IngotError MASS_DELETE */
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
