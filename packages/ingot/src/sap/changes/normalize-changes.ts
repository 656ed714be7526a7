import { columnName } from "../column-name.js";
import {
  CHANGE_FORMATS,
  type ChangeFormat,
  type ChangeFormatName,
  controlColumns,
  type Operation,
  type OperationColumn,
  type OperationRule,
} from "./formats.js";

/** The rows of a change file in the one form that changes are applied in. All texts are Spark SQL over its columns. */
export interface NormalizedChanges {
  /** Columns of the row itself, as the file spells them. */
  readonly payload: readonly string[];
  /** Columns that say what happened. */
  readonly operation: readonly string[];
  /** What happened, in the words of a Delta change feed; NULL where the row cannot be applied. */
  readonly changeType: string;
  /** Whether the row is an image that a snapshot cannot take (ADDITIVE_NOT_ALLOWED); undefined where the format has none. */
  readonly additive?: string;
  /** Columns that order the changes of a key; empty: the order of delivery does, and a late change is not seen. */
  readonly sequence: readonly string[];
  readonly ties: "upsert" | "delete";
}

/**
 * Words of a Delta change feed, and `archive_delete`. AUTO CDC counts `update_preimage`, and `archive_delete` where archived
 * rows are kept, and changes nothing by them.
 */
const CHANGE_TYPES: Readonly<Record<Operation, string>> = {
  upsert: "update_postimage",
  delete: "delete",
  archive: "archive_delete",
  before: "update_preimage",
};

/** A change format and the columns of a file do not fit. */
export class ChangeFormatFault extends Error {}

/** @throws ChangeFormatFault where a column of the format is missing, or only a part of its sequence is there */
export function normalizeChanges(name: ChangeFormatName, columns: readonly string[]): NormalizedChanges {
  const format: ChangeFormat = CHANGE_FORMATS[name];
  const spelt = new Map(columns.map((column) => [column.toUpperCase(), column]));
  const find = (names: readonly string[]) => names.map((n) => spelt.get(n)).find((column) => column !== undefined);
  const told = format.operation.map((column) => ({ column, found: find(column.names) }));
  const read = told.map(({ column, found }) => operationText(name, column, found));
  const found = format.sequence.map(find);
  const sequence = found.filter((column) => column !== undefined);
  if (sequence.length > 0 && sequence.length < found.length)
    throw new ChangeFormatFault(
      `${name} orders changes by ${format.sequence.map(([first]) => first).join(", ")}, and the file has ${sequence.join(", ")} alone`,
    );
  const control = new Set(controlColumns(format));
  const changeType =
    operationCase(format.rules, read, (is) => (typeof is === "string" ? `'${CHANGE_TYPES[is]}'` : undefined)) ?? "NULL";
  const additive = operationCase(format.rules, read, (is) => (typeof is === "string" ? undefined : "true"));
  return {
    payload: columns.filter((column) => !control.has(column.toUpperCase())),
    operation: told.flatMap(({ found }) => found ?? []),
    changeType,
    ...(additive === undefined ? {} : { additive: `coalesce(${additive}, false)` }),
    sequence,
    ties: format.ties,
  };
}

/** @throws ChangeFormatFault */
function operationText(format: string, column: OperationColumn, found: string | undefined): string {
  if (found === undefined) {
    if (column.optional === true) return "''";
    throw new ChangeFormatFault(
      `${format} tells its operations by ${column.names.join(" or ")}, and the file has none`,
    );
  }
  const name = columnName(found);
  if (column.as !== "sign") return `coalesce(trim(CAST(${name} AS STRING)), '')`;
  const number = `try_sap_number(${name}, 37, 0, 'plain')`;
  const malformed = `sap_number_reason(${name}, 37, 0, 'plain') IS NOT NULL`;
  return `CASE WHEN ${number} < 0 THEN '-' WHEN ${malformed} THEN '?' ELSE '' END`;
}

function operationCase(
  rules: readonly OperationRule[],
  read: readonly string[],
  give: (is: OperationRule["is"]) => string | undefined,
): string | undefined {
  const whens = rules.flatMap(({ when, is }) => {
    const value = give(is);
    return value === undefined ? [] : [{ test: condition(when, read), value }];
  });
  const [first] = whens;
  if (first === undefined) return undefined;
  if (first.test === "") return first.value;
  if (whens.length === 1) return `CASE WHEN ${first.test} THEN ${first.value} END`;
  return `CASE\n    ${whens.map(({ test, value }) => `WHEN ${test} THEN ${value}`).join("\n    ")}\n  END`;
}

function condition(when: OperationRule["when"], read: readonly string[]): string {
  return when
    .flatMap((values, i) => {
      if (values === undefined) return [];
      const [first, ...others] = values.map((value) => `'${value}'`);
      return others.length === 0 ? `${read[i]} = ${first}` : `${read[i]} IN (${[first, ...others].join(", ")})`;
    })
    .join(" AND ");
}

/** The value of a column of the sequence in the format's order, as Spark SQL; NULL where it is blank. */
export function sequenceValue(name: ChangeFormatName, column: string): string {
  const { order }: ChangeFormat = CHANGE_FORMATS[name];
  const quoted = columnName(column);
  if (order === undefined) return quoted;
  const text = `nullif(trim(CAST(${quoted} AS STRING)), '')`;
  return order === "number"
    ? `lpad(${text}, ${LONGEST_SEQUENCE}, '0')`
    : `rpad(nullif(regexp_replace(${text}, '[^0-9]', ''), ''), ${LONGEST_SEQUENCE}, '0')`;
}

/** Digits of the longest sequences, ODQ_TSN (23) and stamps with nanoseconds among them. */
const LONGEST_SEQUENCE = 40;
