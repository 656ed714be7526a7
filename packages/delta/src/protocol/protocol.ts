import { DeltaError } from "../error.js";
import type { Metadata, Protocol } from "../log/actions.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import { parseSchema, type StructType } from "../schema/schema.js";
import { collationsOf, FEATURES, type Feature, hasType, isOn, REFUSED_PROPERTIES, type TableUse } from "./features.js";

/** The newest versions that the protocol has: there the features stand in lists. */
const READER_VERSION = 3;
const WRITER_VERSION = 7;

/** Which table, at which version: the object of an error. */
interface At {
  readonly table: string;
  readonly version: bigint;
}

/**
 * Passes when every reader feature of the protocol is known.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_READ, DELTA_TABLE_UNREADABLE when versions and lists contradict
 */
export function assertKnownReaderFeatures(protocol: Protocol, at: At): void {
  const { minReaderVersion, minWriterVersion, readerFeatures, writerFeatures } = protocol;
  if (minReaderVersion > READER_VERSION) throw refuse("READ", [`reader version ${minReaderVersion}`], at);
  const lists =
    minReaderVersion === READER_VERSION
      ? readerFeatures !== undefined && minWriterVersion === WRITER_VERSION
      : (readerFeatures ?? []).length === 0;
  if (!lists || (minWriterVersion === WRITER_VERSION && writerFeatures === undefined))
    throw new DeltaError(
      "DELTA_TABLE_UNREADABLE",
      `The protocol of ${at.table} contradicts itself: ${JSON.stringify(protocol)}.`,
      {
        ...at,
        hint: "Lists of features belong to reader version 3 and writer version 7; repair the table where it was written.",
      },
    );
  const unknown = (readerFeatures ?? []).filter((name) => featureNamed(name)?.forReaders !== true);
  if (unknown.length > 0) throw refuse("READ", unknown, at);
}

/**
 * The schema of a table; the marks that column mapping needs are there.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_READ for a format that is not Parquet, a type or a mode of column
 * mapping that is unknown, strings with a collation, DELTA_TABLE_UNREADABLE when the schema is damaged
 */
export function readSchema(metadata: Metadata, at: At): StructType {
  if (metadata.format.provider !== "parquet") throw refuse("READ", [`format ${metadata.format.provider}`], at);
  try {
    const schema = parseSchema(metadata.schemaString);
    physicalSchema(schema, columnMappingMode(metadata.configuration));
    const collations = [...new Set(collationsOf(schema))].join(" and ");
    // A writer feature by the protocol, yet a reader without it would compare and sort such strings in another way.
    if (collations !== "") throw new TypeError(`collations (${collations})`);
    return schema;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof TypeError) throw refuse("READ", [reason], at);
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `The schema of ${at.table} is damaged: ${reason}.`, {
      ...at,
      hint: "Restore the commit that wrote the schema from a backup.",
      cause,
    });
  }
}

/**
 * Passes when a commit of this library keeps all that the table promises.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE
 */
export function assertWritable(protocol: Protocol, table: TableUse, at: At): void {
  if (protocol.minWriterVersion > WRITER_VERSION)
    throw refuse("WRITE", [`writer version ${protocol.minWriterVersion}`], at);
  const unknown = (protocol.writerFeatures ?? []).filter((name) => featureNamed(name) === undefined);
  const used = FEATURES.filter((feature) => feature.stopsWrite?.(table));
  const refused = [...unknown, ...used.map((feature) => feature.name)];
  if (hasType(table.schema, "void")) refused.push("columns of type void");
  if (refused.length > 0) throw refuse("WRITE", refused, at);
}

/**
 * The protocol that a table needs for its schema and properties: the least one, and never less than what it has.
 * `current` is undefined for a new table. Features implied by older versions are named when lists come in.
 * Source: the Delta protocol, "Table Features for New and Existing Tables".
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE for a property of a feature that this library does not have
 */
export function requireProtocol(
  table: Pick<TableUse, "schema" | "configuration">,
  current: Protocol | undefined,
  at: At,
): Protocol {
  const refused = Object.keys(table.configuration).filter((key) => REFUSED_PROPERTIES.test(key));
  if (refused.length > 0)
    throw refuse(
      "WRITE",
      refused.map((key) => `the property ${key}`),
      at,
    );
  return withFeatures(
    current ?? { minReaderVersion: 1, minWriterVersion: 2 },
    FEATURES.filter((feature) => isNeeded(feature, table)),
  );
}

function withFeatures(current: Protocol, needed: readonly Feature[]): Protocol {
  const added = needed.filter((feature) => !isSupported(feature, current));
  if (added.length === 0) return current;
  if (current.minWriterVersion < WRITER_VERSION && added.every((feature) => feature.impliedBy !== undefined)) {
    return {
      minReaderVersion: Math.max(current.minReaderVersion, ...added.map((feature) => feature.impliedBy?.reader ?? 1)),
      minWriterVersion: Math.max(current.minWriterVersion, ...added.map((feature) => feature.impliedBy?.writer ?? 1)),
    };
  }
  const names = new Set(current.writerFeatures);
  for (const feature of FEATURES) if (isSupported(feature, current) || added.includes(feature)) names.add(feature.name);
  const writerFeatures = [...names].sort();
  if (current.minReaderVersion < READER_VERSION && !added.some((feature) => feature.forReaders))
    return { minReaderVersion: current.minReaderVersion, minWriterVersion: WRITER_VERSION, writerFeatures };
  const readerFeatures = writerFeatures.filter(
    (name) => featureNamed(name)?.forReaders || current.readerFeatures?.includes(name),
  );
  return { minReaderVersion: READER_VERSION, minWriterVersion: WRITER_VERSION, readerFeatures, writerFeatures };
}

function isNeeded(feature: Feature, table: Pick<TableUse, "schema" | "configuration">): boolean {
  return feature.neededBy?.(table) || (feature.property !== undefined && isOn(table.configuration, feature.property));
}

function isSupported({ name, impliedBy, forReaders }: Feature, protocol: Protocol): boolean {
  if (protocol.minWriterVersion === WRITER_VERSION) return protocol.writerFeatures?.includes(name) ?? false;
  if (impliedBy === undefined || impliedBy.writer > protocol.minWriterVersion) return false;
  return !forReaders || (impliedBy.reader ?? 1) <= protocol.minReaderVersion;
}

function featureNamed(name: string): Feature | undefined {
  return FEATURES.find((feature) => feature.name === name);
}

function refuse(what: "READ" | "WRITE", features: readonly string[], at: At): DeltaError {
  const verb = what === "READ" ? "read" : "written";
  const names = [...new Set(features)].join(", ");
  return new DeltaError(
    `DELTA_UNSUPPORTED_FEATURES_FOR_${what}`,
    `Version ${at.version} of ${at.table} cannot be ${verb}: it needs ${names}.`,
    {
      ...at,
      hint: "Use an engine that supports it; there a table feature can be removed, too (ALTER TABLE … DROP FEATURE).",
    },
  );
}
