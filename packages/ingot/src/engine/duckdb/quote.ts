/** An identifier for DuckDB, whatever is in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text literal for DuckDB. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A file's path as a literal for DuckDB's readers, which take paths for globs: each special character stands for itself. */
export function quotePath(path: string): string {
  return quoteText(path.replace(/[[*?]/g, (c) => `[${c}]`));
}
