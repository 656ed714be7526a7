import { DeltaError } from "../error.js";
import type { Literal } from "../files/condition.js";
import { mayContain, rangesOf } from "../files/key-ranges.js";
import type { AddFile } from "../log/actions.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { showRow } from "./prepare-rows.js";
import { keyOf } from "./row-key.js";
import { type InputRow, ownValue, type Row, type Value } from "./value.js";
import { hasOrder, valueKey } from "./value-key.js";

/** Columns that both have and that must be equal, NULL never being equal; or a condition, tried on all pairs. */
export type MatchOn = readonly string[] | ((target: Row, source: InputRow) => boolean);

/** Which rows of a source belong to a row of the table. */
export interface Matcher {
  /** Whether a file may hold a row that a source row matches. */
  readonly mayMatch: (file: AddFile) => boolean;
  /** The places of the source rows that match. */
  sourcesOf(target: Row): readonly number[];
  /** The row's key, or the row where there is none. */
  show(target: Row): string;
  /** Keys that more than one source row has, with the count. */
  repeated(): Iterable<readonly [string, number]>;
}

/** @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA for a key that is no column of the table */
export function matchRows(snapshot: Snapshot, on: MatchOn, source: readonly InputRow[]): Matcher {
  const { table, version, schema } = snapshot;
  if (typeof on === "function")
    return {
      mayMatch: () => true,
      sourcesOf: (target) => source.flatMap((row, i) => (on(target, row) ? [i] : [])),
      show: showRow,
      repeated: () => [],
    };
  const unknown = on.find((name) => schema.fields.every((field) => field.name !== name));
  if (on.length === 0 || unknown !== undefined)
    throw new DeltaError(
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `A merge into ${table} needs columns of the table as its key, not ${unknown ?? "none"}.`,
      { table, version, hint: `Its columns are ${schema.fields.map(({ name }) => name).join(", ")}.` },
    );
  const byKey = new Map<string, number[]>();
  for (const [i, row] of source.entries()) {
    const key = keyOf(row, on);
    if (key === undefined) continue;
    const places = byKey.get(key);
    if (places === undefined) byKey.set(key, [i]);
    else places.push(i);
  }
  const show = (row: InputRow): string => showRow(Object.fromEntries(on.map((name) => [name, ownValue(row, name)])));
  return {
    mayMatch: keyPruning(snapshot, on, source),
    sourcesOf(target) {
      const key = keyOf(target, on);
      return key === undefined ? [] : (byKey.get(key) ?? []);
    },
    show,
    *repeated() {
      for (const places of byKey.values())
        if (places.length > 1) yield [show(source[places[0] ?? 0] ?? {}), places.length];
    },
  };
}

function keyPruning(
  snapshot: Snapshot,
  on: readonly string[],
  source: readonly InputRow[],
): (file: AddFile) => boolean {
  const types = on.flatMap((name) => snapshot.schema.fields.find((field) => field.name === name)?.type ?? []);
  if (!types.every(hasOrder)) return () => true;
  const columns = on.map((name) => [name]);
  // Times as numbers: not every year has a text that statistics could have.
  const keys = source.map((row) =>
    types.map((type, i) => {
      const value = ownValue(row, on[i] ?? "") ?? null;
      const isTime = type.kind === "date" || type.kind === "timestamp" || type.kind === "timestamp_ntz";
      return value === null || !isTime ? (value as Literal | null) : (valueKey(type, value as Value) as bigint);
    }),
  );
  return mayContain(rangesOf(keys, columns, snapshot), columns, snapshot);
}
