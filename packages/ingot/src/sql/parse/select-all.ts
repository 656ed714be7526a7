import type { FromItem, Select, Star } from "./ast.js";

/** `SELECT * FROM item`. */
export function selectAll(at: number, from: FromItem): Select {
  const star: Star = { kind: "star", at, qualifier: [], except: [] };
  return { kind: "select", at, distinct: false, items: [star], from, groupBy: [], windows: new Map() };
}
