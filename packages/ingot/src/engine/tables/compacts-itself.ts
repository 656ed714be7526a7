import type { TargetTable } from "../engine.js";

/** Delta's property by which a table asks its writers to gather small files as they come. */
const AUTO_COMPACT = "delta.autooptimize.autocompact";

export function compactsItself({ properties }: Pick<TargetTable, "properties">): boolean {
  return Object.entries(properties).some(([key, value]) => key.toLowerCase() === AUTO_COMPACT && value !== "false");
}
