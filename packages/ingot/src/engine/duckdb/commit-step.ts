import {
  type Change,
  changeRows,
  clusteringColumns,
  commit,
  createTable,
  type NewFile,
  type PlannedDefinition,
  planClustering,
  planDefinition,
  type RowChange,
  type RowChangeResult,
  type Snapshot,
  type Store,
  validateProperties,
} from "@ingot/delta";
import type { DeclaredTable } from "../../model/table.js";
import type { TargetTable, WriteStep } from "../engine.js";
import { toDeltaSchema } from "./delta-schema.js";

export const ENGINE_INFO = "Ingot/0.1.0 DuckDB/1.5.6";

/**
 * The properties of a declared table as Delta has them.
 *
 * @throws DeltaError for a property or a column that no table can have
 */
export function declaredProperties(declared: DeclaredTable): Record<string, string> {
  const { name, schema, properties, partitionBy = [], clusterBy = [] } = declared;
  const configuration = validateProperties({ table: name }, properties);
  const { table } = planDefinition(name, {
    schema: toDeltaSchema(schema),
    configuration,
    partitionColumns: partitionBy,
  });
  planClustering(table, clusterBy.map(toPath));
  return configuration;
}

function toPath(column: string): [string] {
  return [column];
}

/**
 * What the table is to be after a step.
 *
 * @throws DeltaError what `planDefinition` throws
 */
export function planTarget(
  { location, name, schema, properties, comment, partitionBy = [] }: TargetTable,
  mode: WriteStep["mode"],
  snapshot: Snapshot | undefined,
): PlannedDefinition {
  const definition = {
    schema: toDeltaSchema(schema),
    configuration: validateProperties({ table: name }, properties),
    partitionColumns: partitionBy,
    name: name.split(".").at(-1) ?? name,
    ...(comment === undefined ? {} : { description: comment }),
  };
  return planDefinition(location, definition, snapshot, mode === "overwrite");
}

/** Makes the staged files part of the table, with the batches that they come from, in one commit. */
export async function commitStep(
  store: Store,
  snapshot: Snapshot | undefined,
  { definition, isChanged, table }: PlannedDefinition,
  { target, mode, note }: WriteStep,
  parts: WriteStep["parts"],
  files: readonly NewFile[],
): Promise<bigint> {
  const change = {
    operation: "WRITE",
    operationParameters: { mode: mode === "append" ? "Append" : "Overwrite" },
    add: files,
    transactions: parts.map((p) => p.transaction),
    isBlindAppend: mode === "append",
    rulesEnforced: true,
    ...clusteringChange(snapshot, table, target.clusterBy ?? [], mode),
  };
  const notes = { engineInfo: ENGINE_INFO, userMetadata: note };
  if (snapshot === undefined) return (await createTable(store, target.location, definition, change, notes)).version;
  const metadata = isChanged ? { metadata: definition } : {};
  const remove = mode === "overwrite" ? { remove: "all" as const } : {};
  return (await commit(store, snapshot, { ...change, ...remove, ...metadata }, notes)).version;
}

/** Carries out a change of single rows as a step, with the batches that it comes from, in one commit. */
export async function changeStep(
  store: Store,
  snapshot: Snapshot,
  { definition, isChanged, table }: PlannedDefinition,
  { target, note }: Pick<WriteStep, "target" | "note">,
  parts: WriteStep["parts"],
  change: RowChange,
): Promise<RowChangeResult> {
  return changeRows(store, target.location, change, {
    engineInfo: ENGINE_INFO,
    userMetadata: note,
    transactions: parts.map((p) => p.transaction),
    ...(isChanged ? { definition } : {}),
    ...clusteringChange(snapshot, table, target.clusterBy ?? [], "append"),
  });
}

/** Sets the clustering columns where the table has others. */
function clusteringChange(
  snapshot: Snapshot | undefined,
  table: PlannedDefinition["table"],
  columns: readonly string[],
  mode: WriteStep["mode"],
): Pick<Change, "domains"> {
  const before = snapshot === undefined ? [] : (clusteringColumns(snapshot) ?? []);
  if (before.map((path) => path.join(".")).join() === columns.join()) return {};
  const kept = mode === "append" ? snapshot?.files : undefined;
  return { domains: planClustering(table, columns.map(toPath), kept).domains };
}
