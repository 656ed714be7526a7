import { type Action, type AddFile, commitInfoOf, inCommitTimestamp, type RemoveFile } from "../log/actions.js";
import { formatJson } from "../log/json.js";
import { encodePath } from "../log/path.js";
import type { Base, MaskedFile, NewFile } from "./change.js";
import { type CommitNotes, commitInfo } from "./commit-info.js";
import { commitTime, enablement, statesTime } from "./commit-time.js";
import { maskedStats } from "./masked-stats.js";
import { giveRowIds, ROW_TRACKING_DOMAIN, rowIdHighWaterMark } from "./row-tracking.js";
import type { StagedCommit } from "./stage.js";

/** What the newest commit of a table leaves for the next one. */
export interface Tip {
  /** -1 before the first commit. */
  readonly version: bigint;
  /** Its in-commit timestamp, else its file's time; NaN when nobody knows. */
  readonly timestamp: number;
  /** The highest row id that was given; -1: none. */
  readonly rowIdMark: bigint;
}

export function tipOf({ version = -1n, domains }: Base, timestamp: number): Tip {
  return { version, timestamp, rowIdMark: rowIdHighWaterMark(domains.get(ROW_TRACKING_DOMAIN)) };
}

/** The tip behind another writer's commit. */
export function advance(tip: Tip, commit: readonly Action[], fileTime: number): Tip {
  let { rowIdMark } = tip;
  for (const action of commit)
    if ("domainMetadata" in action && action.domainMetadata.domain === ROW_TRACKING_DOMAIN)
      rowIdMark = rowIdHighWaterMark(action.domainMetadata.configuration);
  return {
    version: tip.version + 1n,
    timestamp: inCommitTimestamp(commitInfoOf(commit)) ?? fileTime,
    rowIdMark,
  };
}

/**
 * The actions of a staged commit as the version behind the tip.
 *
 * @param now milliseconds since the epoch
 * @throws DeltaError DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS
 */
export function commitActions(staged: StagedCommit, tip: Tip, now: number, notes: CommitNotes = {}): Action[] {
  const { change, base, remove, mask } = staged;
  const version = tip.version + 1n;
  const time = statesTime(base.metadata.configuration) ? commitTime(now, tip.timestamp) : undefined;
  const dataChange = change.dataChange ?? true;
  const adds = [
    ...staged.restate.map((file) => ({ ...file, dataChange: false })),
    ...mask.map((masked) => toMaskedAdd(masked, dataChange)),
    ...(change.add ?? []).map((file) => toAdd(file, now, dataChange)),
  ];
  const { files, mark } = staged.givesRowIds
    ? giveRowIds(adds, tip.rowIdMark, version, base.table)
    : { files: adds, mark: tip.rowIdMark };
  return [
    { commitInfo: commitInfo(staged, now, time, notes) },
    ...(staged.protocol === undefined ? [] : [{ protocol: staged.protocol }]),
    ...metadataActions(staged, version, time),
    ...(change.transactions ?? []).map((txn) => ({ txn: { ...txn, lastUpdated: now } })),
    ...domainActions(staged),
    ...(mark === tip.rowIdMark ? [] : [markAction(mark)]),
    ...[...remove, ...mask.map(({ file }) => file)].map((file) => ({ remove: toRemove(file, now, dataChange) })),
    ...files.map((file) => ({ add: file })),
    ...(change.changeFiles ?? []).map(({ path, partitionValues = {}, size, tags }) => ({
      cdc: { path, uri: encodePath(path), partitionValues, size, tags },
    })),
  ];
}

function metadataActions({ metadata, startsTimes }: StagedCommit, version: bigint, time: number | undefined): Action[] {
  if (metadata === undefined) return [];
  if (!startsTimes || time === undefined) return [{ metaData: metadata }];
  return [{ metaData: { ...metadata, configuration: { ...metadata.configuration, ...enablement(version, time) } } }];
}

/** A domain that goes keeps its configuration: "Writers should preserve an accurate pre-image" (Domain Metadata). */
function domainActions({ change, base }: StagedCommit): Action[] {
  return [...(change.domains ?? [])].flatMap(([domain, configuration]): Action[] => {
    const before = base.domains.get(domain);
    if (configuration !== undefined) return [{ domainMetadata: { domain, configuration, removed: false } }];
    return before === undefined ? [] : [{ domainMetadata: { domain, configuration: before, removed: true } }];
  });
}

function markAction(mark: bigint): Action {
  const configuration = formatJson({ rowIdHighWaterMark: mark });
  return { domainMetadata: { domain: ROW_TRACKING_DOMAIN, configuration, removed: false } };
}

function toAdd(file: NewFile, now: number, dataChange: boolean): AddFile {
  return {
    path: file.path,
    uri: encodePath(file.path),
    partitionValues: file.partitionValues ?? {},
    size: file.size,
    modificationTime: now,
    dataChange,
    stats: file.stats,
    tags: file.tags,
    deletionVector: file.deletionVector,
    baseRowId: file.baseRowId,
    defaultRowCommitVersion: file.defaultRowCommitVersion,
    clusteringProvider: file.clusteringProvider,
  };
}

function toMaskedAdd(masked: MaskedFile, dataChange: boolean): AddFile {
  return { ...masked.file, dataChange, deletionVector: masked.deletionVector, stats: maskedStats(masked) };
}

/** Repeats what the add said, so that the change can be read from the commit alone. */
function toRemove(
  { modificationTime: _time, stats: _stats, clusteringProvider: _provider, ...file }: AddFile,
  now: number,
  dataChange: boolean,
): RemoveFile {
  return { ...file, deletionTimestamp: now, dataChange, extendedFileMetadata: true };
}
