import type { DuckDBConnection } from "@duckdb/node-api";
import { type ChangeRules, DELETED, LISTED, SEQUENCE } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { IngotError } from "../../../model/error.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import { flagsOf } from "../../cdc/event-flags.js";
import type { BoundQuery, WritePart } from "../../engine.js";

/**
 * Temporary table of a step's events: the columns that the target takes, SEQUENCE, DELETED, TRUNCATES, BEFORE_IMAGE,
 * ARCHIVED and LISTED (in lower case) where the rules have them, and PART. Its `rowid` tells the events apart.
 */
export const EVENTS = "ingot_events";

/** An event's `rowid` in EVENTS. What was found of its key is joined by it: that costs a third of joining the keys again. */
export const EVENT = "__ingot_event";

/** Which part of the step gave an event: its place, from 0. */
export const PART = "__ingot_part";

/** The events of all parts of a step as one query, whose rows say by PART where they come from. */
export function eventsOf(parts: readonly WritePart[]): BoundQuery {
  const [first] = parts;
  if (first === undefined) throw new Error("unreachable: a step has a part");
  const at = { file: "", line: 1, column: 1 };
  const reads = parts.map(
    (_, i) => ({ kind: "table", id: `part${i}`, name: [`part${i}`], stream: false, at }) as const,
  );
  const part: Field = { name: PART, type: { kind: "int" }, nullable: false };
  return {
    query: {
      reads,
      schema: [...first.bound.query.schema, part],
      duckdb: reads.map(({ id }, i) => `SELECT *, ${i}::INTEGER AS ${PART} FROM "${id}"`).join(" UNION ALL BY NAME "),
      deterministic: true,
      preservesRows: true,
    },
    inputs: new Map(reads.map(({ id }, i) => [id, { kind: "view", view: (parts[i] ?? first).bound }])),
  };
}

/**
 * Evaluates the events of a step once.
 *
 * @param query text of `eventsOf`
 * @returns events by part
 */
export async function stageEvents(
  connection: DuckDBConnection,
  rules: ChangeRules,
  query: string,
): Promise<ReadonlyMap<number, number>> {
  refuseRowid(rules);
  const { columns, sequenceType } = rules;
  const taken = columns.map(({ name, type }) => `${quoteName(name)}::${duckdbType(type)} AS ${quoteName(name)}`);
  const own = [
    `${SEQUENCE}::${duckdbType(sequenceType)} AS ${SEQUENCE}`,
    DELETED,
    ...flagsOf(rules),
    ...listOf(rules),
    PART,
  ];
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${EVENTS} AS SELECT ${[...taken, ...own].join(", ")} FROM (${query})`,
  );
  const counted = await connection.runAndReadAll(`SELECT ${PART}, count(*) FROM ${EVENTS} GROUP BY ALL`);
  return new Map(counted.getRows().map(([part, count]) => [Number(part), Number(count)]));
}

function listOf({ listable }: ChangeRules): string[] {
  return listable === undefined ? [] : [`list_transform(${LISTED}, lambda name: lower(name)) AS ${LISTED}`];
}

/** A column of this name would hide what tells the events apart. */
function refuseRowid({ columns }: ChangeRules): void {
  const taken = columns.find(({ name }) => name.toLowerCase() === "rowid");
  if (taken === undefined) return;
  throw new IngotError("NOT_SUPPORTED", `AUTO CDC into a table with a column ${taken.name}`, {
    object: taken.name,
    hint: "DuckDB keeps this name for itself: give the column another one in the source's query.",
  });
}
