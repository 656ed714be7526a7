import type { Field } from "../model/data-type.js";
import { quoteIdentifier } from "../model/name.js";
import { rowDigest } from "../sql/row-digest.js";

/** Names that no column of a table has. */
const [DIGEST, PLACE] = ["__ingot_digest", "__ingot_place"];

/** Query for `rows` and `hash` of a table: one number for all of its rows, in whatever order. */
export function tableHash(path: string, columns: readonly Field[]): string {
  return `SELECT count(*) AS rows, ${sumOf(DIGEST)} AS hash FROM (SELECT ${rowDigest(columns)} AS ${DIGEST} FROM ${table(path)})`;
}

/** The same of each column alone, by its name. */
export function columnHashes(path: string, columns: readonly Field[]): string {
  const quoted = columns.map((column) => [quoteIdentifier(column.name), rowDigest([column])] as const);
  const sums = quoted.map(([name]) => `${sumOf(name)} AS ${name}`);
  const digests = quoted.map(([name, digest]) => `${digest} AS ${name}`);
  return `SELECT ${sums.join(", ")} FROM (SELECT ${digests.join(", ")} FROM ${table(path)})`;
}

/**
 * Query for rows that `path` has more often than `other`: their columns. Rows that are the same but for some columns
 * stand at the same place on both sides.
 *
 * @param same columns whose values do not differ
 */
export function surplusRows(
  path: string,
  other: string,
  columns: readonly Field[],
  same: readonly Field[],
  limit: number,
): string {
  const digest = rowDigest(columns);
  const counted = (from: string) =>
    `SELECT ${DIGEST}, count(*) AS n FROM (SELECT ${digest} AS ${DIGEST} FROM ${table(from)}) GROUP BY ${DIGEST}`;
  const names = columns.map(({ name }) => `any_value(${quoteIdentifier(name)}) AS ${quoteIdentifier(name)}`);
  return `WITH surplus AS (
  SELECT l.${DIGEST} FROM (${counted(path)}) l LEFT JOIN (${counted(other)}) r ON l.${DIGEST} = r.${DIGEST}
  WHERE l.n > coalesce(r.n, 0))
SELECT ${names.join(", ")}
FROM (SELECT *, ${digest} AS ${DIGEST}, ${rowDigest(same)} AS ${PLACE} FROM ${table(path)})
WHERE ${DIGEST} IN (SELECT ${DIGEST} FROM surplus)
GROUP BY ${PLACE}, ${DIGEST} ORDER BY ${PLACE}, ${DIGEST} LIMIT ${limit}`;
}

/** 60 bits of each digest, added up: rows that are there twice count twice. NULL of no row is 0. */
function sumOf(digest: string): string {
  return `coalesce(sum(CAST(conv(substr(${digest}, 1, 15), 16, 10) AS DECIMAL(20,0))), 0)`;
}

function table(path: string): string {
  return `delta.${quoteIdentifier(path)}`;
}
