import { createAutoCdcFromSnapshotFlow, createStreamingTable, type Sql, sql, temporaryView } from "ingot";

/** Silver's columns that say where a row came from. */
export const AUDIT = ["_load_ts", "_source_seq", "_source_file"] as const;

/** Key of a date's unknown member: a DATE has no blank. */
export const UNKNOWN_DAY: Sql = sql`DATE'1900-01-01'`;

export const columns = (names: readonly string[], alias?: string): Sql =>
  sql.join(names.map((name) => (alias === undefined ? sql.id(name) : sql.id(alias, name))));

/**
 * Declares a table of the star, SCD type 1: rows that silver has no longer go, rows that changed are written, the others stay
 * as they are. When a row was loaded is no change, so the query leaves silver's audit columns behind. An extract that was cut
 * off is not taken for deletes: of a table that would lose more than half of its rows nothing is done.
 *
 * @param keys beside the client
 */
export function star(name: string, keys: readonly string[], query: Sql): void {
  createAutoCdcFromSnapshotFlow({
    target: createStreamingTable(`gold.${name}`, { clusterBy: ["client", ...keys].slice(0, 4) }),
    source: temporaryView(`${name}_snapshot`, query),
    keys: ["client", ...keys],
    minRowShare: 0.5,
  });
}
