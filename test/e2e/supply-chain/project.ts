import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ingot, rows, temporaryFolder } from "../cli.js";

const EXAMPLE = fileURLToPath(new URL("../../../examples/supply-chain", import.meta.url));

export type Row = Readonly<Record<string, unknown>>;

/** A copy of the example with its tiny extracts, and nothing run yet. */
export function supplyChain(): string {
  const folder = temporaryFolder();
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.endsWith("/storage") });
  return folder;
}

/** Writes an extract again, by its rows as texts. */
export function change(folder: string, extract: string, edit: (rows: string[]) => string[]): void {
  const path = join(folder, "landing", `${extract}.csv`);
  const [header = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  writeFileSync(path, `${[header, ...edit(lines)].join("\n")}\n`);
}

/** Rows of a table of the project's warehouse, `<schema>.<name>`, as `--json` gives them. */
export function readTable(folder: string, table: string): Promise<Row[]> {
  const path = join(folder, "storage/warehouse", ...table.split("."));
  return rows("/", `SELECT * FROM delta.\`${path}\` ORDER BY ALL`);
}

/** {@link readTable} of a project that is run no more: each table is read once. */
export function tableReader(project: () => string): (table: string) => Promise<Row[]> {
  const read = new Map<string, Promise<Row[]>>();
  return (table) => {
    const known = read.get(table) ?? readTable(project(), table);
    read.set(table, known);
    return known;
  };
}

/** Open rows of the quarantine of a dataset. */
export async function aside(folder: string, dataset: string): Promise<Row[]> {
  const { stdout } = await ingot(["quarantine", "show", dataset, "--json"], { cwd: folder });
  return (JSON.parse(stdout) as { rows: Row[] }).rows;
}

/** Rows of the reports' views by their names, in one query: numbers are numbers. */
export async function readReports(folder: string, views: readonly string[]): Promise<Record<string, Row[]>> {
  const query = views.map((view) => `SELECT '${view}' AS view, to_json(struct(t.*)) AS row FROM report.${view} AS t`);
  const found: Record<string, Row[]> = Object.fromEntries(views.map((view) => [view, []]));
  for (const { view, row } of await rows(folder, query.join(" UNION ALL ")))
    found[String(view)]?.push(JSON.parse(String(row)) as Row);
  return found;
}

/** The rows that have all these values. */
export function having(table: readonly Row[], values: Row): Row[] {
  return table.filter((row) => Object.entries(values).every(([column, value]) => row[column] === value));
}

/** The one row that has all these values. */
export function only(table: readonly Row[], values: Row): Row {
  const found = having(table, values);
  if (found.length !== 1) throw new Error(`${found.length} rows have ${JSON.stringify(values)}`);
  return found[0] ?? {};
}
