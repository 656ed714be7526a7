import type { ODataClient } from "./client.js";
import { invalidPage } from "./fault.js";
import { readPage } from "./page.js";
import type { Row } from "./values.js";

/** A set that is read by conditions on its key. */
export interface KeyRead {
  readonly entitySet: string;
  readonly key: readonly string[];
  readonly pageSize: number;
  readonly select?: readonly string[];
  readonly filter?: string;
}

/**
 * All rows of a set without pages of its own, in the order of their key: each page is what lies behind the last row. A
 * position (`$skip`) would lose a row where one before it is deleted meanwhile.
 *
 * @throws ServiceFault; IngotError EXTRACT_PAGE_INVALID where the service does not go on behind the last row
 */
export async function* readByKey(client: ODataClient, read: KeyRead): AsyncGenerator<readonly Row[]> {
  const { entitySet, key, pageSize, select, filter } = read;
  for (let last: Row | undefined; ; ) {
    const behind = last === undefined ? undefined : behindKey(last, key);
    const conditions = [filter, behind].filter((text) => text !== undefined);
    const url = client.url(entitySet, {
      $format: "json",
      $orderby: key.join(","),
      $top: String(pageSize),
      $select: select?.join(","),
      $filter: conditions.length === 2 ? `(${conditions[0]}) and (${conditions[1]})` : conditions[0],
    });
    // A service may serve less than was asked for: only a page without a row is the end.
    const { rows } = readPage((await client.get(url)).text, url, key);
    const end = rows.at(-1);
    if (end === undefined) return;
    if (last !== undefined && key.every((name) => end[name] === last?.[name]))
      throw invalidPage("has the last row again", "The service hears no `$filter`: leave `paging: key` out.");
    yield rows;
    last = end;
  }
}

/** The condition of what lies behind a row: `A gt 'x' or (A eq 'x' and B gt 'y')`. */
function behindKey(row: Row, key: readonly string[]): string {
  const literals = key.map((name) => `'${(row[name] ?? "").replaceAll("'", "''")}'`);
  return key
    .map((name, i) => {
      const same = key.slice(0, i).map((before, j) => `${before} eq ${literals[j]}`);
      const all = [...same, `${name} gt ${literals[i]}`].join(" and ");
      return key.length === 1 ? all : `(${all})`;
    })
    .join(" or ");
}
