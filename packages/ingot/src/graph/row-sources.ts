import type { ColumnSource } from "../model/lineage.js";
import { sameName } from "../model/name.js";
import { ROW_SOURCES, type RowSource, type SourceColumns } from "../model/quarantine.js";
import type { GraphFlow, GraphInput, GraphNode } from "./graph.js";

/**
 * The columns of a table that say where a row comes from, or fields of structs: which its flows copy from
 * `_metadata.file_path`, `_metadata.row_number`, a corrupt record or rescued data, or from such a column of what they read. A flow that lacks
 * the column says of its rows that it is not known.
 */
export function rowSources({ flows }: GraphNode): SourceColumns {
  const [first, ...others] = flows.map((flow) => ({ flow, sources: sourcesOf(flow) }));
  const shared = ROW_SOURCES.flatMap((source) => {
    const path = first?.sources[source];
    if (path === undefined) return [];
    const agrees = ({ flow, sources }: NonNullable<typeof first>) =>
      isSame(sources[source], path) || flow.query.schema.every(({ name }) => !isSame([name], path.slice(0, 1)));
    return others.every(agrees) ? [[source, path]] : [];
  });
  return Object.fromEntries(shared);
}

function sourcesOf({ query, inputs }: GraphFlow): SourceColumns {
  const { columns = [], fields = {} } = query.lineage ?? {};
  const found: { -readonly [S in RowSource]?: SourceColumns[S] } = {};
  const take = ([source, ...others]: readonly ColumnSource[], path: readonly [string, ...string[]]) => {
    if (source === undefined || others.length > 0 || source.how !== "copied") return;
    const input = inputs.get(source.relation);
    const means = input === undefined ? undefined : meaningOf(source, input);
    if (means !== undefined) found[means] ??= path;
  };
  for (const [i, { name }] of query.schema.entries()) take(columns[i] ?? [], [name]);
  for (const [i, { name }] of query.schema.entries())
    for (const [field, sources] of Object.entries(fields[i] ?? {})) take(sources, [name, field]);
  return found;
}

function meaningOf({ column, fields }: ColumnSource, input: GraphInput): RowSource | undefined {
  if (input.kind !== "files") {
    const sources = input.kind === "view" ? sourcesOf(input.view) : (input.sources ?? {});
    return ROW_SOURCES.find((source) => isSame(sources[source], [column, ...(fields ?? [])]));
  }
  const { read, columns } = input;
  if (fields !== undefined) {
    if (column !== "_metadata" || columns.some(({ name }) => sameName(name, column))) return undefined;
    return fields[0] === "file_path" ? "file" : fields[0] === "row_number" ? "row" : undefined;
  }
  const raw = [read.corruptRecordColumn, read.rescuedDataColumn];
  return raw.some((name) => name !== undefined && sameName(name, column)) ? "record" : undefined;
}

function isSame(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a?.length === b.length && a.every((name, i) => sameName(name, b[i] ?? ""));
}
