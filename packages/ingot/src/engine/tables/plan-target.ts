import {
  type Change,
  clusteringColumns,
  type PlannedDefinition,
  planClustering,
  planDefinition,
  type Snapshot,
  validateProperties,
} from "@ingot/delta";
import type { DeclaredTable } from "../../model/table.js";
import type { TargetTable, WriteStep } from "../engine.js";
import { toDeltaSchema } from "./delta-schema.js";

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
  planClustering(
    table,
    clusterBy.map((column) => [column]),
  );
  return configuration;
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

/** Sets the clustering columns where the table has others. */
export function planClusteringChange(
  snapshot: Snapshot | undefined,
  table: PlannedDefinition["table"],
  columns: readonly string[],
  mode: WriteStep["mode"],
): Pick<Change, "domains"> {
  const before = snapshot === undefined ? [] : (clusteringColumns(snapshot) ?? []);
  if (before.map((path) => path.join(".")).join() === columns.join()) return {};
  const kept = mode === "append" ? snapshot?.files : undefined;
  return {
    domains: planClustering(
      table,
      columns.map((column) => [column]),
      kept,
    ).domains,
  };
}
