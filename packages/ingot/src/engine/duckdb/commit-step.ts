import {
  commit,
  createTable,
  formatStats,
  type NewFile,
  type Snapshot,
  type Store,
  type StructType,
} from "@ingot/delta";
import type { WriteStep } from "../engine.js";
import { toDeltaSchema } from "./delta-schema.js";
import type { StagedFile } from "./write-parquet.js";

/** Makes the staged files part of the table, with the batches that they come from, in one commit. */
export async function commitStep(
  store: Store,
  snapshot: Snapshot | undefined,
  step: WriteStep,
  parts: WriteStep["parts"],
  files: readonly StagedFile[],
  engineInfo: string,
): Promise<bigint> {
  const { target, mode } = step;
  const schema = toDeltaSchema(target.schema);
  const definition = {
    schema,
    configuration: target.properties,
    name: target.name.split(".").at(-1) ?? target.name,
    ...(target.comment === undefined ? {} : { description: target.comment }),
  };
  const change = {
    operation: "WRITE",
    operationParameters: { mode: mode === "append" ? "Append" : "Overwrite" },
    add: files.map(
      (file): NewFile => ({
        path: file.path,
        size: file.size,
        stats: formatStats(file.stats, schema, { configuration: target.properties }),
      }),
    ),
    transactions: parts.map((p) => p.transaction),
    isBlindAppend: mode === "append",
    userMetadata: step.note,
    engineInfo,
  };
  if (snapshot === undefined) return (await createTable(store, target.location, definition, change)).version;
  const metadata = sameDefinition(snapshot, definition) ? {} : { metadata: definition };
  const remove = mode === "overwrite" ? { remove: "all" as const } : {};
  return (await commit(store, snapshot, { ...change, ...remove, ...metadata })).version;
}

/** Whether the table is declared just as it is; else the commit carries the new definition. */
function sameDefinition(
  snapshot: Snapshot,
  definition: { schema: StructType; configuration: Readonly<Record<string, string>>; description?: string },
): boolean {
  const { metadata } = snapshot;
  const text = (properties: Readonly<Record<string, string | null>>) =>
    JSON.stringify(Object.entries(properties).sort());
  return (
    JSON.stringify(snapshot.schema) === JSON.stringify(definition.schema) &&
    text(metadata.configuration) === text(definition.configuration) &&
    metadata.description === definition.description
  );
}
