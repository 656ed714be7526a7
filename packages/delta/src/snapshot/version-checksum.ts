import { DeltaError, reasonOf } from "../error.js";
import type { Action, AddFile, Metadata, Protocol } from "../log/actions.js";
import { inCommitTimestamp } from "../log/actions.js";
import { parseActions } from "../log/commit-file.js";
import { formatJson, isObject, type Json, type JsonObject, parseJson } from "../log/json.js";
import { checksumPath } from "../log/log-files.js";
import { applyActions, emptyState, type LogState } from "./log-state.js";

/** The state of a version as its checksum file tells it. */
export interface ChecksumState extends Pick<LogState, "commitInfo" | "domains"> {
  readonly protocol: Protocol;
  readonly metadata: Metadata;
  readonly sums: FileSums;
}

/** Sums over the files of a version. */
export interface FileSums {
  readonly files: number;
  readonly bytes: number;
  readonly vectors: number;
  readonly deletedRecords: bigint;
}

export function sumFiles(files: Iterable<AddFile>): FileSums {
  const sums = { files: 0, bytes: 0, vectors: 0, deletedRecords: 0n };
  for (const { size, deletionVector } of files) {
    sums.files += 1;
    sums.bytes += size;
    if (deletionVector === undefined) continue;
    sums.vectors += 1;
    sums.deletedRecords += deletionVector.cardinality;
  }
  return sums;
}

/**
 * What commits make of a state, without a look at files that they do not touch: only the sums of those are needed.
 *
 * @param before undefined where the commits begin with version 0
 */
export function advance(
  before:
    | {
        readonly protocol: Protocol;
        readonly metadata: Metadata;
        readonly files: readonly AddFile[];
        readonly domains: ReadonlyMap<string, string>;
      }
    | undefined,
  commits: readonly (readonly Action[])[],
): ChecksumState | undefined {
  const touched = new Set<string>();
  for (const action of commits.flat()) {
    if ("add" in action) touched.add(action.add.path);
    else if ("remove" in action) touched.add(action.remove.path);
  }
  const state: LogState = { ...emptyState(), protocol: before?.protocol, metadata: before?.metadata };
  for (const [domain, configuration] of before?.domains ?? []) state.domains.set(domain, configuration);
  const [near, far] = [[] as AddFile[], [] as AddFile[]];
  for (const file of before?.files ?? []) (touched.has(file.path) ? near : far).push(file);
  applyActions(
    state,
    near.map((add) => ({ add })),
  );
  for (const actions of commits) applyActions(state, actions);
  const { protocol, metadata } = state;
  if (protocol === undefined || metadata === undefined) return undefined;
  const [a, b] = [sumFiles(far), sumFiles(state.files.values())];
  const sums = {
    files: a.files + b.files,
    bytes: a.bytes + b.bytes,
    vectors: a.vectors + b.vectors,
    deletedRecords: a.deletedRecords + b.deletedRecords,
  };
  return { ...state, protocol, metadata, sums };
}

/**
 * The content of a version's checksum file. The progress of applications is left out, as it may be: a snapshot does not
 * tell when each was updated. Source: the Delta protocol, "Version Checksum File Schema".
 */
export function formatChecksum({ protocol, metadata, domains, sums, commitInfo }: ChecksumState): string {
  const txnId = commitInfo?.["txnId"];
  const checksum: JsonObject = {
    ...(typeof txnId === "string" ? { txnId } : {}),
    tableSizeBytes: sums.bytes,
    numFiles: sums.files,
    numDeletedRecordsOpt: sums.deletedRecords,
    numDeletionVectorsOpt: sums.vectors,
    numMetadata: 1,
    numProtocol: 1,
    inCommitTimestampOpt: inCommitTimestamp(commitInfo),
    domainMetadata: [...domains].map(([domain, configuration]) => ({ domain, configuration, removed: false })),
    metadata: { ...metadata },
    protocol: { ...protocol },
  };
  return formatJson(checksum);
}

/**
 * Passes when a version's checksum file tells of the state that the log adds up to. Gives a warning, one sentence, when
 * the file itself is damaged: then it proves nothing. Source: the Delta protocol, "State Validation".
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE
 */
export function verifyChecksum(
  text: string,
  state: ChecksumState,
  at: { readonly table: string; readonly version: bigint },
): string | undefined {
  const path = checksumPath(at.table, at.version);
  let told: Told;
  try {
    told = parseChecksum(text);
  } catch (cause) {
    return `The checksum ${path} cannot be read: ${reasonOf(cause)}.`;
  }
  const fault = differenceOf(told, state);
  if (fault === undefined) return undefined;
  throw new DeltaError(
    "DELTA_TABLE_UNREADABLE",
    `The log of ${at.table} does not add up to what the checksum of version ${at.version} tells: ${fault}.`,
    {
      ...at,
      path,
      hint: "A file of the log was changed or lost after it was written: restore it from a backup. Where the log is known to be right, remove the checksum file.",
    },
  );
}

interface Told {
  readonly files: number;
  readonly bytes: number;
  readonly metadata: Metadata | undefined;
  readonly protocol: Protocol | undefined;
}

function parseChecksum(text: string): Told {
  const checksum = parseJson(text);
  if (!isObject(checksum)) throw new Error("it is no JSON object");
  const count = (key: string): number => {
    const value = checksum[key];
    if (typeof value === "number" && Number.isInteger(value)) return value;
    throw new Error(`${key} is no integer`);
  };
  const actions = parseActions({ metaData: known(checksum["metadata"]), protocol: known(checksum["protocol"]) });
  return {
    files: count("numFiles"),
    bytes: count("tableSizeBytes"),
    metadata: actions.flatMap((action) => ("metaData" in action ? [action.metaData] : []))[0],
    protocol: actions.flatMap((action) => ("protocol" in action ? [action.protocol] : []))[0],
  };
}

function known(value: Json | undefined): Json {
  return value ?? null;
}

function differenceOf({ files, bytes, metadata, protocol }: Told, state: ChecksumState): string | undefined {
  const { sums } = state;
  if (files !== sums.files) return `it has ${sums.files} files, not ${files}`;
  if (bytes !== sums.bytes) return `its files have ${sums.bytes} bytes, not ${bytes}`;
  if (protocol !== undefined && protocolKey(protocol) !== protocolKey(state.protocol)) return "it has another protocol";
  if (metadata !== undefined && metadataKey(metadata) !== metadataKey(state.metadata)) return "it has other metadata";
  return undefined;
}

function protocolKey({ minReaderVersion, minWriterVersion, readerFeatures, writerFeatures }: Protocol): string {
  const names = (features: readonly string[] | undefined): readonly string[] => [...(features ?? [])].sort();
  return JSON.stringify([minReaderVersion, minWriterVersion, names(readerFeatures), names(writerFeatures)]);
}

function metadataKey({ id, schemaString, partitionColumns, configuration }: Metadata): string {
  const properties = Object.entries(configuration).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([id, parsed(schemaString), partitionColumns, properties]);
}

/** Blanks are no difference; text that is damaged is one, unless both have it. */
function parsed(schemaString: string): unknown {
  try {
    return JSON.parse(schemaString);
  } catch {
    return schemaString;
  }
}
