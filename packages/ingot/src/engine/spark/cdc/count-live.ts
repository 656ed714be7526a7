import { countRows, type Snapshot } from "@ingot/delta";
import { END_AT } from "../../../model/changes.js";
import { sqlRelation } from "../connect/relations.js";
import { tableText } from "../spark-sql.js";
import type { ApplyWork } from "./apply-work.js";

/** Rows of a target that hold now: of type 2 its open versions. */
export async function countLive({ session, step, signal }: ApplyWork, target: Snapshot): Promise<number> {
  if (step.rules.storedAs === "scd1") return Number(countRows(target) ?? 0n);
  const query = `SELECT count(*) FROM ${tableText(target.table)} WHERE ${END_AT} IS NULL`;
  const { rows } = await session.collect(sqlRelation(query), signal);
  return Number(rows[0]?.[0]);
}
