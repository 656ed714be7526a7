import { createHash } from "node:crypto";

/**
 * Names of columns for the names that stand in a file: of the same header always the same ones, all different when case
 * is left aside. Without `clean` by Spark's rule for CSV headers (`CSVUtils.makeSafeHeader`): an empty name is `_c<i>`,
 * and names that differ by nothing or by case get their index behind them, all of them.
 *
 * @param header the names as they stand in the file, in its order
 * @param options `clean`: lower case, other characters than a-z and 0-9 to `_`, runs of it to one, none at the edges. What
 *   becomes the same name then gets a mark of its original behind it, so that columns that move keep their names.
 */
export function columnNames(header: readonly string[], options: { readonly clean: boolean }): readonly string[] {
  const wanted = header.map((name) => (options.clean ? cleanName(name) : name));
  const doubled = doubles(wanted);
  const names: string[] = [];
  const taken = new Set<string>();
  for (const [i, name] of wanted.entries()) {
    let unique = name === "" ? `_c${i}` : name;
    if (doubled.has(name.toLowerCase())) unique = options.clean ? `${name}_${mark(header[i] ?? "")}` : `${name}${i}`;
    // Spark stops here: "a,a,a1" gives a0 and a1 twice.
    if (taken.has(unique.toLowerCase())) unique += `_${i}`;
    while (taken.has(unique.toLowerCase())) unique += "_";
    taken.add(unique.toLowerCase());
    names.push(unique);
  }
  return names;
}

/** The groups of names in a file that would become one column each, had they not been told apart. */
export function clashes(header: readonly string[], options: { readonly clean: boolean }): string[][] {
  const wanted = header.map((name) => (options.clean ? cleanName(name) : name).toLowerCase());
  return [...doubles(wanted)].map((name) => header.filter((_, i) => wanted[i] === name));
}

function cleanName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
}

function doubles(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const doubled = new Set<string>();
  for (const name of names.map((n) => n.toLowerCase()).filter((n) => n !== "")) {
    if (seen.has(name)) doubled.add(name);
    seen.add(name);
  }
  return doubled;
}

function mark(original: string): string {
  return createHash("sha256").update(original).digest("hex").slice(0, 4);
}
