import type { Snapshot } from "@ingot/delta";
import { rowsOf } from "../data-files.js";
import { tableText } from "../spark-sql.js";
import { type SparkText, TextContext } from "../text-context.js";
import type { ApplyWork } from "./apply-work.js";
import { filesInRange, inRange } from "./key-range.js";

/** What is read beside the events: tables in their newest versions. */
export interface KnownRows {
  /** A relation of rows of a table, those with keys of the batch among them. */
  of(table: Snapshot): string;
  /** Relations that the text of these, and of the events, names. */
  readonly names: SparkText["names"];
}

export function knownRows({ store, step, events, range }: ApplyWork): KnownRows {
  const context = new TextContext(store, undefined, { ...events.names });
  const of = (table: Snapshot) => {
    const near = { ...table, files: filesInRange(step.rules, range, table) };
    const rows = rowsOf(near, context, tableText(table.table));
    const limits = inRange(step.rules, range, table, "known");
    return limits === "" ? rows : `(SELECT * FROM ${rows} AS known WHERE true${limits})`;
  };
  return { of, names: context.names };
}
