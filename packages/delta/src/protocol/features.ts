import type { TextMap } from "../log/actions.js";
import { type DataType, type StructType, typesWithin } from "../schema/schema.js";

/** What decides whether a table uses a feature. */
export interface TableUse {
  readonly schema: StructType;
  readonly configuration: TextMap;
}

/** A table feature that this library knows. A feature that is not in the list is refused wherever a table names it. */
export interface Feature {
  readonly name: string;
  /** Readers must know it, too. */
  readonly forReaders?: true;
  /** The protocol versions that imply the feature without naming it, for the older ones. */
  readonly impliedBy?: { readonly reader?: number; readonly writer: number };
  /** A table with this setting or schema must list the feature. */
  readonly neededBy?: (table: TableUse) => boolean;
  /** The property that switches the feature on. */
  readonly property?: string;
  /** Features that must be listed beside it. */
  readonly requires?: readonly string[];
  /** New rows must obey what the table says by it: "evaluated" by the engine that writes them, or not at all yet. */
  readonly rules?: "evaluated" | "refused";
}

/**
 * Source: the Delta protocol, "Valid Feature Names in Table Features" and the section of each feature. Where the duties
 * of a writer are done: `appendOnly`, `changeDataFeed`, `deletionVectors`, `clustering` in commit/valid-change.ts,
 * `rowTracking` in commit/row-tracking.ts, `inCommitTimestamp` in commit/commit-time.ts, rules by `assertNewRows`.
 */
export const FEATURES: readonly Feature[] = [
  { name: "appendOnly", impliedBy: { writer: 2 }, property: "delta.appendOnly" },
  { name: "invariants", impliedBy: { writer: 2 }, neededBy: hasFieldKey("delta.invariants"), rules: "evaluated" },
  { name: "checkConstraints", impliedBy: { writer: 3 }, neededBy: hasCheckConstraint, rules: "evaluated" },
  { name: "changeDataFeed", impliedBy: { writer: 4 }, property: "delta.enableChangeDataFeed" },
  {
    name: "generatedColumns",
    impliedBy: { writer: 4 },
    neededBy: hasFieldKey("delta.generationExpression"),
    rules: "evaluated",
  },
  {
    name: "columnMapping",
    forReaders: true,
    impliedBy: { reader: 2, writer: 5 },
    neededBy: ({ configuration }) => (configuration["delta.columnMapping.mode"] ?? "none") !== "none",
  },
  {
    name: "identityColumns",
    impliedBy: { writer: 6 },
    neededBy: hasFieldKey("delta.identity.step"),
    rules: "refused",
  },
  { name: "allowColumnDefaults", neededBy: hasFieldKey("CURRENT_DEFAULT"), rules: "evaluated" },
  { name: "deletionVectors", forReaders: true, property: "delta.enableDeletionVectors" },
  { name: "timestampNtz", forReaders: true, neededBy: ({ schema }) => hasType(schema, "timestamp_ntz") },
  {
    name: "typeWidening",
    forReaders: true,
    property: "delta.enableTypeWidening",
    neededBy: hasFieldKey("delta.typeChanges"),
  },
  // The name that typeWidening had before; a table that has it needs no other.
  { name: "typeWidening-preview", forReaders: true },
  // Readers of rows may refuse such columns; the rest of the table is as any other.
  { name: "variantType", forReaders: true, neededBy: ({ schema }) => hasType(schema, "variant"), rules: "refused" },
  { name: "variantType-preview", forReaders: true },
  { name: "variantShredding", forReaders: true },
  { name: "variantShredding-preview", forReaders: true },
  {
    name: "v2Checkpoint",
    forReaders: true,
    neededBy: ({ configuration }) => configuration["delta.checkpointPolicy"] === "v2",
  },
  { name: "vacuumProtocolCheck", forReaders: true },
  { name: "domainMetadata" },
  { name: "rowTracking", property: "delta.enableRowTracking", requires: ["domainMetadata"] },
  { name: "inCommitTimestamp", property: "delta.enableInCommitTimestamps" },
  { name: "clustering", requires: ["domainMetadata"] },
];

/** Properties that would switch on a feature that is not in the list. */
export const REFUSED_PROPERTIES = /^delta\.(enableIcebergCompatV\d|enableVariantShredding)$/;

export function featureNamed(name: string): Feature | undefined {
  return FEATURES.find((feature) => feature.name === name);
}

export function hasType(schema: StructType, kind: DataType["kind"]): boolean {
  return [...typesWithin(schema)].some((type) => type.kind === kind);
}

function hasCheckConstraint({ configuration }: TableUse): boolean {
  return Object.keys(configuration).some((key) => key.startsWith("delta.constraints."));
}

function hasFieldKey(key: string): (table: TableUse) => boolean {
  return ({ schema }) =>
    [...typesWithin(schema)].some(
      (type) => type.kind === "struct" && type.fields.some((field) => Object.hasOwn(field.metadata, key)),
    );
}
