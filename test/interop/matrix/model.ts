import type { Relation, Value } from "../relation.js";
import type { ModelState, Predicate, RowStep, Step } from "./steps.js";

type Row = Relation["rows"][number];

export interface ModelChange {
  readonly row: Row;
  readonly type: "insert" | "delete" | "update_preimage" | "update_postimage";
  readonly version: number;
}

export interface Modelled extends ModelState {
  readonly changes: readonly ModelChange[];
}

/** What a table holds after steps, by plain loops over arrays; it knows nothing of files. */
export function carryOutPlainly(start: ModelState, steps: readonly Step[]): Modelled {
  let state: Modelled = { ...start, changes: [] };
  for (const step of steps) {
    if (step.kind === "table") {
      const next = { ...state, ...step.effect?.(state) };
      const more = Array.from({ length: step.commits ?? 1 }, () => next.rows);
      state = { ...next, versions: [...state.versions, ...more] };
      continue;
    }
    const version = state.versions.length;
    const { rows, changes } = changeRows(state, step);
    const all = changes.map(([type, row]) => ({ type, row, version }));
    state = { ...state, rows, versions: [...state.versions, rows], changes: [...state.changes, ...all] };
  }
  return state;
}

type Change = readonly [ModelChange["type"], Row];

function changeRows({ columns, rows }: ModelState, step: RowStep): { rows: Row[]; changes: Change[] } {
  const at = (column: string) => columns.indexOf(column);
  const test = ({ column, in: values }: Predicate) => {
    const wanted = new Set(values.map(textOf));
    return (row: Row) => wanted.has(textOf(row[at(column)] ?? null));
  };
  switch (step.kind) {
    case "append":
      return { rows: [...rows, ...step.rows], changes: step.rows.map((row) => ["insert", row]) };
    case "overwrite": {
      const goes = step.where === undefined ? () => true : test(step.where);
      const gone = rows.filter(goes);
      return {
        rows: [...rows.filter((row) => !goes(row)), ...step.rows],
        changes: [...gone.map((row) => ["delete", row] as const), ...step.rows.map((row) => ["insert", row] as const)],
      };
    }
    case "delete": {
      const goes = test(step.where);
      return {
        rows: rows.filter((row) => !goes(row)),
        changes: rows.filter(goes).map((row) => ["delete", row]),
      };
    }
    case "update": {
      const isMeant = test(step.where);
      const set = (row: Row): Row => {
        const next = [...row];
        for (const [column, value] of Object.entries(step.set)) next[at(column)] = value;
        return next;
      };
      return {
        rows: rows.map((row) => (isMeant(row) ? set(row) : row)),
        changes: rows.filter(isMeant).flatMap((row): Change[] => [
          ["update_preimage", row],
          ["update_postimage", set(row)],
        ]),
      };
    }
    case "merge": {
      const keyOf = (row: Row) => textOf(step.on.map((column) => row[at(column)] ?? null));
      const updates = new Map(step.rows.map((row) => [keyOf(row), row]));
      const removed = new Set((step.remove ?? []).map(textOf));
      const known = new Set(rows.map(keyOf));
      const added = step.rows.filter((row) => !known.has(keyOf(row)));
      const kept = rows.filter((row) => !removed.has(keyOf(row)));
      return {
        rows: [...kept.map((row) => updates.get(keyOf(row)) ?? row), ...added],
        changes: [
          ...rows.flatMap((row): Change[] => {
            if (removed.has(keyOf(row))) return [["delete", row]];
            const after = updates.get(keyOf(row));
            return after === undefined
              ? []
              : [
                  ["update_preimage", row],
                  ["update_postimage", after],
                ];
          }),
          ...added.map((row) => ["insert", row] as const),
        ],
      };
    }
  }
}

function textOf(value: Value | readonly Value[]): string {
  return JSON.stringify(value);
}
