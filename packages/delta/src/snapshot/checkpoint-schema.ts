import type { Metadata } from "../log/actions.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import type { DataType, Field, PrimitiveName, StructType } from "../schema/schema.js";
import { type StatsColumns, statsColumns } from "./stats-columns.js";

/** How the `add` column of a checkpoint tells statistics and partition values. */
export interface CheckpointColumns {
  readonly statsAsJson: boolean;
  /** Undefined: neither statistics nor partition values stand there as structs. */
  readonly parsed: ParsedColumns | undefined;
}

/** Columns by physical name, typed. */
export interface ParsedColumns {
  readonly stats: StatsColumns;
  readonly partition: StructType;
}

/** The columns of a table as they stand in structs. Throws SyntaxError where the marks of column mapping are missing. */
export function parsedColumns({
  schema,
  metadata,
}: {
  readonly schema: StructType;
  readonly metadata: Metadata;
}): ParsedColumns {
  const physical = physicalSchema(schema, columnMappingMode(metadata.configuration));
  const isPartition = (_field: Field, place: number): boolean =>
    metadata.partitionColumns.includes(schema.fields[place]?.name ?? "");
  const data = struct(physical.fields.filter((field, place) => !isPartition(field, place)));
  return {
    stats: statsColumns(data, metadata.configuration),
    partition: struct(physical.fields.filter(isPartition)),
  };
}

/**
 * The type of a checkpoint's rows. All columns are always there: Spark 4 fails with FIELD_NOT_FOUND on a file that lacks
 * `add` or `remove`, though the protocol calls a missing column null. Source: the Delta protocol, "Checkpoint Schema".
 */
export function checkpointSchema(columns: CheckpointColumns): StructType {
  return fields({
    txn: fields({ appId: "string", version: "long", lastUpdated: "long" }),
    ...fileFields(columns),
    metaData: fields({
      id: "string",
      name: "string",
      description: "string",
      format: fields({ provider: "string", options: TEXTS }),
      schemaString: "string",
      partitionColumns: list("string"),
      configuration: TEXTS,
      createdTime: "long",
    }),
    protocol: fields({
      minReaderVersion: "integer",
      minWriterVersion: "integer",
      readerFeatures: list("string"),
      writerFeatures: list("string"),
    }),
    domainMetadata: fields({ domain: "string", configuration: "string", removed: "boolean" }),
    checkpointMetadata: fields({ version: "long", tags: TEXTS }),
    sidecar: fields({ path: "string", sizeInBytes: "long", modificationTime: "long", tags: TEXTS }),
  });
}

/** The type of a sidecar's rows. */
export function sidecarSchema(columns: CheckpointColumns): StructType {
  return fields(fileFields(columns));
}

const TEXTS: DataType = {
  kind: "map",
  key: { kind: "string" },
  value: { kind: "string" },
  valueContainsNull: true,
};

const FILE = { path: "string", partitionValues: TEXTS, size: "long" } as const;

function fileFields({ statsAsJson, parsed }: CheckpointColumns): Record<"add" | "remove", DataType> {
  const vector = {
    deletionVector: fields({
      storageType: "string",
      pathOrInlineDv: "string",
      offset: "integer",
      sizeInBytes: "integer",
      cardinality: "long",
    }),
    baseRowId: "long",
    defaultRowCommitVersion: "long",
  } as const;
  return {
    add: fields({
      ...FILE,
      modificationTime: "long",
      dataChange: "boolean",
      tags: TEXTS,
      ...vector,
      clusteringProvider: "string",
      ...(statsAsJson ? { stats: "string" } : {}),
      ...(parsed === undefined ? {} : { stats_parsed: statsStruct(parsed.stats) }),
      ...(parsed === undefined || parsed.partition.fields.length === 0
        ? {}
        : { partitionValues_parsed: parsed.partition }),
    }),
    remove: fields({
      path: "string",
      deletionTimestamp: "long",
      dataChange: "boolean",
      extendedFileMetadata: "boolean",
      partitionValues: TEXTS,
      size: "long",
      ...vector,
    }),
  };
}

/** Source: the Delta protocol, "Per-file Statistics". */
function statsStruct({ bounds, counts }: StatsColumns): StructType {
  // Parquet has no struct without fields.
  const when = (name: string, type: StructType): Record<string, DataType> =>
    type.fields.length === 0 ? {} : { [name]: type };
  return fields({
    numRecords: "long",
    tightBounds: "boolean",
    ...when("minValues", bounds),
    ...when("maxValues", bounds),
    ...when("nullCount", counts),
  });
}

function fields(types: Readonly<Record<string, DataType | PrimitiveName>>): StructType {
  return struct(
    Object.entries(types).map(([name, type]) => ({
      name,
      type: typeof type === "string" ? { kind: type } : type,
      nullable: true,
      metadata: {},
    })),
  );
}

function list(element: PrimitiveName): DataType {
  return { kind: "array", element: { kind: element }, containsNull: true };
}

function struct(all: readonly Field[]): StructType {
  return { kind: "struct", fields: all };
}
