import type { LineageKind, SourceColumn } from "../model/lineage.js";
import { formatName } from "../model/name.js";
import type { GraphFlow, GraphInput, GraphNode } from "./graph.js";

/** A column of a dataset, of another pipeline's table or of files. */
export interface DatasetColumn extends Omit<SourceColumn, "relation"> {
  /** Complete name, ``delta.`path` `` or the path that `read_files` names. */
  readonly dataset: string;
}

/** Where the rows and columns of a dataset come from: one step up, so that views stand for themselves. */
export interface DatasetLineage {
  /** All that its queries read, whether a column of it is used or not. */
  readonly reads: readonly string[];
  /** For each of its columns, in their order, what its values are made of. */
  readonly columns: readonly {
    readonly name: string;
    readonly sources: readonly (DatasetColumn & { readonly how: LineageKind })[];
  }[];
  /** Columns that decide which rows there are. */
  readonly influences: readonly DatasetColumn[];
  /** False where a query is in an engine's own SQL: of its columns nothing is known. */
  readonly complete: boolean;
}

/** The lineage of a dataset over all of its flows. */
export function lineageOf({ schema, flows }: GraphNode): DatasetLineage {
  const sourcesOf = (column: string) => flows.flatMap((flow) => columnSources(flow, column));
  return {
    reads: distinct(flows.flatMap(({ inputs }) => [...inputs.values()].map(nameOf))),
    columns: schema.map(({ name }) => ({ name, sources: distinct(sourcesOf(name)) })),
    influences: distinct(flows.flatMap((flow) => flow.query.lineage?.influences.map((c) => named(flow, c)) ?? [])),
    complete: flows.every(({ query }) => query.lineage !== undefined),
  };
}

function columnSources(flow: GraphFlow, column: string) {
  const { schema, lineage } = flow.query;
  const index = schema.findIndex(({ name }) => name.toLowerCase() === column.toLowerCase());
  return (lineage?.columns[index] ?? []).map(({ how, ...source }) => ({ ...named(flow, source), how }));
}

function named({ inputs }: GraphFlow, { relation, ...column }: SourceColumn): DatasetColumn {
  const input = inputs.get(relation);
  if (input === undefined) throw new Error("unreachable: lineage names what the query reads");
  return { dataset: nameOf(input), ...column };
}

function nameOf(input: GraphInput): string {
  if (input.kind === "files") return input.read.path;
  return input.kind === "view" ? formatName(input.view.flow.target) : input.name;
}

/** Two relations of one query, or two flows, may give the same. */
function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
