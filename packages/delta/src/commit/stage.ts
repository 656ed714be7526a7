import { randomUUID } from "node:crypto";
import type { At } from "../error.js";
import type { AddFile, Metadata, Protocol, TextMap } from "../log/actions.js";
import { assertWritable } from "../protocol/protocol.js";
import { requireProtocol, withoutProtocolProperties } from "../protocol/require-protocol.js";
import { CLUSTERING_DOMAIN } from "../schema/clustering-columns.js";
import { prepareDefinition } from "../schema/prepare-definition.js";
import { formatSchema, type StructType } from "../schema/schema.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Base, Change, MaskedFile, ReadSet, TableDefinition } from "./change.js";
import { keptEnablement, statesTime, withoutEnablement } from "./commit-time.js";
import type { Contender } from "./conflict.js";
import { type IsolationLevel, isolationOf } from "./isolation.js";
import { givesRowIds, materializedColumnNames, tracksRows } from "./row-tracking.js";
import { assertValid } from "./valid-change.js";

/** A change that was checked against the state it starts from. What its version decides comes in `commitActions`. */
export interface StagedCommit {
  readonly change: Change;
  /** The definition after the change, and the files before it. */
  readonly base: Base;
  /** Undefined where it stays. */
  readonly protocol: Protocol | undefined;
  readonly metadata: Metadata | undefined;
  readonly remove: readonly AddFile[];
  readonly mask: readonly MaskedFile[];
  /** Files that stay and are stated again, since row ids begin with this commit. */
  readonly restate: readonly AddFile[];
  readonly givesRowIds: boolean;
  /** Commits state their time from this one on, and older ones do not. */
  readonly startsTimes: boolean;
  readonly isolation: IsolationLevel;
  readonly contender: Contender;
  /** Tells this commit from any other. */
  readonly txnId: string;
}

/**
 * Version 0 of a table, with the least protocol that its schema and properties need.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_INVALID_COMMIT, and what `prepareDefinition` and
 * `requireProtocol` throw
 */
export function stageCreation(table: string, definition: TableDefinition, change: Change, now: number): StagedCommit {
  const { schema, partitionColumns = [], configuration = {} } = definition;
  const at = { table, version: 0n };
  const named = { table, schema, metadata: { partitionColumns, configuration: withoutEnablement(configuration) } };
  const prepared = prepareDefinition(named);
  const protocol = requireProtocol(prepared, undefined, at, neededFeatures(change));
  const metadata: Metadata = {
    id: randomUUID(),
    name: definition.name,
    description: definition.description,
    format: { provider: "parquet", options: {} },
    schemaString: formatSchema(prepared.schema),
    partitionColumns,
    configuration: storedProperties(prepared.configuration, undefined, protocol, at),
    createdTime: now,
  };
  const base = { table, version: undefined, protocol, metadata, schema: prepared.schema, files: [] };
  return stage({ ...base, transactions: new Map(), domains: new Map() }, change, { protocol, metadata });
}

/**
 * The next version of a table. The protocol is raised where a new schema or property needs it.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_CANNOT_MODIFY_APPEND_ONLY, DELTA_INVALID_COMMIT, and
 * what `prepareDefinition` and `requireProtocol` throw
 */
export function stageChange(snapshot: Snapshot, change: Change): StagedCommit {
  const { metadata: current } = snapshot;
  assertWritable(snapshot.protocol, snapshot);
  const { schema, metadata } = nextDefinition(snapshot, change);
  const { configuration } = metadata ?? current;
  const protocol = requireProtocol({ schema, configuration }, snapshot.protocol, snapshot, neededFeatures(change));
  const stored = metadata && {
    ...metadata,
    configuration: storedProperties(configuration, current.configuration, protocol, snapshot),
  };
  return stage({ ...snapshot, protocol, metadata: stored ?? current, schema }, change, {
    protocol: protocol === snapshot.protocol ? undefined : protocol,
    metadata: stored,
    before: snapshot,
  });
}

function nextDefinition(
  snapshot: Snapshot,
  { metadata: changed, remove, operation }: Change,
): { schema: StructType; metadata: Metadata | undefined } {
  if (changed === undefined) return { schema: snapshot.schema, metadata: undefined };
  const { schema: wanted = snapshot.schema, ...rest } = changed;
  const merged = { ...snapshot.metadata, ...rest };
  const { schema, configuration } = prepareDefinition(
    { ...snapshot, schema: wanted, metadata: merged },
    snapshot,
    // Files that a RESTORE leaves are files of the version whose definition comes back.
    remove === "all" || operation === "RESTORE",
  );
  return { schema, metadata: { ...merged, configuration, schemaString: formatSchema(schema) } };
}

/** Features that a change needs by what it does. */
function neededFeatures({ features = [], domains }: Change): string[] {
  const forDomains = [...(domains ?? [])].flatMap(([domain, value]) =>
    domain === CLUSTERING_DOMAIN && value !== undefined ? ["domainMetadata", "clustering"] : ["domainMetadata"],
  );
  return [...features, ...forDomains];
}

/** Properties as they are stored: those that the library keeps by itself are there, whatever the caller states. */
function storedProperties(wanted: TextMap, before: TextMap | undefined, protocol: Protocol, at: At): TextMap {
  const properties = withoutProtocolProperties(wanted);
  const hadTimes = before !== undefined && statesTime(before);
  return {
    ...(statesTime(properties) && hadTimes ? properties : withoutEnablement(properties)),
    ...(statesTime(properties) && hadTimes ? keptEnablement(before) : {}),
    // Names that a caller states for a new table are those of a plan that it made.
    ...(givesRowIds(protocol, properties, at) ? materializedColumnNames({ ...properties, ...before }) : {}),
  };
}

function stage(
  base: Base,
  change: Change,
  head: { protocol: Protocol | undefined; metadata: Metadata | undefined; before?: Snapshot },
): StagedCommit {
  const { metadata, protocol } = base;
  const { mask = [] } = change;
  const remove = change.remove === "all" ? base.files : (change.remove ?? []);
  assertValid(base, change, remove, head.before);
  const touched = new Set([...remove, ...mask.map(({ file }) => file)].map(({ path }) => path));
  const { configuration } = metadata;
  const restate = filesWithoutIds(base, touched);
  const isolation = isolationOf(change, base);
  // Files that others add meanwhile have no row ids, and what they remove must not come back.
  const startsTracking =
    tracksRows(configuration) && (restate.length > 0 || (head.before !== undefined && !gaveRowIds(head.before)));
  return {
    change,
    base,
    protocol: head.protocol,
    metadata: head.metadata,
    remove,
    mask,
    restate,
    givesRowIds: givesRowIds(protocol, configuration, base),
    startsTimes:
      head.before !== undefined && statesTime(configuration) && !statesTime(head.before.metadata.configuration),
    isolation,
    contender: {
      isolation: startsTracking ? "Serializable" : isolation,
      isBlindAppend: change.isBlindAppend === true && !startsTracking,
      reads: startsTracking ? { files: "all" } : readsOf(change, base.files, touched),
      touched,
      changesMetadata: head.metadata !== undefined,
      appIds: new Set(change.transactions?.map(({ appId }) => appId)),
      domains: new Set(change.domains?.keys()),
    },
    txnId: randomUUID(),
  };
}

/**
 * "The `baseRowId` and `defaultRowCommitVersion` fields are set for all active `add` actions in the version of the table
 * in which `delta.enableRowTracking` is set to `true`. […] This can be done in the commit that sets it" (Row Tracking).
 */
function filesWithoutIds({ files, metadata }: Base, touched: ReadonlySet<string>): AddFile[] {
  if (!tracksRows(metadata.configuration)) return [];
  return files.filter(({ path, baseRowId }) => baseRowId === undefined && !touched.has(path));
}

function gaveRowIds(snapshot: Snapshot): boolean {
  return givesRowIds(snapshot.protocol, snapshot.metadata.configuration, snapshot);
}

function readsOf(change: Change, files: readonly AddFile[], touched: ReadonlySet<string>): ReadSet {
  if (change.reads !== undefined) return change.reads;
  if (change.isBlindAppend === true) return { files: [] };
  return { files: change.dataChange === false ? files.filter(({ path }) => touched.has(path)) : "all" };
}
