import { type At, DeltaError } from "../error.js";
import { countRows } from "../files/row-count.js";
import type { AddFile, Metadata } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { assertNewRows } from "../protocol/protocol.js";
import { physicalPartitionColumns } from "../schema/column-mapping.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import type { Base, Change } from "./change.js";
import { assertDomains } from "./valid-domains.js";
import { faultyFiles } from "./valid-files.js";

/** The rows that these add were committed before: here, or in the table that is cloned. */
const ADOPTS_FILES: readonly string[] = ["CLONE", "RESTORE"];

/**
 * Passes when the commit leaves a table that every reader understands and that keeps its properties.
 *
 * @param base the definition after the change, the files before it
 * @param before the state before it; undefined for a new table
 * @throws DeltaError DELTA_CANNOT_MODIFY_APPEND_ONLY, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, DELTA_INVALID_COMMIT,
 * DELTA_DELETION_VECTOR_MISSING_NUM_RECORDS, DELTA_CLUSTER_BY_WITH_PARTITIONED_BY,
 * DELTA_CLUSTERING_COLUMN_MISSING_STATS, DELTA_DOMAIN_METADATA_NOT_SUPPORTED
 */
export function assertValid(base: Base, change: Change, remove: readonly AddFile[], before?: Snapshot): void {
  const { metadata, table, schema } = base;
  const { add = [], mask = [], dataChange = true, operation } = change;
  const at: At = { table, version: base.version ?? 0n };
  const adoptsFiles = ADOPTS_FILES.includes(operation);
  if (dataChange && remove.length + mask.length > 0) assertRemovable(metadata, at);
  if (add.length > 0 && !adoptsFiles)
    assertNewRows({ schema, configuration: metadata.configuration }, change.rulesEnforced === true || !dataChange, at);
  assertChangeFeed(base, change, remove, at);
  assertDomains(base, change, at);
  const fault =
    faultyChange(base, change, remove, before) ??
    faultyFiles(base, change, remove, adoptsFiles) ??
    faultyDefinition(base);
  if (fault === undefined) return;
  throw new DeltaError("DELTA_INVALID_COMMIT", `The commit to ${table} breaks the Delta protocol: ${fault}.`, {
    ...at,
    hint: "This is a fault of the program that stages the commit; nothing was written.",
  });
}

/** @throws DeltaError DELTA_CANNOT_MODIFY_APPEND_ONLY where rows of the table may not go */
export function assertRemovable({ configuration }: Pick<Metadata, "configuration">, at: At): void {
  if (!isOn(configuration, "delta.appendOnly")) return;
  throw new DeltaError("DELTA_CANNOT_MODIFY_APPEND_ONLY", `${at.table} takes appends only: delta.appendOnly is true.`, {
    ...at,
    hint: "Append, or set the table property delta.appendOnly to false first.",
  });
}

/** Rows that move from a removed file into a new one would show in the change feed as deleted and inserted. */
function assertChangeFeed(base: Base, change: Change, remove: readonly AddFile[], at: At): void {
  const { add = [], changeFiles, dataChange = true } = change;
  const mayMoveRows = dataChange && remove.length > 0 && add.length > 0 && change.remove !== "all";
  if (!mayMoveRows || changeFiles !== undefined || !isOn(base.metadata.configuration, "delta.enableChangeDataFeed"))
    return;
  throw new DeltaError(
    "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
    `Files of ${at.table} cannot be rewritten: its change data feed (changeDataFeed) would need change files.`,
    {
      ...at,
      hint: "Write change files, append or overwrite the table, or set delta.enableChangeDataFeed to false first.",
    },
  );
}

function faultyChange(
  base: Base,
  change: Change,
  remove: readonly AddFile[],
  before: Snapshot | undefined,
): string | undefined {
  const { add = [], mask = [], changeFiles = [], dataChange = true, isBlindAppend, reads } = change;
  if (isBlindAppend === true) {
    if (remove.length + mask.length > 0) return "a blind append removes nothing";
    if (reads !== undefined && (reads.files === "all" || reads.files.length > 0)) return "a blind append reads nothing";
  }
  if (!dataChange && changeFiles.length > 0) return "it has change files though no row changes";
  if (changeFiles.length > 0 && !isOn(base.metadata.configuration, "delta.enableChangeDataFeed"))
    return "it has change files for a table without a change data feed";
  const stays = base.files.length - remove.length;
  if (before !== undefined && stays > 0 && isPartitionedAnew(base, before))
    return "it changes the partition columns of files that stay";
  return dataChange ? undefined : faultyBalance(add, mask, remove);
}

function isPartitionedAnew(base: Base, before: Snapshot): boolean {
  return physicalPartitionColumns(base).join("\0") !== physicalPartitionColumns(before).join("\0");
}

/** Rows that are only moved are as many as before. Nothing is said where a file does not tell its rows. */
function faultyBalance(
  add: NonNullable<Change["add"]>,
  mask: NonNullable<Change["mask"]>,
  remove: readonly AddFile[],
): string | undefined {
  const after = [...add, ...mask.map(({ file, deletionVector }) => ({ stats: file.stats, deletionVector }))];
  const [taken, put] = [[...remove, ...mask.map(({ file }) => file)], after].map((files) => countRows({ files }));
  if (taken === undefined || put === undefined || taken === put) return undefined;
  return `it moves ${taken} rows and puts down ${put}`;
}

function faultyDefinition({ schema, metadata }: Base): string | undefined {
  const unknown = metadata.partitionColumns.find((column) => !schema.fields.some(({ name }) => name === column));
  return unknown === undefined ? undefined : `the partition column ${unknown} is not in the schema`;
}
