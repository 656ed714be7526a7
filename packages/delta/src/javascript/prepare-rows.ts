import { type CompiledColumn, checkViolated, compileRules, notNullViolated } from "../engine/compile-rules.js";
import type { Evaluator } from "../engine/evaluator.js";
import { tableRules } from "../engine/rules.js";
import { DeltaError } from "../error.js";
import { assertNewRows, assertWritable } from "../protocol/protocol.js";
import { assertDataColumn } from "../schema/column-names.js";
import { formatPath } from "../schema/field-path.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { type CheckValue, Misfit, valueCheck } from "./check-value.js";
import { type InputRow, ownValue, type Row, type Value, valueAt } from "./value.js";

/** Computes an expression of Spark's SQL over a row; a condition gives true, false or null. */
export type RowEvaluator = Evaluator<(row: Row) => unknown>;

/**
 * Rows as they will stand in the table: every column there, values in the shapes of `Value`, defaults and generated
 * columns filled in, and the table's rules kept. Nothing is rounded.
 *
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, DELTA_CAST_OVERFLOW_IN_TABLE_WRITE for a value that its column
 * cannot hold, DELTA_FAILED_TO_MERGE_FIELDS for one of another type; both name the row, counted from 1.
 * DELTA_NOT_NULL_CONSTRAINT_VIOLATED, DELTA_VIOLATE_CONSTRAINT_WITH_VALUES, DELTA_NON_PARTITION_COLUMN_ABSENT,
 * DELTA_UNSUPPORTED_FEATURES_FOR_WRITE for rules that need an evaluator, and for tables that this library cannot write
 */
export function prepareRows(
  snapshot: Snapshot,
  rows: readonly InputRow[],
  evaluator: RowEvaluator | undefined,
): readonly Row[] {
  if (rows.length === 0) return [];
  assertWritable(snapshot.protocol, snapshot);
  assertDataColumn(snapshot);
  assertNewRows({ schema: snapshot.schema, configuration: snapshot.metadata.configuration }, true, snapshot);
  const rules = compileRules(snapshot, evaluator);
  const checks = columnChecks(snapshot);
  const prepared = rows.map((given, i) => {
    assertColumns(snapshot, given, checks, i);
    const row: Record<string, Value> = {};
    for (const [name, check] of checks) row[name] = checked(snapshot, check, ownValue(given, name), i);
    const fill = ({ column: [name = ""], expression }: CompiledColumn<(row: Row) => unknown>): void => {
      const check = checks.get(name);
      if (ownValue(given, name) === undefined && check !== undefined)
        row[name] = checked(snapshot, check, expression(row), i);
    };
    rules.defaults.forEach(fill);
    rules.generated.forEach(fill);
    return row;
  });
  for (const path of rules.notNull) {
    const violating = prepared.filter((row) => valueAt(row, path) === null);
    if (violating[0] !== undefined) throw notNullViolated(snapshot, path, violating.length, showRow(violating[0]));
  }
  for (const check of rules.checks) {
    const violating = prepared.filter((row) => check.expression(row) !== true);
    if (violating[0] !== undefined) throw checkViolated(snapshot, check, violating.length, showRow(violating[0]));
  }
  return prepared;
}

/** Rows of which only those columns are looked at that the table has; others are left as they are. */
export function prepareSource(snapshot: Snapshot, rows: readonly InputRow[]): readonly InputRow[] {
  const checks = columnChecks(snapshot);
  return rows.map((given, i) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => {
        const check = checks.get(name);
        return [name, check === undefined || value === undefined ? value : checked(snapshot, check, value, i)];
      }),
    ),
  );
}

/** A row after an assignment: generated columns that it does not set are generated anew. */
export function assign(snapshot: Snapshot, row: Row, set: InputRow): InputRow {
  const generated = tableRules(snapshot).generated.flatMap(({ column: [name = ""] }) => (name in set ? [] : [name]));
  const kept = generated.length === 0 ? row : without(row, generated);
  return { ...kept, ...set };
}

function without(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

function columnChecks({ schema }: Snapshot): Map<string, CheckValue> {
  return new Map(schema.fields.map(({ name, type }) => [name, valueCheck(type, [name])]));
}

function assertColumns(
  { table, version }: Snapshot,
  given: InputRow,
  checks: ReadonlyMap<string, CheckValue>,
  i: number,
): void {
  const unknown = Object.keys(given).find((name) => !checks.has(name));
  if (unknown !== undefined)
    throw new DeltaError(
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `Row ${i + 1} has the column ${formatPath([unknown])}, which ${table} does not have.`,
      { table, version, hint: "Leave it out, or add the column to the table first." },
    );
}

function checked({ table, version }: Snapshot, check: CheckValue, value: unknown, i: number): Value {
  try {
    return check(value);
  } catch (cause) {
    if (!(cause instanceof Misfit)) throw cause;
    throw new DeltaError(
      cause.isOverflow ? "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE" : "DELTA_FAILED_TO_MERGE_FIELDS",
      `Row ${i + 1} does not fit the column ${formatPath(cause.path)} of ${table}: ${cause.message}.`,
      { table, version, hint: "Correct the row, or widen the column; nothing was written.", cause },
    );
  }
}

/** For messages. */
export function showRow(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(row, (_key, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    return value instanceof Map ? [...value] : value;
  });
}
