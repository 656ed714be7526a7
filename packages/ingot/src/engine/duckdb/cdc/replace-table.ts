import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot, Store } from "@ingot/delta";
import type { Field } from "../../../model/data-type.js";
import type { ApplyStep, TargetTable } from "../../engine.js";
import { commitFiles } from "../../tables/commit-files.js";
import { planTarget } from "../../tables/plan-target.js";
import { isDone } from "../../tables/table-state.js";
import { ENGINE_INFO } from "../commit-step.js";
import { newFiles } from "../part-result.js";
import { stageFiles } from "../stage-files.js";

/**
 * Makes rows all that a table holds, in one commit with the batches of a step; makes the table where it is not there.
 * One that has the batches stays as it is.
 */
export async function replaceTable(
  connection: DuckDBConnection,
  store: Store,
  snapshot: Snapshot | undefined,
  target: TargetTable,
  { parts, note }: Pick<ApplyStep, "parts" | "note">,
  { query, columns }: { readonly query: string; readonly columns: readonly Field[] },
): Promise<{ readonly version: bigint }> {
  if (snapshot !== undefined && parts.every((part) => isDone(part, snapshot))) return { version: snapshot.version };
  const plan = planTarget(target, "overwrite", snapshot);
  const files = await stageFiles(connection, plan, query, columns, target.clusterBy ?? []);
  const step = { target, mode: "overwrite", parts, note } as const;
  return { version: await commitFiles(store, snapshot, plan, step, newFiles(files), ENGINE_INFO) };
}
