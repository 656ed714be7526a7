import { hostFunction, SparkCondition } from "./host-function.js";

/** A URI by RFC 2396, as `java.net.URI` takes it apart. */
const URI = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
/** Signs that a URI does not have: they are escaped. */
const ILLEGAL = /[\s"<>\\^`{|}\p{Cc}]|%(?![0-9A-Fa-f]{2})/u;

export const PARSE_URL = hostFunction("parse_url", ["string", "string", "boolean"], "string", (url, part, lenient) => {
  const match = URI.exec(url);
  if (match === null || ILLEGAL.test(url)) {
    if (lenient) return undefined;
    throw new SparkCondition("INVALID_URL", `The url is invalid: ${url}. Use try_parse_url to get NULL instead.`);
  }
  const [, scheme, authority, path = "", query, fragment] = match;
  const isOpaque = scheme !== undefined && authority === undefined && !path.startsWith("/");
  const [, user, host] = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:]*)(?::[0-9]*)?$/.exec(authority ?? "") ?? [];
  switch (part) {
    case "PROTOCOL":
      return scheme;
    case "HOST":
      return host === "" ? undefined : host;
    case "AUTHORITY":
      return authority === "" ? undefined : authority;
    case "USERINFO":
      return user;
    case "PATH":
      return isOpaque ? undefined : path;
    case "QUERY":
      return query;
    case "REF":
      return fragment;
    case "FILE":
      return isOpaque ? undefined : query === undefined ? path : `${path}?${query}`;
    default:
      return undefined;
  }
});

/** The value of a key in the query; the key is a part of a regular expression in Spark, here a plain name. */
export const URL_PARAMETER = hostFunction("url_parameter", ["string", "string"], "string", (query, key) => {
  const pair = query.split("&").find((p) => p.startsWith(`${key}=`));
  return pair?.slice(key.length + 1);
});

export const URLS = [PARSE_URL, URL_PARAMETER];
