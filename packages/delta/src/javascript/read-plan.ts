import { DeltaError } from "../error.js";
import type { TextMap } from "../log/actions.js";
import { refuse } from "../protocol/protocol.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import { type DataType, type Field, typesWithin } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { ParquetNode } from "./parquet-file.js";
import type { Match } from "./read-value.js";

/** What the columns of a table are called in its files, and how they are found there. */
export interface ReadPlan {
  readonly table: string;
  readonly version: bigint;
  readonly columns: readonly PlannedColumn[];
  /** Columns of the files that are no columns of the table: hidden row ids, `_change_type`. */
  readonly further: readonly FurtherColumn[];
  readonly byId: boolean;
}

export interface PlannedColumn {
  readonly name: string;
  readonly type: DataType;
  readonly physical: Field;
  /** Its values stand in the log. */
  readonly isPartition: boolean;
}

export interface FurtherColumn {
  /** Under which it is given. */
  readonly as: string;
  /** In the file. */
  readonly name: string;
  readonly type: DataType;
}

/**
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA for a column that the table does not have,
 * DELTA_UNSUPPORTED_FEATURES_FOR_READ for one of the type variant
 */
export function planRead(
  { table, version, schema, metadata }: Pick<Snapshot, "table" | "version" | "schema" | "metadata">,
  columns: readonly string[] | undefined,
  further: readonly FurtherColumn[] = [],
): ReadPlan {
  const mode = columnMappingMode(metadata.configuration);
  const physical = physicalSchema(schema, mode);
  const all = schema.fields.map((field, i) => ({
    name: field.name,
    type: field.type,
    physical: physical.fields[i] ?? field,
    isPartition: metadata.partitionColumns.includes(field.name),
  }));
  const wanted = columns?.map((name) => {
    const column = all.find((candidate) => candidate.name === name);
    if (column !== undefined) return column;
    throw new DeltaError("DELTA_COLUMN_NOT_FOUND_IN_SCHEMA", `Version ${version} of ${table} has no column ${name}.`, {
      table,
      version,
      hint: `Its columns are ${all.map((candidate) => candidate.name).join(", ")}.`,
    });
  });
  const read = wanted ?? all;
  const variants = read.filter(({ type }) => [...typesWithin(type)].some(({ kind }) => kind === "variant"));
  if (variants.length > 0)
    throw refuse("READ", [`variantType (${variants.map(({ name }) => name).join(", ")})`], { table, version });
  return { table, version, columns: read, further, byId: mode === "id" };
}

/**
 * How columns are found in a file. By id, a file without any id is refused: the protocol lets a reader give nulls or
 * refuse, and nulls would be silent. By name, case decides only where two names differ in nothing else.
 */
export function columnMatch(plan: ReadPlan, fileColumns: readonly ParquetNode[]): Match {
  if (!plan.byId) return byName;
  if (fileColumns.length > 0 && !fileColumns.some(hasId))
    throw new TypeError("it has no field ids, and the table finds its columns by them");
  return (nodes, { metadata }) => nodes.find(({ element }) => element.field_id === metadata["delta.columnMapping.id"]);
}

export function byName(nodes: readonly ParquetNode[], { name }: { readonly name: string }): ParquetNode | undefined {
  const exact = nodes.find(({ element }) => element.name === name);
  if (exact !== undefined) return exact;
  const [similar, ...others] = nodes.filter(({ element }) => element.name.toLowerCase() === name.toLowerCase());
  return others.length === 0 ? similar : undefined;
}

function hasId({ element, children }: ParquetNode): boolean {
  return element.field_id !== undefined || children.some(hasId);
}

/** A data file with what the log says of it. */
export interface DataFile {
  /** Relative to the table, or absolute. */
  readonly path: string;
  readonly partitionValues: TextMap;
}
