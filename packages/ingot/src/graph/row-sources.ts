import type { ColumnSource } from "../model/lineage.js";
import { sameName } from "../model/name.js";
import { ROW_SOURCES, type RowSource, type SourceColumns } from "../model/quarantine.js";
import type { GraphFlow, GraphInput, GraphNode } from "./graph.js";

/**
 * The columns of a table that say where a row comes from: which its flows copy from `_metadata.file_path`,
 * `_metadata.row_number`, a corrupt record or rescued data, or from such a column of what they read. A flow that lacks
 * the column says of its rows that it is not known.
 */
export function rowSources({ flows }: GraphNode): SourceColumns {
  const [first, ...others] = flows.map((flow) => ({ flow, sources: sourcesOf(flow) }));
  const shared = ROW_SOURCES.flatMap((source) => {
    const column = first?.sources[source];
    if (column === undefined) return [];
    const agrees = ({ flow, sources }: NonNullable<typeof first>) =>
      isSame(sources[source], column) || flow.query.schema.every(({ name }) => !isSame(name, column));
    return others.every(agrees) ? [[source, column]] : [];
  });
  return Object.fromEntries(shared);
}

function sourcesOf({ query, inputs }: GraphFlow): SourceColumns {
  const found: Partial<Record<RowSource, string>> = {};
  for (const [i, { name }] of query.schema.entries()) {
    const [source, ...others] = query.lineage?.columns[i] ?? [];
    if (source === undefined || others.length > 0 || source.how !== "copied") continue;
    const input = inputs.get(source.relation);
    const means = input === undefined ? undefined : meaningOf(source, input);
    if (means !== undefined) found[means] ??= name;
  }
  return found;
}

function meaningOf({ column, fields }: ColumnSource, input: GraphInput): RowSource | undefined {
  if (input.kind !== "files") {
    const sources = input.kind === "view" ? sourcesOf(input.view) : (input.sources ?? {});
    return fields === undefined ? ROW_SOURCES.find((source) => isSame(sources[source], column)) : undefined;
  }
  const { read, columns } = input;
  if (fields !== undefined) {
    if (column !== "_metadata" || columns.some(({ name }) => isSame(name, column))) return undefined;
    return fields[0] === "file_path" ? "file" : fields[0] === "row_number" ? "row" : undefined;
  }
  return isSame(read.corruptRecordColumn, column) || isSame(read.rescuedDataColumn, column) ? "record" : undefined;
}

function isSame(a: string | undefined, b: string): boolean {
  return a !== undefined && sameName(a, b);
}
