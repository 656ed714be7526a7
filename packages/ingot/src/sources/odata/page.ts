import { parseExactJson } from "./exact-json.js";
import { invalidPage, isWebPage } from "./fault.js";
import { type DeltaToken, isDeltaLink, resolveLink, tokenOf } from "./link.js";
import { isObject, type Row, toRow } from "./values.js";

/** One answer of a service: rows, and where it goes on. */
export interface Page {
  readonly rows: readonly Row[];
  /** The next page of the same read. */
  readonly next?: URL;
  /** Where the changes behind this read begin. */
  readonly delta?: DeltaToken;
}

/**
 * An answer in JSON of V2 (`d`) or V4 (`value`). A page may have no rows, or no list of them at all where a link stands.
 *
 * @param url that was asked
 * @param key columns of the key
 * @throws IngotError EXTRACT_PAGE_INVALID, EXTRACT_LINK_REFUSED
 */
export function readPage(text: string, url: URL, key: readonly string[]): Page {
  const { items, next, delta } = contentsOf(parse(text));
  const nextUrl = next === undefined ? undefined : resolveLink(next, url);
  const deltaUrl = delta === undefined ? undefined : resolveLink(delta, url);
  const token = deltaUrl === undefined ? undefined : tokenOf(deltaUrl);
  if (deltaUrl !== undefined && token === undefined)
    throw invalidPage("has a link to its changes without a token", "Look at the last page with another client.");
  const rows = items.map((item) => toRow(item, key));
  if (nextUrl !== undefined && isDeltaLink(nextUrl)) return { rows, delta: token ?? (tokenOf(nextUrl) as DeltaToken) };
  return {
    rows,
    ...(nextUrl === undefined ? {} : { next: nextUrl }),
    ...(token === undefined ? {} : { delta: token }),
  };
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (cause) {
    if (isWebPage(text))
      throw invalidPage(
        "is a web page and no data",
        "It may be a page to log on: let the service take the login that the spec names.",
      );
    const isDeep = cause instanceof RangeError;
    throw invalidPage(
      isDeep ? "is nested too deep" : "is no JSON, or was cut off",
      "Nothing was landed: run it again. Where it stays, ask for smaller pages with `pageSize`.",
      cause,
    );
  }
}

interface Contents {
  readonly items: readonly unknown[];
  readonly next: string | undefined;
  readonly delta: string | undefined;
}

function contentsOf(answer: unknown): Contents {
  const link = (value: unknown): string | undefined => {
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value === "string") return value;
    throw invalidPage("has a link that is no text", "Look at it with another client: it is no OData.");
  };
  if (isObject(answer) && "d" in answer) {
    const { d } = answer;
    if (Array.isArray(d)) return { items: d, next: undefined, delta: undefined };
    if (isObject(d)) {
      const [next, delta] = [link(d["__next"]), link(d["__delta"])];
      return { items: list(d["results"], next ?? delta), next, delta };
    }
  }
  if (isObject(answer) && ("value" in answer || "@odata.nextLink" in answer || "@nextLink" in answer)) {
    const next = link(answer["@odata.nextLink"] ?? answer["@nextLink"]);
    const delta = link(answer["@odata.deltaLink"] ?? answer["@deltaLink"]);
    return { items: list(answer["value"], next ?? delta), next, delta };
  }
  throw invalidPage(
    "is JSON, and neither OData V2 nor V4",
    "Check `service` and `entitySet`: the set of an OData service answers with `d` or `value`.",
  );
}

function list(value: unknown, link: string | undefined): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined && link !== undefined) return [];
  throw invalidPage("has no list of rows", "Check `entitySet`: it must name a set, and no single row.");
}
