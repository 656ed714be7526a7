import { IngotError } from "../model/error.js";
import {
  completeName,
  formatName,
  type NameDefaults,
  nameKey,
  shortName,
  splitName,
  type TableName,
} from "../model/name.js";
import { nearest } from "../model/nearest.js";
import type { Graph, GraphNode } from "./graph.js";

/** The table or view that a name on the command line means; undefined where none is called so. */
export function findByName<T>(
  text: string,
  items: readonly T[],
  nameOf: (item: T) => TableName,
  defaults: NameDefaults,
): T | undefined {
  const parts = splitName(text);
  if (parts.length > 3) return undefined;
  const key = nameKey(completeName(parts, defaults));
  return items.find((item) => nameKey(nameOf(item)) === key);
}

/** The table or view of a graph that a name on the command line means. @throws IngotError UNKNOWN_TABLE */
export function findNode(text: string, { nodes, defaults }: Graph): GraphNode {
  const node = findByName(text, nodes, (n) => n.dataset.name, defaults);
  if (node !== undefined) return node;
  const names = nodes.map((n) => n.dataset.name);
  throw new IngotError("UNKNOWN_TABLE", `No table or view of the project is called ${text}`, {
    object: text,
    hint: suggestName(text, names, defaults, "There are:"),
  });
}

/** The next step for a name that nothing has: the nearest one, else all that there are. */
export function suggestName(text: string, names: readonly TableName[], defaults: NameDefaults, intro: string): string {
  const near = nearest(
    text,
    names.flatMap((name) => [shortName(name, defaults), formatName(name)]),
  );
  if (near !== undefined) return `Did you mean ${near}?`;
  return `${intro} ${names.map((name) => shortName(name, defaults)).join(", ")}.`;
}
