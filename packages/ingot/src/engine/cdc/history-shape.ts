import { type ChangeRules, END_AT, START_AT } from "../../model/changes.js";
import { type Field, fieldNamed } from "../../model/data-type.js";

/** A table that keeps each version of a row (SCD type 2), with the rules by which its events are applied. */
export interface HistoryShape extends Pick<ChangeRules, "keys" | "columns" | "sequenceType" | "ties"> {
  /** Columns of the table beside the keys, `__START_AT` and `__END_AT`: those of the rules, and what the source has lost. */
  readonly values: readonly Field[];
  /** Names of those in which a difference begins a new version; in the others the last event's value counts. */
  readonly tracked: readonly string[];
  /** Names of those that keep the value of the event before where an event does not write them (see `writes`). */
  readonly kept: readonly string[];
  /** As `ChangeRules`. */
  readonly listable?: readonly string[];
}

/** @param schema columns of the target; those that the source has lost are tracked, so that no value is written over */
export function historyShape(rules: ChangeRules, schema: readonly Field[]): HistoryShape {
  const { keys, columns, sequenceType, ties, tracked, listable } = rules;
  const others = [...keys, START_AT, END_AT].map((name) => name.toLowerCase());
  const values = schema.filter(({ name }) => !others.includes(name.toLowerCase()));
  const among = (names: readonly string[]) => {
    const known = names.map((name) => name.toLowerCase());
    return values.map(({ name }) => name).filter((name) => known.includes(name.toLowerCase()));
  };
  const lost = values.map(({ name }) => name).filter((name) => fieldNamed(columns, name) === undefined);
  return {
    keys,
    columns,
    sequenceType,
    ties,
    values,
    tracked: [...among(tracked), ...lost],
    kept: listable === undefined ? among(rules.ignoreNulls) : values.map(({ name }) => name),
    ...(listable === undefined ? {} : { listable }),
  };
}
