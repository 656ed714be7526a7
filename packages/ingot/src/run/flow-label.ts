import type { Flow } from "../model/definition.js";
import { formatName } from "../model/name.js";

/** What a quarantine knows a flow by: its target, and its own name where that is another. */
export function flowLabel({ name, target }: Flow): string {
  const table = formatName(target);
  return name.toLowerCase() === target.table.toLowerCase() ? table : `${table} ${name}`;
}
