import type { Definitions } from "../model/definition.js";
import { formatName } from "../model/name.js";

/** Names of datasets and flows that two evaluations of one project gave differently. */
export function differingDefinitions(first: Definitions, second: Definitions): string[] {
  const before = describe(first);
  const after = describe(second);
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

function describe({ datasets, flows }: Definitions): Map<string, string> {
  const texts = new Map<string, string>();
  for (const dataset of datasets) texts.set(formatName(dataset.name), JSON.stringify(dataset));
  for (const flow of flows) {
    const name = formatName(flow.target);
    texts.set(name, `${texts.get(name) ?? ""}${JSON.stringify(flow)}`);
  }
  return texts;
}
