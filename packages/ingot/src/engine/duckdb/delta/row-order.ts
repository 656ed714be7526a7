import { clusteringColumns, type Snapshot } from "@ingot/delta";
import { quoteName } from "../../../sql/lower/lower-text.js";

/** Keys of a merge, those by which the table is clustered first and in that order. */
export function keysInOrder(keys: readonly string[], snapshot: Snapshot): string[] {
  const clustered = (clusteringColumns(snapshot) ?? []).map((path) => path.join(".").toLowerCase());
  const rank = (key: string): number =>
    (clustered.indexOf(key.toLowerCase()) + clustered.length + 1) % (clustered.length + 1);
  return keys.toSorted((a, b) => rank(a) - rank(b));
}

/** How new rows are sorted, so that their file can be passed over by readers: by the clustering columns, then by keys. */
export function rowOrder(keys: readonly string[], snapshot: Snapshot): string[] {
  const clustered = clusteringColumns(snapshot) ?? [];
  const own = clustered.flatMap((path) => (path.length === 1 ? (path[0] ?? []) : [])).map((name) => name.toLowerCase());
  const rest = keysInOrder(keys, snapshot).filter((key) => !own.includes(key.toLowerCase()));
  return [...clustered, ...rest.map((key) => [key])].map((path) => ["q", ...path.map(quoteName)].join("."));
}
