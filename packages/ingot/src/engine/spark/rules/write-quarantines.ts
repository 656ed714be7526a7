import { type AddFile, numRecords, type Snapshot } from "@ingot/delta";
import { FLOW_COLUMN } from "../../../model/quarantine.js";
import { OWNER_PROPERTY } from "../../../model/table.js";
import { quoteString } from "../../../sql/quote.js";
import type { RowOrigin, WritePart, WriteStep } from "../../engine.js";
import { quarantineTable } from "../../rules/quarantine-table.js";
import { refuseForeign } from "../../rules/refuse-foreign.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import { projection, versionOf } from "../spark-sql.js";
import type { SparkWork } from "../spark-work.js";
import type { TextContext } from "../text-context.js";
import { writeRows } from "../write-rows.js";
import type { CheckedRows } from "./check-rows.js";
import { asideText, isReleased, resolvedText } from "./quarantine-text.js";

interface Aside {
  readonly context: TextContext;
  readonly checks: readonly CheckedRows[];
}

/**
 * Commits the rows of a part that rules quarantine, one commit for each dataset with such rules. Nothing is committed
 * where no row is quarantined and none goes, and where the quarantine has the batch already.
 *
 * @throws IngotError what `quarantineTable` throws, TABLE_OWNED_BY_OTHER_PIPELINE
 */
export async function writeQuarantines(
  work: SparkWork,
  { target, mode }: Pick<WriteStep, "target" | "mode">,
  part: WritePart,
  { context, checks }: Aside,
): Promise<void> {
  const { transaction, origin } = part;
  const owner = target.properties[OWNER_PROPERTY];
  for (const checked of checks) {
    const { quarantine } = checked.rules;
    if (quarantine === undefined || origin === undefined) continue;
    const snapshot = await snapshotOf(work.store, quarantine.location);
    refuseForeign(quarantine.name, snapshot, owner);
    if (isDone(part, snapshot)) continue;
    const ofFlow = filesOf(snapshot, origin);
    // Rows that are released stay, and say so: the files are written again.
    const older = isReleased(checked) && snapshot !== undefined ? olderText(snapshot, origin) : undefined;
    const remove = mode === "overwrite" || older !== undefined ? ofFlow : [];
    if (checked.counts.quarantined === 0 && remove.length === 0) continue;
    const isEmptied = snapshot === undefined || (older === undefined && remove.length === snapshot.files.length);
    const kept = isEmptied ? undefined : snapshot;
    const table = quarantineTable({ ...checked.rules, quarantine }, checked.columns, owner, kept);
    const aside = asideText(checked, origin, transaction.version);
    const texts = [`SELECT ${projection(table.schema, aside.columns).join(", ")} FROM (${aside.text})`];
    if (older !== undefined && kept !== undefined) {
      const existing = fromDeltaSchema(kept.schema);
      const resolved = resolvedText(older, existing, checked, origin);
      texts.push(`SELECT ${projection(table.schema, existing).join(", ")} FROM (${resolved})`);
    }
    await writeRows(work, snapshot, {
      rows: { text: texts.join(" UNION ALL "), names: context.names },
      target: table,
      expectedRows: checked.counts.quarantined + (older === undefined ? 0 : rowsOf(ofFlow)),
      mode: "append",
      remove,
      parts: [part],
      note: `${transaction.appId} batch ${transaction.version}`,
    });
  }
}

function filesOf(snapshot: Snapshot | undefined, { flow }: RowOrigin): readonly AddFile[] {
  return snapshot?.files.filter(({ partitionValues }) => partitionValues[FLOW_COLUMN] === flow) ?? [];
}

function rowsOf(files: readonly AddFile[]): number {
  return files.reduce((sum, { stats }) => sum + Number(numRecords(stats)), 0);
}

function olderText(snapshot: Snapshot, { flow }: RowOrigin): string {
  return `SELECT * FROM ${versionOf(snapshot)} WHERE ${FLOW_COLUMN} = ${quoteString(flow)}`;
}
