import type { TableDefinition } from "../commit/change.js";
import { stageChange } from "../commit/stage.js";
import { clusteringColumns } from "../schema/clustering-columns.js";
import { refusal } from "../schema/definition.js";
import { findPlace, formatPath } from "../schema/field-path.js";
import { mergeSchema } from "../schema/merge-schema.js";
import { formatSchema, type StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";

/** A table whose definition a change of rows brings along. */
export interface EvolvedTable {
  /** The snapshot as if the definition were there already: its files are read, and new ones written, by it. */
  readonly snapshot: Snapshot;
  /** For the change that is committed on the snapshot before; undefined where the definition stays. */
  readonly metadata: Partial<TableDefinition> | undefined;
}

/**
 * Takes over what rows of another schema bring: new columns, wider types (`mergeSchema` in Spark, `WITH SCHEMA
 * EVOLUTION`). Nothing is written.
 *
 * @param rows the schema of the rows; undefined: the table's stays
 * @throws DeltaError what `mergeSchema` and the commit of such a schema would throw
 */
export function evolveSchema(snapshot: Snapshot, rows: StructType | undefined): EvolvedTable {
  if (rows === undefined) return { snapshot, metadata: undefined };
  const schema = mergeSchema(snapshot, rows);
  if (formatSchema(schema) === formatSchema(snapshot.schema)) return { snapshot, metadata: undefined };
  return withDefinition(snapshot, { schema }, {});
}

/**
 * Takes over what is declared of a table, its rows staying: columns may only come. Nothing is written.
 *
 * @param definition of `planDefinition`
 * @throws DeltaError what the commit of such a definition would throw
 */
export function redefine(snapshot: Snapshot, definition: TableDefinition): EvolvedTable {
  return withDefinition(snapshot, definition, {});
}

/**
 * Puts another schema in the place of the table's, all of whose rows go with the change (`overwriteSchema` in Spark).
 * Partition and clustering columns must be among its columns. Nothing is written.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN, DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN, and what the
 * commit of such a schema would throw
 */
export function replaceSchema(snapshot: Snapshot, schema: StructType): EvolvedTable {
  const { table, metadata } = snapshot;
  const partition = metadata.partitionColumns.find((name) => schema.fields.every((field) => field.name !== name));
  if (partition !== undefined)
    throw refusal(
      snapshot,
      "DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN",
      `The new schema lacks ${formatPath([partition])}, by which ${table} is partitioned.`,
      "Keep the column, or create a new table with other partitions.",
    );
  const clustering = clusteringColumns(snapshot)?.find((path) => findPlace(schema, path) === undefined);
  if (clustering !== undefined)
    throw refusal(
      snapshot,
      "DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN",
      `The new schema lacks ${formatPath(clustering)}, by which ${table} is clustered.`,
      "Keep the column, or cluster the table by other columns first (ALTER TABLE … CLUSTER BY).",
    );
  return withDefinition(snapshot, { schema }, { remove: "all" });
}

function withDefinition(
  snapshot: Snapshot,
  wanted: TableDefinition,
  change: { readonly remove?: "all" },
): EvolvedTable {
  const { base } = stageChange(snapshot, { ...change, operation: "WRITE", metadata: wanted });
  const { schema, metadata, protocol } = base;
  return { snapshot: { ...snapshot, schema, metadata, protocol }, metadata: { ...wanted, schema } };
}
