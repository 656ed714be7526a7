import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { AddFile, PlannedDefinition, Snapshot, Store } from "@ingot/delta";
import { IngotError } from "../../../model/error.js";
import { FLOW_COLUMN } from "../../../model/quarantine.js";
import { OWNER_PROPERTY } from "../../../model/table.js";
import type { TargetTable, WritePart, WriteStep } from "../../engine.js";
import { quarantineTable } from "../../rules/quarantine-table.js";
import { refuseForeign } from "../../rules/refuse-foreign.js";
import { planTarget } from "../../tables/plan-target.js";
import { snapshotOf } from "../../tables/table-state.js";
import type { WrittenFile } from "../delta/write-files.js";
import { rowsOf } from "../part-result.js";
import { scan } from "../relations.js";
import { stageFiles } from "../stage-files.js";
import type { CheckedRows, Checks } from "./checked-rows.js";
import { asideText, isReleased, resolvedText } from "./quarantine-text.js";

/** Rows that wait for their commit into a quarantine, with the place of those that they replace. */
export interface StagedQuarantine {
  readonly target: TargetTable;
  readonly snapshot: Snapshot | undefined;
  readonly plan: PlannedDefinition;
  readonly files: readonly WrittenFile[];
  /** Rows of the flow that go: those of all its batches, where it starts again. */
  readonly remove: readonly AddFile[];
  readonly transaction: WritePart["transaction"];
}

/**
 * Writes the files of the rows that a part's rules quarantine, one quarantine for each dataset with such rules. Nothing
 * is staged where no row is quarantined and none goes, and where the quarantine has the batch already.
 *
 * @throws IngotError what `quarantineTable` throws, TABLE_OWNED_BY_OTHER_PIPELINE
 */
export async function stageQuarantines(
  connection: DuckDBConnection,
  store: Store,
  { target, mode }: Pick<WriteStep, "target" | "mode">,
  part: WritePart,
  checks: Checks,
): Promise<StagedQuarantine[]> {
  const staged: StagedQuarantine[] = [];
  try {
    for (const checked of checks.values()) {
      const one = await stage(connection, store, { owner: target.properties[OWNER_PROPERTY], mode }, part, checked);
      if (one !== undefined) staged.push(one);
    }
    return staged;
  } catch (error) {
    await removeQuarantineFiles(staged);
    throw error;
  }
}

/** What a step that failed has staged. */
export async function removeQuarantineFiles(staged: readonly StagedQuarantine[]): Promise<void> {
  for (const { target, files } of staged)
    for (const { file } of files) await rm(join(target.location, file.path), { force: true });
}

interface Staging {
  readonly owner: string | undefined;
  readonly mode: WriteStep["mode"];
}

async function stage(
  connection: DuckDBConnection,
  store: Store,
  { owner, mode }: Staging,
  { transaction, origin }: WritePart,
  checked: CheckedRows,
): Promise<StagedQuarantine | undefined> {
  const { quarantine } = checked.rules;
  if (quarantine === undefined || origin === undefined) return undefined;
  const { name, location } = quarantine;
  const snapshot = await snapshotOf(store, location);
  refuseForeign(name, snapshot, owner);
  const done = snapshot?.transactions.get(transaction.appId);
  if (done !== undefined && done >= transaction.version) return undefined;
  const files = snapshot?.files ?? [];
  const ofFlow = files.filter((file) => file.partitionValues[FLOW_COLUMN] === origin.flow);
  // Rows that are released stay, and say so: the files are written again.
  const older = isReleased(checked) && snapshot !== undefined ? await scan(store, snapshot, ofFlow) : undefined;
  const remove = mode === "overwrite" || older !== undefined ? ofFlow : [];
  if (checked.counts.quarantined === 0 && remove.length === 0) return undefined;
  const isEmptied = snapshot === undefined || (older === undefined && remove.length === files.length);
  const rules = { ...checked.rules, quarantine };
  const target = quarantineTable(rules, checked.columns, owner, isEmptied ? undefined : snapshot);
  const plan = planTarget(target, isEmptied ? "overwrite" : "append", snapshot);
  const aside = asideText(checked, origin, transaction.version);
  const written =
    older === undefined
      ? await stageFiles(connection, plan, aside.text, aside.columns)
      : await stageFiles(
          connection,
          plan,
          `${resolvedText(older, checked, origin)} UNION ALL BY NAME ${aside.text}`,
          target.schema,
        );
  const one = { target, snapshot, plan, files: written, remove, transaction };
  const expected = checked.counts.quarantined + (older === undefined ? 0 : await countRows(connection, older));
  const rows = rowsOf(written);
  if (rows === expected) return one;
  await removeQuarantineFiles([one]);
  throw new IngotError("BALANCE", `${name}: ${expected} rows are to be written, and ${rows} were`, {
    object: name,
    hint: "Nothing was committed. This is a fault of Ingot: please report it with the rules.",
  });
}

async function countRows(connection: DuckDBConnection, query: string): Promise<number> {
  const result = await connection.runAndReadAll(`SELECT count(*) FROM (${query})`);
  return Number(result.getRows()[0]?.[0]);
}
