import type { AddFile, TextMap } from "../log/actions.js";
import { formatJson, isObject } from "../log/json.js";
import { type DataType, type StructType, typesWithin } from "../schema/schema.js";

/** What decides whether a table uses a feature. */
export interface TableUse {
  readonly schema: StructType;
  readonly configuration: TextMap;
  readonly files: readonly AddFile[];
  readonly domains: ReadonlyMap<string, string>;
}

/** A table feature that this library knows. A feature that is not in the list is refused wherever a table names it. */
export interface Feature {
  readonly name: string;
  /** Readers must know it, too. */
  readonly forReaders?: true;
  /** The protocol versions that imply the feature without naming it, for the older ones. */
  readonly impliedBy?: { readonly reader?: number; readonly writer: number };
  /** A new or changed table with this setting or schema must list the feature. */
  readonly neededBy?: (table: Pick<TableUse, "schema" | "configuration">) => boolean;
  /** The property that switches the feature on. */
  readonly property?: string;
  /** Tables that use it so cannot be written yet. */
  readonly stopsWrite?: (table: TableUse) => boolean;
}

/**
 * Source: the Delta protocol, "Valid Feature Names in Table Features" and the section of each feature. A feature
 * without `stopsWrite` has no duty for what this library does, or the duty is done: `appendOnly` and `changeDataFeed`
 * in valid-change.ts, `deletionVectors` by repeating the vector of a file that is removed.
 */
export const FEATURES: readonly Feature[] = [
  { name: "appendOnly", impliedBy: { writer: 2 }, property: "delta.appendOnly" },
  { name: "invariants", impliedBy: { writer: 2 }, stopsWrite: hasFieldKey("delta.invariants") },
  {
    name: "checkConstraints",
    impliedBy: { writer: 3 },
    stopsWrite: ({ configuration }) => Object.keys(configuration).some((key) => key.startsWith("delta.constraints.")),
  },
  { name: "changeDataFeed", impliedBy: { writer: 4 }, property: "delta.enableChangeDataFeed" },
  { name: "generatedColumns", impliedBy: { writer: 4 }, stopsWrite: hasFieldKey("delta.generationExpression") },
  {
    name: "columnMapping",
    forReaders: true,
    impliedBy: { reader: 2, writer: 5 },
    stopsWrite: ({ configuration }) => (configuration["delta.columnMapping.mode"] ?? "none") !== "none",
  },
  { name: "identityColumns", impliedBy: { writer: 6 }, stopsWrite: hasFieldKey("delta.identity.step") },
  { name: "allowColumnDefaults", stopsWrite: hasFieldKey("CURRENT_DEFAULT") },
  { name: "deletionVectors", forReaders: true, property: "delta.enableDeletionVectors" },
  { name: "timestampNtz", forReaders: true, neededBy: ({ schema }) => hasType(schema, "timestamp_ntz") },
  {
    name: "typeWidening",
    forReaders: true,
    property: "delta.enableTypeWidening",
    stopsWrite: hasFieldKey("delta.typeChanges"),
  },
  // The name that typeWidening had before.
  { name: "typeWidening-preview", forReaders: true },
  {
    name: "v2Checkpoint",
    forReaders: true,
    neededBy: ({ configuration }) => configuration["delta.checkpointPolicy"] === "v2",
  },
  { name: "vacuumProtocolCheck", forReaders: true },
  { name: "domainMetadata" },
  {
    name: "inCommitTimestamp",
    property: "delta.enableInCommitTimestamps",
    stopsWrite: ({ configuration }) => isOn(configuration, "delta.enableInCommitTimestamps"),
  },
  { name: "clustering", stopsWrite: ({ domains }) => domains.has("delta.clustering") },
];

/** Properties that would switch on a feature that is not in the list, or change the protocol past it. */
export const REFUSED_PROPERTIES =
  /^delta\.(enableRowTracking|enableIcebergCompatV\d|enableVariantShredding|feature\..*|min(Reader|Writer)Version)$/;

export function isOn(configuration: TextMap, property: string): boolean {
  return configuration[property]?.toLowerCase() === "true";
}

export function hasType(schema: StructType, kind: DataType["kind"]): boolean {
  return [...typesWithin(schema)].some((type) => type.kind === kind);
}

/**
 * The collations of strings that compare by another rule than their bytes, such as `spark.UTF8_LCASE`. A field names
 * them by the place of each string within it. Source: Delta's RFC "Collated String Type".
 */
export function collationsOf(schema: StructType): string[] {
  const fields = [...typesWithin(schema)].flatMap((type) => (type.kind === "struct" ? type.fields : []));
  return fields
    .flatMap(({ metadata }) => {
      const collations = metadata["__COLLATIONS"];
      return isObject(collations) ? Object.values(collations) : [];
    })
    .map((collation) => (typeof collation === "string" ? collation : formatJson(collation ?? null)))
    .filter((collation) => !/^(spark\.)?UTF8_BINARY$/.test(collation));
}

function hasFieldKey(key: string): (table: TableUse) => boolean {
  return ({ schema }) =>
    [...typesWithin(schema)].some(
      (type) => type.kind === "struct" && type.fields.some((field) => Object.hasOwn(field.metadata, key)),
    );
}
