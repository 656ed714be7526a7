import { expect } from "vitest";
import { formatType } from "../../../packages/ingot/src/model/data-type.js";
import { parseSchema } from "../../../packages/ingot/src/sql/ddl-types.js";
import type { Reading } from "../deltalake.js";
import { type Relation, sortRows } from "../relation.js";
import { emptyModel } from "./carry-out.js";
import type { Gap, WriteFeature } from "./features/feature.js";
import { carryOutPlainly } from "./model.js";
import type { Step } from "./steps.js";

type Rows = Relation["rows"];
type Unread = Exclude<Reading, Relation>;

/** What a table of the feature holds, and its change feed, by the plain model. */
export function expectedOf({ table, steps, columnsAfter = table.columns }: WriteFeature): {
  readonly rows: Relation;
  readonly changes: Rows;
} {
  const { rows, changes } = carryOutPlainly(emptyModel(table), steps);
  const columns = parseSchema(columnsAfter).map(({ name, type }) => ({ name, type: formatType(type) }));
  return {
    rows: { columns, rows: sortRows(rows) },
    changes: sortRows(changes.map(({ row, type, version }) => [...row, type, String(version)])),
  };
}

/** What a table holds after steps that leave its columns as they are, by the plain model. */
export function expectedAfter(before: Reading, steps: readonly Step[]): Relation {
  if ("error" in before) throw new Error(before.error);
  const columns = before.columns.map(({ name }) => name);
  const { rows } = carryOutPlainly({ columns, rows: before.rows, versions: [before.rows] }, steps);
  return { columns: before.columns, rows: sortRows(rows) };
}

/** With the rows in one order. */
export function sorted(reading: Reading): Reading {
  return "error" in reading ? reading : { columns: reading.columns, rows: sortRows(reading.rows) };
}

/** The rows alone, in one order; the error where there are none. */
export function rowsOf(reading: Reading): Rows | Unread {
  return "error" in reading ? reading : sortRows(reading.rows);
}

/** Some of an answer's columns; undefined: all. */
export function pick(reading: Reading, names: readonly string[] | undefined): Rows | Unread {
  if ("error" in reading) return reading;
  if (names === undefined) return reading.rows;
  const places = names.map((name) => reading.columns.findIndex((column) => column.name === name));
  return reading.rows.map((row) => places.map((i) => row[i] ?? null));
}

/** A gap must be there as it is told: when the peer closes it, the entry is to go. */
export function expectReading(reading: Reading | Rows, expected: Reading | Rows, gap: Gap | undefined): void {
  if (gap === undefined) expect(reading).toEqual(expected);
  else if (gap.error !== undefined) expect(reading, gap.why).toEqual({ error: expect.stringMatching(gap.error) });
  else {
    expect(reading, gap.why).not.toHaveProperty("error");
    expect(reading, gap.why).not.toEqual(expected);
  }
}
