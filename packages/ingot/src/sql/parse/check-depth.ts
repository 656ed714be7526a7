import type { Query } from "./ast.js";
import { indexAt, type Parser, tooDeep } from "./parser.js";

/** Nodes below each other that binding can take apart by recursion; a chain of operators has one for each. */
const MAX_NODES = 500;

/** Refuses a tree so deep that it could overflow the stack. @throws IngotError UNSUPPORTED_CLAUSE */
export function checkDepth(parser: Parser, query: Query): void {
  let level: readonly object[] = [query];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NODES) throw tooDeep(parser, indexAt(parser, placeOf(level)));
    level = level.flatMap(nodesWithin);
  }
}

function placeOf(level: readonly object[]): number {
  for (const node of level) if ("at" in node && typeof node.at === "number") return node.at;
  return 0;
}

/** A CTE stands in the tree at each of its uses, and is looked at where it is defined. */
function nodesWithin(node: object): object[] {
  return Object.entries(node).flatMap(([key, value]) => (key === "cte" || key === "relation" ? [] : nodesOf(value)));
}

function nodesOf(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value) ? value.flatMap(nodesOf) : [value];
}
