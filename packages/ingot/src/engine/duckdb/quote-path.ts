import { quoteText } from "../../sql/lower/lower-text.js";

/** A file's path as a literal for DuckDB's readers, which take paths for globs: each special character stands for itself. */
export function quotePath(path: string): string {
  return quoteText(path.replace(/[[*?]/g, (c) => `[${c}]`));
}
