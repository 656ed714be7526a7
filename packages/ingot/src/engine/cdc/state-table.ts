import type { Snapshot } from "@ingot/delta";
import {
  type ChangeRules,
  DELETED,
  END_AT,
  keptColumns,
  LISTED,
  RESERVED_PREFIX,
  SEQUENCE,
  START_AT,
} from "../../model/changes.js";
import { type Field, fieldNamed, formatType } from "../../model/data-type.js";
import { IngotError } from "../../model/error.js";
import type { ApplyStep, TargetTable } from "../engine.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { foldedFields, valueAt } from "./folded-fields.js";

/*
 * The table beside a target: for each key the sequence of its last event and whether that was a delete, where the target
 * does not tell; else the deletes alone. A row without a key stands for a truncate. It commits before the target, so BATCH
 * says which batch brought a row: a batch that died between the two finds its own events again.
 */

/** STRING: the batch that brought the row (`batchTag`). */
export const BATCH = `${RESERVED_PREFIX}batch`;
/** TIMESTAMP: when that batch was planned. */
export const PLANNED = `${RESERVED_PREFIX}planned`;

/** BOOLEAN: a delete with the same sequence comes before the event, so that nothing from before it is kept. */
export const AFTER_DELETE = `${RESERVED_PREFIX}after_delete`;

/** Spark's names for what its own table of this kind says of itself. */
const KEYS_PROPERTY = "pipelines.autocdc.keyColumnNames";
const TYPE_PROPERTY = "pipelines.autocdc.scdType";
/** Where sequences are: see `sequencePlace`. */
const SEQUENCE_PROPERTY = "ingot.autocdc.sequence";

/** Clustering takes so many columns. */
const MOST_CLUSTERED = 4;

export function stateTable({ target, rules, state }: ApplyStep): TargetTable {
  const keys = keyFields(rules);
  const column = (name: string, type: Field["type"]): Field => ({ name, type, nullable: true });
  return {
    location: state,
    name: `${target.name} (state)`,
    schema: [
      ...keys,
      column(SEQUENCE, rules.sequenceType),
      column(DELETED, { kind: "boolean" }),
      column(BATCH, { kind: "string" }),
      column(PLANNED, { kind: "timestamp" }),
      ...(rules.storedAs === "scd2" ? valueFields(target, rules) : foldedFields(rules)),
    ],
    properties: {
      "delta.enableDeletionVectors": "true",
      [KEYS_PROPERTY]: JSON.stringify(keys.map(({ name }) => name)),
      [TYPE_PROPERTY]: rules.storedAs.toUpperCase(),
      [SEQUENCE_PROPERTY]: sequencePlace(rules),
    },
    clusterBy: keys
      .filter(({ type }) => type.kind !== "boolean" && type.kind !== "binary")
      .slice(0, MOST_CLUSTERED)
      .map(({ name }) => name),
  };
}

/** Where the sequences of a target's rows are: in a column of it, nowhere since they rise with the batches, or here. */
function sequencePlace({ sequenceColumn, rises }: ChangeRules): string {
  if (rises === true) return "the version of a change feed";
  return sequenceColumn === undefined ? "an expression" : `the column ${sequenceColumn}`;
}

/** Columns of a type 2 target beside the keys: its state table holds whole events. */
function valueFields({ schema }: TargetTable, { keys, listable }: ChangeRules): readonly Field[] {
  const values = schema.filter(({ name }) => ![...keys, START_AT, END_AT].includes(name));
  const own: Pick<Field, "name" | "type">[] = [{ name: AFTER_DELETE, type: { kind: "boolean" } }];
  if (listable !== undefined) own.push({ name: LISTED, type: LIST_TYPE });
  return [...values, ...own].map(({ name, type }) => ({ name, type, nullable: true }));
}

/** Of LISTED in a state table: the columns that an event wrote, in lower case. */
export const LIST_TYPE = { kind: "array", element: { kind: "string" }, containsNull: true } as const;

/** In the order of their names, so that the same keys make the same table. */
function keyFields({ keys, columns }: ChangeRules): readonly Field[] {
  return keys.toSorted().map((key) => {
    const field = fieldNamed(columns, key);
    if (field === undefined) throw new Error("unreachable: keys are among the columns");
    return { name: field.name, type: field.type, nullable: true };
  });
}

/** A batch of a flow, as BATCH holds it. */
export function batchTag({ parts }: Pick<ApplyStep, "parts">): string {
  return parts.map(({ transaction: { appId, version } }) => `${appId}/${version}`).join(" ");
}

/**
 * Refuses a state that belongs to other rules, or that is not the one of the target.
 *
 * @throws IngotError AUTOCDC_INVALID_STATE.…, CHECKPOINT_DAMAGED, AUTOCDC_BATCH_PENDING
 */
export function checkState(step: ApplyStep, state: Snapshot | undefined, target: Snapshot): asserts state is Snapshot {
  const { target: table, rules } = step;
  const again = startAgain(table.name);
  if (state === undefined)
    throw new IngotError(
      "CHECKPOINT_DAMAGED",
      `${table.name} has rows, and the sequences of its rows are not there: ${step.state}`,
      { object: table.name, hint: `Restore the folder from a backup, or ${again}.` },
    );
  const keys = JSON.parse(state.metadata.configuration[KEYS_PROPERTY] ?? "[]") as readonly string[];
  if (!sameNames(keys, rules.keys))
    throw new IngotError(
      "AUTOCDC_INVALID_STATE.KEY_SCHEMA_DRIFT",
      `${table.name} was made with the keys ${keys.join(", ")}, and AUTO CDC names ${rules.keys.join(", ")}`,
      { object: table.name, hint: `Name the keys of before, or ${again}.` },
    );
  const drift = sequenceDrift(rules, state) ?? untoldColumn(rules, state, target);
  if (drift !== undefined)
    throw new IngotError("AUTOCDC_INVALID_STATE.SEQUENCING_TYPE_DRIFT", `${table.name}: ${drift}`, {
      object: table.name,
      hint: `Order the changes as before, or ${again}.`,
    });
  checkPending(step, state, target);
  if (rules.rises !== true || step.parts.every(({ transaction }) => target.transactions.has(transaction.appId))) return;
  throw new IngotError(
    "CHECKPOINT_DAMAGED",
    `${table.name}: the flow begins to read its source again, and nothing tells the sequences of the rows that are there`,
    {
      object: table.name,
      hint: `Its changes are ordered by the versions of a change feed, which rise; so ${startAgain(table.name)}.`,
    },
  );
}

/**
 * Another flow's batch of which the state is there and the rows are not would be lost among the events of this one.
 *
 * @throws IngotError AUTOCDC_BATCH_PENDING
 */
export function checkPending(step: ApplyStep, state: Snapshot | undefined, target: Snapshot | undefined): void {
  const own = new Set(step.parts.map(({ transaction }) => transaction.appId));
  const ahead = [...(state?.transactions ?? [])].find(
    ([appId, version]) => !own.has(appId) && version > (target?.transactions.get(appId) ?? -1n),
  );
  if (ahead === undefined) return;
  const { name } = step.target;
  throw new IngotError(
    "AUTOCDC_BATCH_PENDING",
    `${name}: a batch of another flow (${ahead[0].split("/")[1]}) was begun and is not committed`,
    { object: name, hint: `Mend what stops that flow and run again; or ${startAgain(name)}.` },
  );
}

function startAgain(table: string): string {
  return `start the table again with --full-refresh ${table.split(".").at(-1)}`;
}

function sequenceDrift(rules: ChangeRules, state: Snapshot): string | undefined {
  const [was, is] = [state.metadata.configuration[SEQUENCE_PROPERTY] ?? "", sequencePlace(rules)];
  if (was.toLowerCase() !== is.toLowerCase()) return `its changes were ordered by ${was}, and now by ${is}`;
  const before = fieldNamed(fromDeltaSchema(state.schema), SEQUENCE)?.type;
  if (before === undefined || formatType(before) === formatType(rules.sequenceType)) return undefined;
  return `its sequence was ${formatType(before)}, and is ${formatType(rules.sequenceType)}`;
}

/** Changes that write some columns come to a state that has seen only whole rows: their values would be lost. */
function untoldColumn(rules: ChangeRules, state: Snapshot, target: Snapshot): string | undefined {
  if (rules.storedAs === "scd2") return undefined;
  const [known, present] = [fromDeltaSchema(state.schema), fromDeltaSchema(target.schema)];
  const untold = keptColumns(rules).find(
    (name) => fieldNamed(known, valueAt(name)) === undefined && fieldNamed(present, name) !== undefined,
  );
  return untold && `its changes wrote the column ${untold} each, and now only some do`;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  const sorted = (names: readonly string[]) =>
    names
      .map((name) => name.toLowerCase())
      .sort()
      .join("\n");
  return sorted(a) === sorted(b);
}
