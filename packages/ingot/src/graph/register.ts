import type { Dataset, Definitions, Flow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName, nameKey } from "../model/name.js";
import { nearest } from "../model/nearest.js";
import type { Position } from "../model/position.js";
import { isTable, kindName } from "./graph.js";

/** Datasets by key, each with the flows that fill it. */
export interface Registry {
  readonly datasets: ReadonlyMap<string, Dataset>;
  readonly flows: ReadonlyMap<string, readonly Flow[]>;
}

/**
 * Checks names: one dataset a name (temporary views by their last part alone, which is all that queries write), one
 * flow a name and target, a flow into a table that is there, no table without a flow. Collects every fault.
 */
export function register(definitions: Definitions, errors: IngotError[]): Registry {
  const datasets = new Map<string, Dataset>();
  const doubled = new Set<string>();
  for (const dataset of definitions.datasets) {
    const key = nameKey(dataset.name);
    const first = datasets.get(key) ?? [...datasets.values()].find((other) => sameTemporaryView(other, dataset));
    if (first === undefined) {
      datasets.set(key, dataset);
      continue;
    }
    doubled.add(key);
    errors.push(duplicate("DATASET", `Two datasets are called ${formatName(dataset.name)}`, first.at, dataset.at));
  }
  for (const { name, at } of definitions.externals) {
    const own = datasets.get(nameKey(name));
    if (own === undefined) continue;
    errors.push(duplicate("DATASET", `${formatName(name)} is declared here and as an external table`, own.at, at));
  }
  const flows = new Map<string, Flow[]>();
  for (const flow of definitions.flows) {
    const key = nameKey(flow.target);
    const target = datasets.get(key);
    const filled = flows.get(key) ?? [];
    // The doubled name was told above; that its flows clash too says nothing new.
    if (doubled.has(key) && (target === undefined || filled.length > 0)) continue;
    if (target === undefined) {
      errors.push(unknownTarget(flow, datasets));
      continue;
    }
    flows.set(key, filled);
    const twin = filled.find((other) => other.name.toLowerCase() === flow.name.toLowerCase());
    if (target.kind !== "streaming-table" && filled.length > 0) {
      errors.push(multipleQueries(target, flow));
    } else if (twin !== undefined) {
      errors.push(
        duplicate("FLOW", `Two flows into ${formatName(flow.target)} are called ${flow.name}`, twin.at, flow.at),
      );
    } else filled.push(flow);
  }
  for (const [key, dataset] of datasets) {
    if (flows.has(key)) continue;
    errors.push(
      new IngotError("PIPELINE_DATASET_WITHOUT_FLOW", `Nothing fills ${formatName(dataset.name)}`, {
        at: dataset.at,
        object: formatName(dataset.name),
        hint: "Give it a query (AS SELECT …), or declare a flow: CREATE FLOW name AS INSERT INTO table BY NAME SELECT ….",
      }),
    );
  }
  if (![...datasets.values()].some(isTable) && errors.length === 0) {
    errors.push(
      new IngotError("RUN_EMPTY_PIPELINE", "The project declares no table", {
        hint: "Name definitions files under `libraries` in the spec, and declare a streaming table or materialized view.",
      }),
    );
  }
  return { datasets, flows };
}

function sameTemporaryView(a: Dataset, b: Dataset): boolean {
  if (a.kind !== "temporary-view" || b.kind !== "temporary-view") return false;
  return a.name.table.toLowerCase() === b.name.table.toLowerCase();
}

function duplicate(what: "DATASET" | "FLOW", message: string, first: Position, second: Position): IngotError {
  return new IngotError(`PIPELINE_DUPLICATE_IDENTIFIERS.${what}`, message, {
    at: second,
    hint: `The other one stands at ${first.file}:${first.line}:${first.column}. ${
      what === "FLOW" ? "Give one of them a name of its own." : "Names are compared without case; rename one."
    }`,
  });
}

function multipleQueries(target: Dataset, flow: Flow): IngotError {
  const name = formatName(target.name);
  return new IngotError(
    "MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES",
    `The ${kindName(target)} ${name} has more than one query`,
    {
      at: flow.at,
      object: name,
      hint: "Join them with UNION ALL, or make it a streaming table, which may have several flows.",
    },
  );
}

function unknownTarget(flow: Flow, datasets: ReadonlyMap<string, Dataset>): IngotError {
  const name = formatName(flow.target);
  const near = nearest(
    name,
    [...datasets.values()].map((d) => formatName(d.name)),
  );
  return new IngotError("UNKNOWN_TARGET", `The flow ${flow.name} writes into ${name}, which nobody declares`, {
    at: flow.at,
    object: name,
    hint: near === undefined ? `Declare it: CREATE STREAMING TABLE ${flow.target.table};` : `Did you mean ${near}?`,
  });
}
