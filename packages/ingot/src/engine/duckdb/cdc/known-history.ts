import type { DuckDBConnection } from "@duckdb/node-api";
import type { Snapshot } from "@ingot/delta";
import { DELETED, END_AT, LISTED, SEQUENCE, START_AT } from "../../../model/changes.js";
import { type Field, fieldNamed } from "../../../model/data-type.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import type { HistoryShape } from "../../cdc/history-shape.js";
import { AFTER_DELETE, LIST_TYPE } from "../../cdc/state-table.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";

/** Temporary tables of what target and state table hold of some keys: see `HistoryRelations`. */
export const VERSIONS = "ingot_versions";
export const SIDE = "ingot_side";

/** Some rows of a table, as SQL. */
interface KnownRows {
  readonly table: Snapshot;
  readonly rows: string;
}

/** @param known undefined: none */
export function copyVersions(
  connection: DuckDBConnection,
  shape: HistoryShape,
  known: KnownRows | undefined,
): Promise<void> {
  return copyRows(connection, VERSIONS, [...columnsOf(shape), bound(shape, START_AT), bound(shape, END_AT)], known);
}

/** As `copyVersions`, of the state table. */
export function copySide(
  connection: DuckDBConnection,
  shape: HistoryShape,
  known: KnownRows | undefined,
): Promise<void> {
  const flags = [DELETED, AFTER_DELETE].map((name): Field => ({ name, type: { kind: "boolean" }, nullable: true }));
  const list = shape.listable === undefined ? [] : [{ name: LISTED, type: LIST_TYPE, nullable: true }];
  return copyRows(connection, SIDE, [...columnsOf(shape), bound(shape, SEQUENCE), ...flags, ...list], known);
}

/** Columns that the table does not have yet are NULL. */
async function copyRows(
  connection: DuckDBConnection,
  name: string,
  columns: readonly Field[],
  known: KnownRows | undefined,
): Promise<void> {
  const present = known === undefined ? [] : fromDeltaSchema(known.table.schema);
  const list = columns.map((column) => {
    const value = fieldNamed(present, column.name) === undefined ? "NULL" : quoteName(column.name);
    return `${value}::${duckdbType(column.type)} AS ${quoteName(column.name)}`;
  });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT ${list.join(", ")} FROM (${known?.rows ?? "SELECT 1 WHERE false"})`,
  );
}

function columnsOf({ keys, columns, values }: HistoryShape): Field[] {
  return [...columns.filter(({ name }) => keys.includes(name)), ...values];
}

function bound({ sequenceType }: HistoryShape, name: string): Field {
  return { name, type: sequenceType, nullable: true };
}
