import { ARCHIVED, BEFORE_IMAGE, type ChangeRules, TRUNCATES } from "../../model/changes.js";

/** Columns of events of which one is true where an event is not of its key. */
export function flagsOf({ truncates, beforeImages, archived }: ChangeRules): string[] {
  return [...(truncates ? [TRUNCATES] : []), ...(beforeImages ? [BEFORE_IMAGE] : []), ...(archived ? [ARCHIVED] : [])];
}

/** SQL of both engines: an event asks for something, and not for all rows at once. */
export function isOfKey(rules: ChangeRules): string {
  const others = flagsOf(rules);
  return others.length === 0 ? "true" : `NOT (${others.join(" OR ")})`;
}
