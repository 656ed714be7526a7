import {
  commit,
  createTable,
  type NewFile,
  type PlannedDefinition,
  planDefinition,
  type Snapshot,
  type Store,
  validateProperties,
} from "@ingot/delta";
import type { DeclaredTable } from "../../model/table.js";
import type { TargetTable, WriteStep } from "../engine.js";
import { toDeltaSchema } from "./delta-schema.js";

const ENGINE_INFO = "Ingot/0.1.0 DuckDB/1.5.6";

/**
 * The properties of a declared table as Delta has them.
 *
 * @throws DeltaError for a property or a column that no table can have
 */
export function declaredProperties({ name, schema, properties }: DeclaredTable): Record<string, string> {
  const configuration = validateProperties({ table: name }, properties);
  planDefinition(name, { schema: toDeltaSchema(schema), configuration });
  return configuration;
}

/**
 * What the table is to be after a step.
 *
 * @throws DeltaError what `planDefinition` throws
 */
export function planTarget(
  { location, name, schema, properties, comment }: TargetTable,
  mode: WriteStep["mode"],
  snapshot: Snapshot | undefined,
): PlannedDefinition {
  const definition = {
    schema: toDeltaSchema(schema),
    configuration: validateProperties({ table: name }, properties),
    name: name.split(".").at(-1) ?? name,
    ...(comment === undefined ? {} : { description: comment }),
  };
  return planDefinition(location, definition, snapshot, mode === "overwrite");
}

/** Makes the staged files part of the table, with the batches that they come from, in one commit. */
export async function commitStep(
  store: Store,
  snapshot: Snapshot | undefined,
  { definition, isChanged }: PlannedDefinition,
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
  };
  const notes = { engineInfo: ENGINE_INFO, userMetadata: note };
  if (snapshot === undefined) return (await createTable(store, target.location, definition, change, notes)).version;
  const metadata = isChanged ? { metadata: definition } : {};
  const remove = mode === "overwrite" ? { remove: "all" as const } : {};
  return (await commit(store, snapshot, { ...change, ...remove, ...metadata }, notes)).version;
}
