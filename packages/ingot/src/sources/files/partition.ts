/** Hive's folder name for rows whose key is NULL. */
const NULL_NAME = "__HIVE_DEFAULT_PARTITION__";

/**
 * The values of the `key=value` folders between a start and a file below it, outermost first: `region=EU/year=2026`.
 * Escapes (`%3A`) are resolved. Of a key that comes twice the innermost counts. Undefined where no folder has the form.
 *
 * @param keys only these, compared without case; undefined: all
 */
export function partitionOf(
  path: string,
  start: string,
  keys: readonly string[] | undefined,
): Readonly<Record<string, string | null>> | undefined {
  if (!path.includes("=")) return undefined;
  const folders = path.slice(start.length).split("/").slice(0, -1);
  const values: Record<string, string | null> = {};
  let found = false;
  for (const folder of folders) {
    const [, key, value] = /^([^=]+)=(.+)$/su.exec(folder) ?? [];
    if (key === undefined || value === undefined) continue;
    const name = decodeName(key);
    if (keys !== undefined && !keys.some((k) => k.toLowerCase() === name.toLowerCase())) continue;
    values[name] = value === NULL_NAME ? null : decodeName(value);
    found = true;
  }
  return found ? values : undefined;
}

/** `%3A` as Hive and Spark write it: one escape a UTF-16 unit below 128. */
function decodeName(text: string): string {
  return text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
