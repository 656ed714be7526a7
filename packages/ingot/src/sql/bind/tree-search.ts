import type { Call } from "../parse/ast.js";

/** Whether a part of a query's tree holds a subquery. */
export function hasQuery(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  return "query" in node || Object.values(node).some(hasQuery);
}

/** Whether a part of a query's tree has such a call; subqueries are their own. */
export function hasCall(node: unknown, fits: (call: Call) => boolean): boolean {
  if (Array.isArray(node)) return node.some((item) => hasCall(item, fits));
  if (typeof node !== "object" || node === null) return false;
  if ("kind" in node && node.kind === "call" && fits(node as Call)) return true;
  return Object.entries(node).some(([key, value]) => key !== "query" && hasCall(value, fits));
}
