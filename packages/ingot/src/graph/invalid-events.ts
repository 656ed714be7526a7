import { RESERVED_PREFIX, SEQUENCE, TRUNCATES } from "../model/changes.js";
import type { RowRule } from "../model/rule.js";
import { quoteName } from "../sql/lower/lower-text.js";
import type { GraphFlow } from "./graph.js";

/**
 * The rules that `onInvalid: "quarantine"` stands for: an event without a sequence, or without a key, which only a
 * truncate needs not, is set aside. They come before those that are declared.
 */
export function invalidEventRules({ flow, changes }: GraphFlow): RowRule[] {
  if (flow.kind !== "auto-cdc" || flow.onInvalid !== "quarantine" || changes === undefined) return [];
  const keyed = changes.keys.map((key) => `${quoteName(key)} IS NOT NULL`).join(" AND ");
  return [
    rule("sequence", "INVALID_SEQUENCE", `${SEQUENCE} IS NOT NULL`),
    rule("key", "INVALID_PRIMARY_KEY", changes.truncates ? `((${keyed}) OR ${TRUNCATES})` : `(${keyed})`),
  ];
}

/** No declared rule has such a name. */
function rule(what: string, status: string, condition: string): RowRule {
  return { name: `${RESERVED_PREFIX}${what}`, action: "quarantine", condition, status, version: "1" };
}
