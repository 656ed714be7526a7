import type { SchemaTree } from "hyparquet";

/** The paths to the leaves below the last node of a path, in their order; a column chunk belongs to each. */
export function leavesOf(path: readonly SchemaTree[]): SchemaTree[][] {
  const children = path.at(-1)?.children ?? [];
  return children.length === 0 ? [[...path]] : children.flatMap((child) => leavesOf([...path, child]));
}

/** What a column chunk and the leaf of its schema have in common. */
export function leafKey(path: readonly string[]): string {
  return path.join("\0");
}
