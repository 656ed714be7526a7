/** A path as Java's `URI` writes it, and so Spark: what a URI cannot hold becomes `%XX`, letters beyond ASCII stay. */
export function fileUri(path: string): string {
  const unsafe = /[^A-Za-z0-9_\-!.~'()*/@&=+$,:;\u0080-\u{10ffff}]|[\p{Z}\u0080-\u009f]/gu;
  return `file:${path.replace(unsafe, encodeURIComponent)}`;
}
