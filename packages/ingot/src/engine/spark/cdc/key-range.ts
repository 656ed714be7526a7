import { type AddFile, type Condition, mayMatch, type Snapshot } from "@ingot/delta";
import type { ChangeRules } from "../../../model/changes.js";
import { type DataType, type Field, fieldNamed, sameType } from "../../../model/data-type.js";
import { quoteIdentifier } from "../../../model/name.js";
import { quoteString } from "../../../sql/quote.js";
import { fromDeltaSchema } from "../../tables/delta-schema.js";
import type { Observed } from "../connect/observed-metrics.js";
import { nameIn } from "./event-order.js";

/*
 * The keys of a batch lie between a least and a greatest one. Rows of a table outside have none of them, and a table whose
 * files are clustered by a key has files of such rows alone: told the range as literals, Delta does not read these.
 */

/**
 * Aggregates that find the range of each key while events are staged.
 *
 * @param condition of the events whose keys are looked for
 */
export function rangeMetrics(rules: ChangeRules, condition = "true"): readonly string[] {
  return rangeKeys(rules).flatMap(({ name }, i) => {
    const key = `CASE WHEN ${condition} THEN ${quoteIdentifier(name)} END`;
    return [`min(${key}) AS least${i}`, `max(${key}) AS greatest${i}`];
  });
}

/**
 * SQL: ` AND` a condition that holds for all rows of a table whose key is a batch's; empty where nothing is known, or
 * there is no file to leave out.
 *
 * @param told of `rangeMetrics`
 * @param alias of the table
 */
export function inRange(rules: ChangeRules, told: Observed[string], table: Snapshot, alias: string): string {
  if (table.files.length < 2) return "";
  return rangesIn(rules, told, table)
    .map(({ column, least, greatest }) => {
      const [name, literal] = [nameIn(alias, column.name), LITERALS[column.type.kind]];
      return ` AND ${name} >= ${literal?.(least)} AND ${name} <= ${literal?.(greatest)}`;
    })
    .join("");
}

/** The files of a table that may hold a row whose key is a batch's. @param told of `rangeMetrics` */
export function filesInRange(rules: ChangeRules, told: Observed[string], table: Snapshot): readonly AddFile[] {
  const conditions = rangesIn(rules, told, table).flatMap(
    ({ column: { name, type }, least, greatest }): Condition[] => {
      const value = (text: string) => (type.kind === "string" || type.kind === "date" ? text : BigInt(text));
      return [
        { kind: "compare", column: [name], operator: ">=", value: value(least) },
        { kind: "compare", column: [name], operator: "<=", value: value(greatest) },
      ];
    },
  );
  return conditions.length === 0 ? table.files : table.files.filter(mayMatch({ kind: "and", conditions }, table));
}

interface Range {
  /** As the table has it. */
  readonly column: Field;
  readonly least: string;
  readonly greatest: string;
}

function rangesIn(rules: ChangeRules, told: Observed[string], table: Snapshot): readonly Range[] {
  const columns = fromDeltaSchema(table.schema);
  return rangeKeys(rules).flatMap(({ name, type }, i) => {
    const [column, least, greatest] = [fieldNamed(columns, name), told[`least${i}`], told[`greatest${i}`]];
    const isKnown = column !== undefined && sameType(column.type, type) && least != null && greatest != null;
    return isKnown ? [{ column, least: String(least), greatest: String(greatest) }] : [];
  });
}

/** Of types whose values statistics order as comparisons do, and that Spark compares with a literal as they are. */
function rangeKeys({ keys, columns, truncates, snapshot }: ChangeRules): readonly Field[] {
  // What a truncate takes away, and what a snapshot lacks, has other keys than the events.
  if (truncates || snapshot !== undefined) return [];
  return columns.filter(({ name, type }) => keys.includes(name) && type.kind in LITERALS);
}

const LITERALS: Readonly<Partial<Record<DataType["kind"], (value: string) => string>>> = {
  tinyint: (value) => `${value}Y`,
  smallint: (value) => `${value}S`,
  int: (value) => value,
  bigint: (value) => `${value}L`,
  date: (value) => `DATE ${quoteString(value)}`,
  string: quoteString,
};
