import { quoteIdentifier } from "../../model/name.js";
import {
  CHANGE_FORMATS,
  type ChangeFormat,
  type ChangeFormatName,
  controlColumns,
  type OperationColumn,
  type OperationRule,
} from "./formats.js";

/** The rows of a change file in the one form that changes are applied in. All texts are Spark SQL over its columns. */
export interface NormalizedChanges {
  /** Columns of the row itself, as the file spells them. */
  readonly payload: readonly string[];
  /** `upsert`, `delete` or `before`; NULL where `reason` is not. */
  readonly operation: string;
  /** The row takes its key away. Never NULL. */
  readonly deletes: string;
  /** The row says what was before, and changes nothing. Never NULL. */
  readonly before: string;
  /** Why the row cannot be applied: UNKNOWN_OP or ADDITIVE_NOT_ALLOWED, for quarantine; NULL where it can. */
  readonly reason: string;
  /** Columns that order the changes of a key; empty: the order of delivery does, and a late change is not seen. */
  readonly sequence: readonly string[];
  readonly ties: "upsert" | "delete";
}

/** A change format and the columns of a file do not fit. */
export class ChangeFormatFault extends Error {}

/** @throws ChangeFormatFault where a column of the format is missing, or only a part of its sequence is there */
export function normalizeChanges(name: ChangeFormatName, columns: readonly string[]): NormalizedChanges {
  const format: ChangeFormat = CHANGE_FORMATS[name];
  const spelt = new Map(columns.map((column) => [column.toUpperCase(), column]));
  const find = (names: readonly string[]) => names.map((n) => spelt.get(n)).find((column) => column !== undefined);
  const read = format.operation.map((column) => operationText(name, column, find(column.names)));
  const found = format.sequence.map(find);
  const sequence = found.filter((column) => column !== undefined);
  if (sequence.length > 0 && sequence.length < found.length)
    throw new ChangeFormatFault(
      `${name} orders changes by ${format.sequence.map(([first]) => first).join(", ")}, and the file has ${sequence.join(", ")} alone`,
    );
  const control = new Set(controlColumns(format));
  const operation = operationCase(format.rules, read, (is) => (typeof is === "string" ? `'${is}'` : undefined));
  return {
    payload: columns.filter((column) => !control.has(column.toUpperCase())),
    operation,
    deletes: `coalesce(${operation} = 'delete', false)`,
    before: `coalesce(${operation} = 'before', false)`,
    reason: `CASE WHEN ${operation} IS NULL THEN coalesce(${refusals(format.rules, read)}, 'UNKNOWN_OP') END`,
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
  const name = quoteIdentifier(found);
  if (column.as !== "sign") return `coalesce(trim(CAST(${name} AS STRING)), '')`;
  const number = `try_sap_number(${name}, 37, 0, 'plain')`;
  const malformed = `sap_number_reason(${name}, 37, 0, 'plain') IS NOT NULL`;
  return `CASE WHEN ${number} < 0 THEN '-' WHEN ${malformed} THEN '?' ELSE '' END`;
}

function operationCase(
  rules: readonly OperationRule[],
  read: readonly string[],
  give: (is: OperationRule["is"]) => string | undefined,
): string {
  const whens = rules.flatMap(({ when, is }) => {
    const value = give(is);
    return value === undefined ? [] : [{ test: condition(when, read), value }];
  });
  const [first] = whens;
  if (first === undefined) return "CAST(NULL AS STRING)";
  if (first.test === "") return first.value;
  return `CASE ${whens.map(({ test, value }) => `WHEN ${test} THEN ${value}`).join(" ")} END`;
}

function refusals(rules: readonly OperationRule[], read: readonly string[]): string {
  return operationCase(rules, read, (is) => (typeof is === "string" ? undefined : `'${is.refused}'`));
}

function condition(when: OperationRule["when"], read: readonly string[]): string {
  return when
    .flatMap((values, i) => {
      if (values === undefined) return [];
      return `${read[i]} IN (${values.map((value) => `'${value}'`).join(", ")})`;
    })
    .join(" AND ");
}

/**
 * The query of a view that reads changes in the one form: the row's columns, `_operation` and `_operation_reason`, and
 * the columns of the sequence. Rows of all operations are there: before images are counted, and what has a reason is
 * quarantined, by who applies the changes.
 *
 * @param from what stands behind FROM, such as `STREAM bronze.vbak`
 */
export function changeView(changes: NormalizedChanges, from: string): string {
  const { payload, operation, reason, sequence } = changes;
  const columns = [...payload, ...sequence].map(quoteIdentifier);
  const list = [...columns, `${operation} AS _operation`, `${reason} AS _operation_reason`];
  return `SELECT\n  ${list.join(",\n  ")}\nFROM ${from}`;
}
