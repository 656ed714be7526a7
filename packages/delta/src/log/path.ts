/**
 * Paths of files in the log are URIs (RFC 2396), relative to the table or absolute.
 * Source: the Delta protocol, "Add File and Remove File".
 */

/**
 * The file's path from its URI: percent escapes decoded, and `file:/a`, `file:///a` and `/a` are one path.
 * Throws URIError when an escape is malformed.
 */
export function decodePath(uri: string): string {
  if (!uri.includes("%") && !uri.startsWith("file:")) return uri;
  return decodeURIComponent(uri.replace(/^file:(?:\/\/(?=\/))?(?=\/)/, ""));
}

/**
 * The URI of a path, be it below the table or absolute (`/folder/file`, `s3://bucket/file`). A `:` would read as the end
 * of a scheme, `?` and `#` as the end of the path.
 */
export function encodePath(path: string): string {
  const scheme = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.exec(path)?.[0] ?? localScheme(path);
  const rest = path.startsWith(scheme) ? path.slice(scheme.length) : path;
  const uri = encodeURI(rest).replace(/[:?#]/g, encodeURIComponent);
  return scheme === "" ? uri : scheme + uri.replace(/(%[89A-F][0-9A-F])+/g, decodeURIComponent);
}

/** Spark compares absolute URIs with its own, letter by letter: these have one slash, and characters beyond ASCII as such. */
function localScheme(path: string): string {
  if (path.startsWith("//")) return "file://";
  return path.startsWith("/") ? "file:" : "";
}

/** Whether a decoded path stands by itself: `/a`, `s3://bucket/a`. */
export function isAbsolutePath(path: string): boolean {
  return /^\/|^[a-z][a-z0-9+.-]*:\/\//i.test(path);
}

/** Where a file that the log names lies, as a store names it. */
export function resolvePath(table: string, path: string): string {
  return isAbsolutePath(path) ? path : `${table.replace(/\/+$/, "")}/${path}`;
}
