import type { GraphFlow, GraphInput, GraphNode } from "../../graph/graph.js";
import { type DataType, type Field, formatType } from "../../model/data-type.js";
import type { FlowMetrics } from "../../model/event.js";
import type { LineageKind } from "../../model/lineage.js";
import { formatName } from "../../model/name.js";
import { facet } from "./facet.js";

/** A dataset of OpenLineage: where it lies. */
export interface DatasetName {
  readonly namespace: string;
  readonly name: string;
}

/** A column of a stored dataset that a flow's value comes from. */
interface SourceField extends DatasetName {
  readonly field: string;
  readonly how: LineageKind;
}

/** What a flow reads, views looked through, each once. */
export function inputsOf(flow: GraphFlow, root: string): object[] {
  const found = new Map<string, object>();
  const visit = (query: GraphFlow): void => {
    for (const input of query.inputs.values()) {
      if (input.kind === "view") visit(input.view);
      else {
        const name = locate(input.kind === "files" ? input.read.path : input.location, root);
        const columns = input.kind === "files" ? input.columns : (input.schema ?? []);
        found.set(JSON.stringify(name), { ...name, facets: schemaFacets(columns) });
      }
    }
  };
  visit(flow);
  return [...found.values()];
}

/** The table that a flow fills, with the lineage of its columns; and what came of it, where it has ended. */
export function outputOf(node: GraphNode, flow: GraphFlow, root: string, metrics?: FlowMetrics): object {
  const { num_output_rows: rows, num_output_bytes: size } = metrics ?? {};
  const statistics =
    rows === undefined
      ? {}
      : {
          outputFacets: {
            outputStatistics: facet("1-0-2", "OutputStatisticsOutputDatasetFacet", {
              rowCount: rows,
              ...(size === undefined ? {} : { size }),
            }),
          },
        };
  return {
    ...locate(node.location ?? "", root),
    facets: {
      ...schemaFacets(node.schema),
      symlinks: facet("1-0-1", "SymlinksDatasetFacet", {
        identifiers: [{ namespace: "ingot", name: formatName(node.dataset.name), type: "TABLE" }],
      }),
      columnLineage: columnLineage(flow, root),
    },
    ...statistics,
  };
}

/** Where something lies, as OpenLineage names datasets: the scheme and authority of its path, and the rest. */
export function locate(path: string, root: string): DatasetName {
  const [, scheme, authority = "", rest = ""] = /^([a-z0-9]+):\/\/([^/]*)\/?(.*)$/i.exec(path) ?? [];
  if (scheme !== undefined && scheme.toLowerCase() !== "file")
    return { namespace: `${scheme}://${authority}`, name: rest };
  const local = scheme === undefined ? path : `/${rest}`;
  return { namespace: "file", name: local.startsWith("/") ? local : `${root}/${local}` };
}

function schemaFacets(columns: readonly Field[]): object {
  const fields = columns.map(({ name, type, comment }) => ({
    name,
    type: formatType(type satisfies DataType),
    ...(comment === undefined ? {} : { description: comment }),
  }));
  return { schema: facet("1-1-1", "SchemaDatasetFacet", { fields }) };
}

function columnLineage(flow: GraphFlow, root: string): object {
  const { schema } = flow.query;
  const fields = Object.fromEntries(
    schema.flatMap(({ name }, i) => {
      const sources = distinct(sourcesOf(flow, i, root));
      return sources.length === 0 ? [] : [[name, { inputFields: sources.map((source) => inputField(source)) }]];
    }),
  );
  const deciding = distinct(influencesOf(flow, root)).map(({ how: _, ...field }) => ({
    ...field,
    transformations: [{ type: "INDIRECT", subtype: "FILTER", description: "", masking: false }],
  }));
  return facet("1-2-0", "ColumnLineageDatasetFacet", {
    fields,
    ...(deciding.length === 0 ? {} : { dataset: deciding }),
  });
}

const SUBTYPES: Readonly<Record<LineageKind, string>> = {
  copied: "IDENTITY",
  computed: "TRANSFORMATION",
  aggregated: "AGGREGATION",
};

function inputField({ how, ...field }: SourceField): object {
  return { ...field, transformations: [{ type: "DIRECT", subtype: SUBTYPES[how], description: "", masking: false }] };
}

/** The stored columns that a column of a query is made of: a view's are looked through. */
function sourcesOf(flow: GraphFlow, column: number, root: string): SourceField[] {
  return (flow.query.lineage?.columns[column] ?? []).flatMap(({ relation, column: name, how }) =>
    behind(flow.inputs.get(relation), name, root).map((source) => ({ ...source, how: strongest(how, source.how) })),
  );
}

function influencesOf(flow: GraphFlow, root: string): SourceField[] {
  const own = (flow.query.lineage?.influences ?? []).flatMap(({ relation, column }) =>
    behind(flow.inputs.get(relation), column, root),
  );
  const below = [...flow.inputs.values()].flatMap((input) =>
    input.kind === "view" ? influencesOf(input.view, root) : [],
  );
  return [...own, ...below];
}

function behind(input: GraphInput | undefined, column: string, root: string): SourceField[] {
  if (input === undefined) return [];
  if (input.kind !== "view")
    return [
      { ...locate(input.kind === "files" ? input.read.path : input.location, root), field: column, how: "copied" },
    ];
  const at = input.view.query.schema.findIndex(({ name }) => name.toLowerCase() === column.toLowerCase());
  return sourcesOf(input.view, at, root);
}

const STRENGTH: readonly LineageKind[] = ["copied", "computed", "aggregated"];

/** What becomes of a value on a way of several steps. */
function strongest(a: LineageKind, b: LineageKind): LineageKind {
  return STRENGTH.indexOf(a) > STRENGTH.indexOf(b) ? a : b;
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
