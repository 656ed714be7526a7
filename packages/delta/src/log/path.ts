/**
 * Paths of files in the log are URIs (RFC 2396), relative to the table or absolute.
 * Source: the Delta protocol, "Add File and Remove File".
 */

/**
 * The file's path from its URI: percent escapes decoded, and `file:/a`, `file:///a` and `/a` are one path.
 * Throws URIError when an escape is malformed.
 */
export function decodePath(uri: string): string {
  return decodeURIComponent(uri.replace(/^file:(?:\/\/(?=\/))?(?=\/)/, ""));
}

/** The URI of a path below the table. A `:` would read as the end of a scheme, `?` and `#` as the end of the path. */
export function encodePath(path: string): string {
  return encodeURI(path).replace(/[:?#]/g, encodeURIComponent);
}
