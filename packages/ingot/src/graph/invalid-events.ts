import { RESERVED_PREFIX, SEQUENCE, TRUNCATES } from "../model/changes.js";
import type { Dataset, Flow } from "../model/definition.js";
import { quoteIdentifier } from "../model/name.js";
import type { RowRule } from "../model/rule.js";
import { quoteName } from "../sql/lower/lower-text.js";
import type { GraphFlow } from "./graph.js";

/**
 * The rules that `onInvalid: "quarantine"` stands for: an event without a sequence, or without a key, which only a
 * truncate needs not, is set aside. They come before those that are declared.
 */
export function invalidEventRules({ flow, changes }: GraphFlow): RowRule[] {
  if (flow.kind !== "auto-cdc" || flow.onInvalid !== "quarantine" || changes === undefined) return [];
  const keyed = (quote: (name: string) => string): string => {
    const keys = `(${changes.keys.map((key) => `${quote(key)} IS NOT NULL`).join(" AND ")})`;
    return changes.truncates ? `(${keys} OR ${TRUNCATES})` : keys;
  };
  return [
    rule("sequence", "INVALID_SEQUENCE", () => `${SEQUENCE} IS NOT NULL`),
    rule("key", "INVALID_PRIMARY_KEY", keyed),
  ];
}

/** Whether rules of the table that a flow fills may set events of it aside. */
export function setsEventsAside({ expectations }: Dataset, flow: Flow): boolean {
  if (expectations.some(({ action }) => action === "quarantine")) return true;
  return flow.kind === "auto-cdc" && flow.onInvalid === "quarantine";
}

/** No declared rule has such a name. */
function rule(what: string, status: string, write: (quote: (name: string) => string) => string): RowRule {
  const texts = { condition: write(quoteName), spark: write(quoteIdentifier) };
  return { name: `${RESERVED_PREFIX}${what}`, action: "quarantine", ...texts, status, version: "1" };
}
