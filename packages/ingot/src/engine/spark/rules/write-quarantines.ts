import type { Snapshot, Store } from "@ingot/delta";
import { FLOW_COLUMN, ownColumns } from "../../../model/quarantine.js";
import { OWNER_PROPERTY } from "../../../model/table.js";
import { quoteString } from "../../../sql/quote.js";
import type { TargetTable, WritePart, WriteStep } from "../../engine.js";
import { quarantineSchema } from "../../rules/quarantine-schema.js";
import { refuseForeign } from "../../rules/refuse-foreign.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { isDone, snapshotOf } from "../../tables/table-state.js";
import type { SparkSession } from "../connect/session.js";
import { projection } from "../spark-sql.js";
import type { TextContext } from "../text-context.js";
import { writeRows } from "../write-rows.js";
import type { CheckedRows } from "./check-rows.js";
import { asideText } from "./quarantine-text.js";

interface Aside {
  readonly context: TextContext;
  readonly checks: readonly CheckedRows[];
}

/**
 * Commits the rows of a part that rules quarantine, one commit for each dataset with such rules. Nothing is committed
 * where no row is quarantined and none goes, and where the quarantine has the batch already.
 *
 * @throws IngotError what `quarantineSchema` throws, TABLE_OWNED_BY_OTHER_PIPELINE
 */
export async function writeQuarantines(
  session: SparkSession,
  store: Store,
  { target, mode }: Pick<WriteStep, "target" | "mode">,
  { transaction, origin }: WritePart,
  { context, checks }: Aside,
  signal: AbortSignal,
): Promise<void> {
  const owner = target.properties[OWNER_PROPERTY];
  for (const checked of checks) {
    const { quarantine } = checked.rules;
    if (quarantine === undefined || origin === undefined) continue;
    const snapshot = await snapshotOf(store, quarantine.location);
    refuseForeign(quarantine.name, snapshot, owner);
    if (isDone({ transaction }, snapshot)) continue;
    const goes = mode === "overwrite" && holdsFlow(snapshot, origin.flow);
    if (checked.counts.quarantined === 0 && !goes) continue;
    const table: TargetTable = {
      ...quarantine,
      comment: `Rows that rules of ${checked.rules.dataset} set aside`,
      schema: quarantineSchema(
        quarantine.name,
        ownColumns(checked.columns),
        snapshot === undefined ? [] : fromDeltaSchema(snapshot.schema),
      ),
      properties: owner === undefined ? {} : { [OWNER_PROPERTY]: owner },
      partitionBy: [FLOW_COLUMN],
    };
    const aside = asideText(checked, origin, transaction.version);
    const rows = `SELECT ${projection(table.schema, aside.columns).join(", ")} FROM (${aside.text})`;
    const write = {
      text: rows,
      names: context.names,
      target: table,
      mode: goes ? ("overwrite" as const) : ("append" as const),
      ...(goes ? { replaces: `${FLOW_COLUMN} = ${quoteString(origin.flow)}` } : {}),
      note: `${transaction.appId} batch ${transaction.version}`,
      transaction,
    };
    await writeRows(session, store, snapshot, write, signal);
  }
}

function holdsFlow(snapshot: Snapshot | undefined, flow: string): boolean {
  return snapshot?.files.some(({ partitionValues }) => partitionValues[FLOW_COLUMN] === flow) === true;
}
