import type { Snapshot } from "@ingot/delta";
import { DELETED, END_AT, SEQUENCE, START_AT } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { AFTER_DELETE } from "../../cdc/state-table.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import { noRows, projection } from "../spark-sql.js";
import { listFields } from "./events-text.js";
import type { KnownRows } from "./known-rows.js";

/** SQL of the rows of a target, as `HistoryRelations` has them. @param target undefined: none */
export function versionRows(shape: HistoryShape, target: Snapshot | undefined, known: KnownRows, narrow = ""): string {
  return knownRows([...columnsOf(shape), bound(shape, START_AT), bound(shape, END_AT)], target, known, narrow);
}

/** As `versionRows`, of the state table. */
export function sideRows(shape: HistoryShape, state: Snapshot | undefined, known: KnownRows, narrow = ""): string {
  const flags = [DELETED, AFTER_DELETE].map((name): Field => ({ name, type: { kind: "boolean" }, nullable: true }));
  return knownRows([...columnsOf(shape), bound(shape, SEQUENCE), ...flags, ...listFields(shape)], state, known, narrow);
}

/** Columns that the table does not have yet are NULL. @param narrow joins and conditions over the table, `t` */
function knownRows(fields: readonly Field[], table: Snapshot | undefined, known: KnownRows, narrow: string): string {
  if (table === undefined) return noRows(fields);
  return `SELECT ${projection(fields, fromDeltaSchema(table.schema)).join(", ")} FROM ${known.of(table)} AS t ${narrow}`;
}

export function columnsOf({ keys, columns, values }: HistoryShape): readonly Field[] {
  return [...columns.filter(({ name }) => keys.includes(name)), ...values];
}

function bound({ sequenceType }: HistoryShape, name: string): Field {
  return { name, type: sequenceType, nullable: true };
}
