import { type At, DeltaError, reasonOf } from "../error.js";
import type { Metadata, Protocol } from "../log/actions.js";
import { columnMappingMode, physicalSchema } from "../schema/column-mapping.js";
import { parseSchema, type StructType } from "../schema/schema.js";
import { assertReadableTypeChanges } from "../schema/type-widening.js";
import { FEATURES, type Feature, featureNamed, hasType, type TableUse } from "./features.js";

/** The newest versions that the protocol has: there the features stand in lists. */
export const READER_VERSION = 3;
export const WRITER_VERSION = 7;

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
 * mapping that is unknown, DELTA_TABLE_UNREADABLE when the schema is damaged
 */
export function readSchema(metadata: Metadata, at: At): StructType {
  if (metadata.format.provider !== "parquet") throw refuse("READ", [`format ${metadata.format.provider}`], at);
  try {
    const schema = parseSchema(metadata.schemaString);
    physicalSchema(schema, columnMappingMode(metadata.configuration));
    assertReadableTypeChanges(schema);
    return schema;
  } catch (cause) {
    const reason = reasonOf(cause);
    if (cause instanceof TypeError) throw refuse("READ", [reason], at);
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `The schema of ${at.table} is damaged: ${reason}.`, {
      ...at,
      hint: "Restore the commit that wrote the schema from a backup.",
      cause,
    });
  }
}

/**
 * Passes when a commit of this library keeps all that the table promises, whatever the commit does.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE
 */
export function assertWritable(protocol: Protocol, at: At): void {
  if (protocol.minWriterVersion > WRITER_VERSION)
    throw refuse("WRITE", [`writer version ${protocol.minWriterVersion}`], at);
  const unknown = (protocol.writerFeatures ?? []).filter((name) => featureNamed(name) === undefined);
  if (unknown.length > 0) throw refuse("WRITE", unknown, at);
}

/**
 * Passes when checkpoints and the clean-up of a log break nothing that the table promises: every feature is known. One
 * that is not may forbid either, as `checkpointProtection` does.
 *
 * @throws DeltaError as `assertKnownReaderFeatures` and `assertWritable`
 */
export function assertMaintainable(protocol: Protocol, at: At): void {
  assertKnownReaderFeatures(protocol, at);
  assertWritable(protocol, at);
}

/**
 * Passes when new rows keep what the table promises of each row.
 *
 * @param rulesEnforced they are checked by the table's constraints, invariants, generated and default columns
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE
 */
export function assertNewRows(table: TableUse, rulesEnforced: boolean, at: At): void {
  const refused = FEATURES.filter(
    ({ rules, neededBy }) => (rules === "refused" || (rules === "evaluated" && !rulesEnforced)) && neededBy?.(table),
  ).map(({ name }) => name);
  if (hasType(table.schema, "void")) refused.push("columns of type void");
  if (refused.length > 0) throw refuse("WRITE", refused, at);
}

/** Whether the protocol has a feature, listed or implied by its versions. */
export function supports(protocol: Protocol, feature: string): boolean {
  const known = featureNamed(feature);
  return known !== undefined && isSupported(known, protocol);
}

/**
 * The protocol with the named features and those that they require, and never less than it was. Features implied by
 * older versions are named when lists come in.
 * Source: the Delta protocol, "Table Features for New and Existing Tables".
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE for a feature that this library does not know
 */
export function withFeatures(current: Protocol, names: readonly string[], at: At): Protocol {
  const unknown = names.filter((name) => featureNamed(name) === undefined);
  if (unknown.length > 0) throw refuse("WRITE", unknown, at);
  const wanted = [...names, ...(current.writerFeatures ?? [])];
  const all = new Set(wanted.flatMap((name) => [name, ...(featureNamed(name)?.requires ?? [])]));
  const added = FEATURES.filter((feature) => all.has(feature.name) && !isSupported(feature, current));
  if (added.length === 0) return current;
  if (current.minWriterVersion < WRITER_VERSION && added.every((feature) => feature.impliedBy !== undefined)) {
    return {
      minReaderVersion: Math.max(current.minReaderVersion, ...added.map((feature) => feature.impliedBy?.reader ?? 1)),
      minWriterVersion: Math.max(current.minWriterVersion, ...added.map((feature) => feature.impliedBy?.writer ?? 1)),
    };
  }
  return withLists(current, added);
}

/** The protocol in which features are listed, some added to those that it has; readers' lists from version 3 on. */
export function withLists(current: Protocol, added: readonly Feature[], readerVersion = 1): Protocol {
  const names = new Set(current.writerFeatures);
  for (const feature of FEATURES) if (isSupported(feature, current) || added.includes(feature)) names.add(feature.name);
  const writerFeatures = [...names].sort();
  const version = Math.max(readerVersion, current.minReaderVersion, ...added.map(readerVersionOf));
  if (version < READER_VERSION) return { minReaderVersion: version, minWriterVersion: WRITER_VERSION, writerFeatures };
  const readerFeatures = writerFeatures.filter(
    (name) => featureNamed(name)?.forReaders || current.readerFeatures?.includes(name),
  );
  return { minReaderVersion: READER_VERSION, minWriterVersion: WRITER_VERSION, readerFeatures, writerFeatures };
}

/** Column mapping has a reader version of its own below the lists. */
function readerVersionOf({ forReaders, impliedBy }: Feature): number {
  return forReaders ? (impliedBy?.reader ?? READER_VERSION) : 1;
}

function isSupported({ name, impliedBy, forReaders }: Feature, protocol: Protocol): boolean {
  if (protocol.minWriterVersion === WRITER_VERSION) return protocol.writerFeatures?.includes(name) ?? false;
  if (impliedBy === undefined || impliedBy.writer > protocol.minWriterVersion) return false;
  return !forReaders || (impliedBy.reader ?? 1) <= protocol.minReaderVersion;
}

export function refuse(what: "READ" | "WRITE", features: readonly string[], at: At): DeltaError {
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
