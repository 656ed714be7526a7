import type { DuckDBConnection } from "@duckdb/node-api";
import { clusteringColumns, countRows, type PlannedDefinition, type Snapshot, type Store } from "@ingot/delta";
import type { DataType } from "../../model/data-type.js";
import type { WritePart, WriteStep } from "../engine.js";

/** A view's table, and the step that is to give it the rows of its query. */
export interface ViewTable {
  readonly connection: DuckDBConnection;
  readonly store: Store;
  readonly snapshot: Snapshot;
  readonly plan: PlannedDefinition;
  readonly step: WriteStep;
  readonly part: WritePart;
  readonly signal: AbortSignal;
}

/** Comparing more rows than these costs more than writing them, where no change feed asks for it. */
const MANY_ROWS = 1_000_000;

/**
 * Why the rows of a table cannot be compared with those that it is to have: it is defined otherwise, or a value within a
 * value could be equal to another one and not the same.
 */
export function comparisonObstacle(
  snapshot: Snapshot,
  { isChanged }: PlannedDefinition,
  { target, parts }: WriteStep,
): string | undefined {
  const clustering = (clusteringColumns(snapshot) ?? []).map((path) => path.join(".")).join();
  const isPlain = parts.length === 1 && parts[0]?.corruptRecordColumn === undefined;
  if (isChanged || !isPlain || clustering !== (target.clusterBy ?? []).join()) return "the table is defined otherwise";
  const isSound = target.schema.every(({ type }) => !isNested(type) || !holdsFloats(type));
  return isSound ? undefined : "floating-point numbers within a value cannot be compared bit by bit";
}

/** Whether comparing all rows may cost less than writing them, or a change feed asks for it. */
export function isWorthComparing(snapshot: Snapshot): boolean {
  return hasFeed(snapshot) || rowsIn(snapshot) <= MANY_ROWS;
}

export function hasFeed(snapshot: Snapshot): boolean {
  return isOn(snapshot, "delta.enableChangeDataFeed");
}

export function isOn({ metadata: { configuration } }: Snapshot, property: string): boolean {
  return configuration[property]?.toLowerCase() === "true";
}

/** Infinity where the log does not tell it. */
export function rowsIn(snapshot: Snapshot): number {
  return Number(countRows(snapshot) ?? Number.POSITIVE_INFINITY);
}

function isNested({ kind }: DataType): boolean {
  return kind === "array" || kind === "map" || kind === "struct";
}

function holdsFloats(type: DataType): boolean {
  switch (type.kind) {
    case "array":
      return holdsFloats(type.element);
    case "map":
      return holdsFloats(type.key) || holdsFloats(type.value);
    case "struct":
      return type.fields.some((field) => holdsFloats(field.type));
    default:
      return type.kind === "float" || type.kind === "double";
  }
}
