import type { Dataset } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import { RESET_PROPERTY } from "../model/table.js";
import type { GraphNode } from "./graph.js";
import { isStreaming } from "./graph-typer.js";

/** Whether a full refresh may start the table again. */
export function isResettable({ properties }: Dataset): boolean {
  return properties[RESET_PROPERTY]?.toLowerCase() !== "false";
}

/**
 * Spark's rule: a protected table must not stream from one that is not. Once that one had started again, the stream
 * could not go on, and the table could not start again either.
 *
 * @param nodes upstream first
 */
export function refuseResettableSources(nodes: readonly GraphNode[]): IngotError[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const sources = (node: GraphNode): GraphNode[] =>
    [...node.upstream].flatMap((key) => byKey.get(key) ?? []).flatMap((source) => [source, ...sources(source)]);
  return nodes.flatMap((node) => {
    if (isResettable(node.dataset) || !node.flows.some(isStreaming)) return [];
    const open = new Set(sources(node).filter((source) => isResettable(source.dataset)));
    if (open.size === 0) return [];
    const names = [...open].map((source) => formatName(source.dataset.name)).sort();
    const name = formatName(node.dataset.name);
    return new IngotError(
      "INVALID_RESETTABLE_DEPENDENCY",
      `${name} must not be fully refreshed, and what it streams from may be: ${names.join(", ")}`,
      {
        at: node.dataset.at,
        object: name,
        hint: `Set ${RESET_PROPERTY} to 'false' there too, or take it away here.`,
      },
    );
  });
}
