import { type At, DeltaError } from "../error.js";
import { hasStatsOf } from "../files/stats-text.js";
import { supports } from "../protocol/protocol.js";
import { CLUSTERING_DOMAIN, parseClusteringDomain } from "../schema/clustering-columns.js";
import type { Base, Change } from "./change.js";
import { ROW_TRACKING_DOMAIN } from "./row-tracking.js";

/**
 * Passes when a change sets domains of the caller's own or clustering columns only, and keeps what clustering asks for:
 * no partitions, and statistics of its columns in each new file. Source: the Delta protocol, "Clustered Table".
 *
 * @throws DeltaError DELTA_DOMAIN_METADATA_NOT_SUPPORTED, DELTA_CLUSTER_BY_WITH_PARTITIONED_BY,
 * DELTA_CLUSTERING_COLUMN_MISSING_STATS
 */
export function assertDomains(base: Base, { domains, add = [] }: Change, at: At): void {
  const foreign = [...(domains?.keys() ?? [])].find(
    (domain) => domain.startsWith("delta.") && domain !== CLUSTERING_DOMAIN,
  );
  if (foreign !== undefined)
    throw new DeltaError(
      "DELTA_DOMAIN_METADATA_NOT_SUPPORTED",
      `The metadata domain ${foreign} of ${at.table} cannot be set: names that begin with delta. belong to table features.`,
      {
        ...at,
        hint: foreign === ROW_TRACKING_DOMAIN ? "A commit keeps it by itself." : "Choose a name of your own.",
      },
    );
  const clustering = domains?.has(CLUSTERING_DOMAIN)
    ? domains.get(CLUSTERING_DOMAIN)
    : base.domains.get(CLUSTERING_DOMAIN);
  const { partitionColumns } = base.metadata;
  if ((clustering !== undefined || supports(base.protocol, "clustering")) && partitionColumns.length > 0)
    throw new DeltaError(
      "DELTA_CLUSTER_BY_WITH_PARTITIONED_BY",
      `${at.table} cannot have both clustering and the partition columns ${partitionColumns.join(", ")}.`,
      { ...at, hint: "Decide for one of them; clustering does what partitions do." },
    );
  const columns = clustering === undefined ? [] : (parseClusteringDomain(clustering) ?? []);
  for (const { path, stats } of add) {
    const missing = columns.find((column) => !hasStatsOf(stats, column));
    if (missing !== undefined)
      throw new DeltaError(
        "DELTA_CLUSTERING_COLUMN_MISSING_STATS",
        `${path} has no statistics of ${missing.join(".")}, by which ${at.table} is clustered.`,
        { ...at, hint: "Write statistics of every clustering column: raise delta.dataSkippingNumIndexedCols." },
      );
  }
}
