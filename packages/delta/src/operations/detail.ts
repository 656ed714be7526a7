import type { TextMap } from "../log/actions.js";
import { FEATURES } from "../protocol/features.js";
import { supports } from "../protocol/protocol.js";
import { clusteringColumns } from "../schema/clustering-columns.js";
import { formatPath } from "../schema/field-path.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { totalSize } from "./optimize-plan.js";

/** One line of `DESCRIBE DETAIL`, with Spark's columns. Times are milliseconds since the epoch, sizes bytes. */
export interface TableDetail {
  readonly format: "delta";
  readonly id: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly location: string;
  readonly createdAt: number | undefined;
  /** When the newest version was committed. */
  readonly lastModified: number;
  readonly partitionColumns: readonly string[];
  /** As Spark prints them: `a`, `b.c`. */
  readonly clusteringColumns: readonly string[];
  readonly numFiles: number;
  readonly sizeInBytes: number;
  readonly properties: TextMap;
  readonly minReaderVersion: number;
  readonly minWriterVersion: number;
  /** Those that the protocol names and those that its versions imply, by name. */
  readonly tableFeatures: readonly string[];
}

/** `DESCRIBE DETAIL` of a snapshot. */
export function describeDetail(snapshot: Snapshot): TableDetail {
  const { table, timestamp, protocol, metadata, files } = snapshot;
  const named = [...(protocol.readerFeatures ?? []), ...(protocol.writerFeatures ?? [])];
  const implied = FEATURES.map(({ name }) => name).filter((name) => supports(protocol, name));
  return {
    format: "delta",
    id: metadata.id,
    name: metadata.name,
    description: metadata.description,
    location: table,
    createdAt: metadata.createdTime,
    lastModified: timestamp,
    partitionColumns: metadata.partitionColumns,
    clusteringColumns: (clusteringColumns(snapshot) ?? []).map(formatPath),
    numFiles: files.length,
    sizeInBytes: totalSize(files),
    properties: metadata.configuration,
    minReaderVersion: protocol.minReaderVersion,
    minWriterVersion: protocol.minWriterVersion,
    tableFeatures: [...new Set([...named, ...implied])].sort(),
  };
}
