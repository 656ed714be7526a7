import { type ChangeRules, DELETED, LISTED, SEQUENCE } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { flagsOf } from "../../cdc/event-flags.js";
import { LIST_TYPE } from "../../cdc/state-table.js";
import { typeText } from "../spark-sql.js";

/** Name of the relation of a step's events in statements, where they were staged. */
export const EVENTS = "ingot_events";

/** Which part of the step gave an event: its place, from 0. */
export const PART = "__ingot_part";

/** Columns of events: those that the target takes, SEQUENCE, DELETED, the flags and LISTED where the rules have them, and PART. */
export function eventFields(rules: ChangeRules): readonly Field[] {
  const flag = (name: string): Field => ({ name, type: { kind: "boolean" }, nullable: true });
  return [
    ...rules.columns,
    { name: SEQUENCE, type: rules.sequenceType, nullable: true },
    flag(DELETED),
    ...flagsOf(rules).map(flag),
    ...listFields(rules),
    { name: PART, type: { kind: "int" }, nullable: true },
  ];
}

/** SQL of the events of all parts. @param texts of the parts' queries */
export function eventsText(rules: ChangeRules, texts: readonly string[]): string {
  const columns = eventFields(rules)
    .filter(({ name }) => name !== PART)
    .map(({ name, type }) => {
      const value = `CAST(${quoteIdentifier(name)} AS ${typeText(type)})`;
      return `${name === LISTED ? `transform(${value}, name -> lower(name))` : value} AS ${quoteIdentifier(name)}`;
    });
  return texts.map((text, i) => `SELECT ${columns.join(", ")}, ${i} AS ${PART} FROM (${text})`).join(" UNION ALL ");
}

/** The column of the names that an event writes, where the rules have it: in lower case. */
export function listFields({ listable }: Pick<ChangeRules, "listable">): readonly Field[] {
  return listable === undefined ? [] : [{ name: LISTED, type: LIST_TYPE, nullable: true }];
}
