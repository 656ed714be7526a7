import { IngotError } from "../../model/error.js";

/** A place in the changes of a set, from which the service goes on. */
export interface DeltaToken {
  /** Opaque text. */
  readonly token: string;
  /** Path and query that the service gave with it, which are followed as they are. */
  readonly link?: string;
}

/**
 * Where a link of an answer leads.
 *
 * @param base the address that was asked
 * @throws IngotError EXTRACT_LINK_REFUSED where that is another host: the credentials must not follow
 */
export function resolveLink(link: string, base: URL): URL {
  if (!URL.canParse(link, base.href))
    throw new IngotError("EXTRACT_LINK_REFUSED", "A link of the service is no address", {
      hint: "Look at the answer of the service with another client: it is no OData.",
    });
  const url = new URL(link, base);
  if (url.origin === base.origin && url.username === "" && url.password === "") return url;
  throw new IngotError("EXTRACT_LINK_REFUSED", `A link of the service leads from ${base.origin} to ${url.origin}`, {
    object: url.origin,
    hint: "Credentials do not follow it. Let the proxy before the service pass on its own host name, or name the other host in `service`.",
  });
}

/** V2 has `!deltatoken`, V4 `$deltatoken`. */
const DELTA = /[?&](?:!|%21|\$|%24)deltatoken=([^&]+)/i;
const PAGE = /[?&](?:\$|%24)skiptoken=/i;

/** The token in a link, without the quotes that may stand around it; the link itself need not be one of changes. */
export function tokenOf(url: URL): DeltaToken | undefined {
  const [, written] = DELTA.exec(url.search) ?? [];
  if (written === undefined) return undefined;
  const token = decodeText(written).replace(/^'(.*)'$/, "$1");
  return { token, link: `${url.pathname}${url.search}` };
}

/** A text that may be percent-encoded; as it is where it is no such text. */
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether a link that stands where a further page is announced is a token all the same. One that has both forms is a
 * page: to take a token for a page costs a request, to take a page for a token its rows.
 */
export function isDeltaLink(url: URL): boolean {
  return DELTA.test(url.search) && !PAGE.test(url.search);
}
