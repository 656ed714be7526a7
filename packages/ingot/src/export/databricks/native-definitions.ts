import type { Graph, GraphNode } from "../../graph/graph.js";
import type { Dataset, Definitions, Flow } from "../../model/definition.js";
import { nameKey, shortName } from "../../model/name.js";
import { sqlText } from "../../model/position.js";
import type { Gap } from "./gap.js";
import { nativeDataset } from "./native-dataset.js";
import { type NativeOptions, nativeFlow } from "./native-flow.js";

/** A dataset with its flows, in words of Databricks alone. */
export interface NativePart {
  readonly dataset: Dataset;
  readonly flows: readonly Flow[];
}

export interface NativeProject {
  readonly parts: readonly NativePart[];
  readonly gaps: readonly Gap[];
}

/**
 * What a project declares, as pipelines of Databricks can: each construct that they have not is left out and told.
 *
 * @param graph of the definitions, typed
 */
export async function nativeProject(
  definitions: Definitions,
  graph: Graph,
  options: Omit<NativeOptions, "temporary" | "catalog" | "folders">,
): Promise<NativeProject> {
  const views = definitions.datasets.filter(({ kind }) => kind === "temporary-view");
  const temporary = new Set(views.map(({ name }) => nameKey(name)));
  const folders = new Map(
    definitions.externals.flatMap(({ name, path }) => (path === undefined ? [] : [[path, name]])),
  );
  const { catalog } = graph.defaults;
  const parts: NativePart[] = [];
  const gaps: Gap[] = [];
  const nodes = new Map(graph.nodes.map((node) => [node.key, node]));
  const tell = (found: readonly Gap[]) => gaps.push(...found);
  for (const dataset of definitions.datasets) {
    const object = shortName(dataset.name, graph.defaults);
    const node = nodes.get(nameKey(dataset.name));
    const reason = dataset.dialect === undefined ? untyped(node) : `dialect ${dataset.dialect}`;
    if (node === undefined || reason !== undefined) {
      tell([{ object, construct: reason ?? "", meaning: "The dataset is not exported.", at: dataset.at }]);
      continue;
    }
    const native = nativeDataset(withSparkRules(dataset, node));
    tell(native.gaps.map((gap) => ({ ...gap, object })));
    const flows: Flow[] = [];
    for (const typed of node.flows) {
      const { flow, gaps: found } = await nativeFlow(typed, { ...options, temporary, catalog, folders });
      flows.push(flow);
      const own = flow.name === dataset.name.table ? object : `${object} ${flow.name}`;
      tell(found.map((gap) => ({ ...gap, object: own })));
    }
    parts.push({ dataset: native.dataset, flows });
  }
  for (const { name, path, at } of definitions.externals) {
    if (path === undefined) continue;
    const meaning = "Its folder must be a table of this name in the catalog.";
    tell([{ object: shortName(name, graph.defaults), construct: `external table at ${path}`, meaning, at }]);
  }
  return { parts, gaps };
}

function untyped(node: GraphNode | undefined): string | undefined {
  if (node === undefined) return "what it reads is not there yet";
  const fault = node.fault ?? node.flows.find((flow) => flow.fault !== undefined)?.fault;
  return fault === undefined ? undefined : `${fault.code}: ${fault.message}`;
}

/** With Ingot's functions in the conditions of its rules in Spark's words. */
function withSparkRules(dataset: Dataset, { flows }: GraphNode): Dataset {
  const rules = new Map(flows.flatMap(({ rules }) => rules?.rules ?? []).map((rule) => [rule.name, rule.spark]));
  const expectations = dataset.expectations.map((expectation) => {
    const spark = expectation.wholeTable === true ? undefined : rules.get(expectation.name);
    return spark === undefined ? expectation : { ...expectation, condition: sqlText(spark) };
  });
  return { ...dataset, expectations };
}
