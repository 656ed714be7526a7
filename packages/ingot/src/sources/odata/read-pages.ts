import type { ODataClient } from "./client.js";
import { invalidPage } from "./fault.js";
import { type Page, readPage } from "./page.js";

/** A service may answer without a row while it prepares more, but not for ever. */
const MOST_EMPTY_PAGES = 100;

/** How pages are asked for. */
export interface PageRequest {
  /** The first address; the rest are links of the service. */
  readonly url: URL;
  /** What the service may do for the reader, the header `prefer`. */
  readonly prefer: readonly string[];
  /** Columns of the key. */
  readonly key: readonly string[];
}

export interface ServedPage extends Page {
  /** What the service says that it did of what was preferred, in lower case. */
  readonly applied: string;
}

/**
 * All pages of a read, by the links of the service, each as it comes. A page that fails is the end of the whole read.
 *
 * @throws ServiceFault where a page cannot be had; IngotError EXTRACT_PAGE_INVALID, also for links that go in a circle
 */
export async function* readPages(client: ODataClient, { url, prefer, key }: PageRequest): AsyncGenerator<ServedPage> {
  const seen = new Set<string>();
  let empty = 0;
  for (let at: URL | undefined = url; at !== undefined; ) {
    if (seen.has(at.href))
      throw invalidPage(
        "links to a page that was read before",
        "Its pages would never end: ask for another `pageSize`.",
      );
    seen.add(at.href);
    const { text, headers } = await client.get(at, prefer.length === 0 ? {} : { prefer: prefer.join(", ") });
    const page = readPage(text, at, key);
    empty = page.rows.length === 0 ? empty + 1 : 0;
    if (empty > MOST_EMPTY_PAGES)
      throw invalidPage(`is the ${empty}th page without a row`, "Its pages would never end: look into the service.");
    yield { ...page, applied: (headers.get("preference-applied") ?? "").toLowerCase() };
    at = page.next;
  }
}
