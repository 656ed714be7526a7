import { DeltaError } from "../error.js";
import type { ColumnPath, Comparison, Condition } from "../files/condition.js";
import { compareKeys, keyOfLiteral, type SortKey } from "../files/sort-key.js";
import { findPlace, formatPath } from "../schema/field-path.js";
import type { DataType, StructType } from "../schema/schema.js";
import { type Row, type Value, valueAt } from "./value.js";
import { hasOrder, valueKey } from "./value-key.js";

/** A condition's truth for a row; null where SQL knows neither. */
export type RowTest = (row: Row) => boolean | null;

/** A table's name and columns, and for messages its version. */
export interface TestedTable {
  readonly table: string;
  readonly version: bigint;
  readonly schema: StructType;
}

/**
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, DELTA_OPERATION_NOT_ALLOWED for a part that says nothing and for
 * comparisons of nested types; TypeError for a literal that is no value of its column's type
 */
export function conditionTest(condition: Condition, table: TestedTable): RowTest {
  switch (condition.kind) {
    case "and":
      return allOf(condition.conditions.map((part) => conditionTest(part, table)));
    case "or": {
      const none = allOf(condition.conditions.map((part) => not(conditionTest(part, table))));
      return not(none);
    }
    case "not":
      return not(conditionTest(condition.condition, table));
    case "unknown":
      throw refuse(table, "a condition with an unknown part cannot be tested on rows");
    case "isNull": {
      const { read } = columnOf(condition.column, table);
      return (row) => read(row) === null;
    }
    case "startsWith": {
      const { read, type } = columnOf(condition.column, table);
      if (type.kind !== "string") throw refuse(table, `${formatPath(condition.column)} is no string`);
      return ofPresent(read, (value) => (value as string).startsWith(condition.prefix));
    }
    case "in": {
      const { read, keyOf, type } = comparable(condition.column, table);
      const keys = condition.values.map((value) => (value === null ? null : keyOfLiteral(type, value)));
      const hasNull = keys.includes(null);
      return ofPresent(read, (value) => {
        const key = keyOf(value);
        return keys.some((other) => other !== null && compareKeys(key, other) === 0) || (hasNull ? null : false);
      });
    }
    case "compare": {
      const { read, keyOf, type } = comparable(condition.column, table);
      const { operator, value: literal } = condition;
      if (literal === null) return operator === "<=>" ? (row) => read(row) === null : () => null;
      const other = keyOfLiteral(type, literal);
      const holds = (value: Value): boolean => COMPARE[operator](compareKeys(keyOf(value), other));
      return operator === "<=>"
        ? (row) => {
            const value = read(row);
            return value !== null && holds(value);
          }
        : ofPresent(read, holds);
    }
  }
}

const COMPARE: Readonly<Record<Comparison, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<=>": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

type Read = (row: Row) => Value;

function columnOf(path: ColumnPath, table: TestedTable): { readonly read: Read; readonly type: DataType } {
  const place = findPlace(table.schema, path);
  if (place === undefined || place.field === undefined)
    throw new DeltaError(
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `Version ${table.version} of ${table.table} has no column ${formatPath(path)}.`,
      { table: table.table, version: table.version, hint: "See the table's schema for its columns." },
    );
  const { path: names, type } = place;
  return { type, read: (row) => valueAt(row, names) };
}

function comparable(
  path: ColumnPath,
  table: TestedTable,
): ReturnType<typeof columnOf> & { readonly keyOf: (value: Value) => SortKey } {
  const column = columnOf(path, table);
  if (!hasOrder(column.type)) throw refuse(table, `${formatPath(path)} is of the nested type ${column.type.kind}`);
  return { ...column, keyOf: (value) => valueKey(column.type, value) };
}

function ofPresent(read: Read, test: (value: Value) => boolean | null): RowTest {
  return (row) => {
    const value = read(row);
    return value === null ? null : test(value);
  };
}

function not(test: RowTest): RowTest {
  return (row) => {
    const truth = test(row);
    return truth === null ? null : !truth;
  };
}

function allOf(tests: readonly RowTest[]): RowTest {
  return (row) => {
    let truth: boolean | null = true;
    for (const test of tests) {
      const part = test(row);
      if (part === false) return false;
      if (part === null) truth = null;
    }
    return truth;
  };
}

function refuse({ table, version }: TestedTable, reason: string): DeltaError {
  return new DeltaError("DELTA_OPERATION_NOT_ALLOWED", `The rows of ${table} cannot be selected: ${reason}.`, {
    table,
    version,
    hint: "Give a function of the row instead.",
  });
}
