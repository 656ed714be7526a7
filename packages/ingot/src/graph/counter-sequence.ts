import { SEQUENCE } from "../model/changes.js";
import { sameName } from "../model/name.js";
import type { GraphFlow, GraphNode } from "./graph.js";

/** SAP's count of the entities that a row of an ODQ delta stands for: -1, 0 or 1, and no order. */
const COUNTER = "ODQ_ENTITYCNTR";

/**
 * Flows of changes that take ODQ_ENTITYCNTR for a sequence, one sentence each. They run as they are written: all changes
 * of a key that count one have the same sequence, and the digest of the row decides between them.
 */
export function warnOfCounters(nodes: readonly GraphNode[]): string[] {
  return nodes
    .flatMap(({ flows }) => flows)
    .filter(({ flow }) => flow.kind === "auto-cdc")
    .filter((flow) => isCounter(flow, SEQUENCE))
    .map(({ flow: { name, at } }) => {
      const place = `${at.file}:${at.line}:${at.column}`;
      return `The flow ${name} (${place}) orders changes by ${COUNTER}, which is a counter and not a sequence: changes that count the same are decided by their content. Use what the producer gives (ODQ_TSN, ODQ_UNITNO, ODQ_RECORDNO), or the order of delivery.`;
    });
}

function isCounter({ query, inputs }: GraphFlow, column: string): boolean {
  const index = query.schema.findIndex(({ name }) => sameName(name, column));
  const sources = query.lineage?.columns[index] ?? [];
  return (
    sources.length > 0 &&
    sources.every(({ relation, column: name }) => {
      if (sameName(name, COUNTER)) return true;
      const input = inputs.get(relation);
      return input?.kind === "view" && isCounter(input.view, name);
    })
  );
}
