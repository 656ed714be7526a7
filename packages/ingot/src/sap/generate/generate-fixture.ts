import { generateInMemory, type SapDataOptions } from "./in-memory.js";

export type RowObject = Readonly<Record<string, string>>;

/** What was generated, as JSON lines by file, and read again. */
export interface GeneratedFiles {
  readonly files: ReadonlyMap<string, string>;
  /** Rows of a file; none where it is not there. */
  rows(path: string): RowObject[];
  /** Rows of the truth. */
  truth(table: string): RowObject[];
  /** Rows of all batches, in their order. */
  changes(table: string): RowObject[];
}

export async function generateFiles(options: SapDataOptions = {}): Promise<GeneratedFiles> {
  const { files } = await generateInMemory({ format: "json", ...options });
  const read = new Map<string, RowObject[]>();
  const rows = (path: string) => {
    const known = read.get(path);
    if (known !== undefined) return known;
    const lines = (files.get(path) ?? "").split("\n").filter((line) => line !== "");
    const parsed = lines.map((line) => JSON.parse(line) as RowObject);
    read.set(path, parsed);
    return parsed;
  };
  return {
    files,
    rows,
    truth: (table) => rows(`truth/${table}.json`),
    changes: (table) =>
      [...files.keys()]
        .filter((path) => path.startsWith(`cdc/${table}/`))
        .sort()
        .flatMap(rows),
  };
}

/** Rows by the values of some columns. */
export function groups(rows: readonly RowObject[], ...columns: readonly string[]): Map<string, RowObject[]> {
  const found = new Map<string, RowObject[]>();
  for (const row of rows) {
    const key = columns.map((column) => row[column]).join("/");
    const group = found.get(key);
    if (group === undefined) found.set(key, [row]);
    else group.push(row);
  }
  return found;
}
