import { DeltaError, reasonOf } from "../error.js";
import { type Definition, refusal } from "../schema/definition.js";
import { type FieldPath, formatPath } from "../schema/field-path.js";
import type { Evaluator } from "./evaluator.js";
import { type CheckRule, type ColumnExpression, type TableRules, tableRules } from "./rules.js";

/** A rule's expression as the engine understands it. */
export interface CompiledCheck<Expression> extends CheckRule {
  readonly expression: Expression;
}

export interface CompiledColumn<Expression> extends ColumnExpression {
  readonly expression: Expression;
}

export interface CompiledRules<Expression> extends Pick<TableRules, "notNull"> {
  /** Each must be TRUE for each new row; among them one for each generated column, its value `<=>` its expression. */
  readonly checks: readonly CompiledCheck<Expression>[];
  readonly generated: readonly CompiledColumn<Expression>[];
  readonly defaults: readonly CompiledColumn<Expression>[];
}

/**
 * The rules of a table for new rows, ready to be applied by an engine. A commit of rows that keep them says
 * `rulesEnforced`.
 *
 * @param evaluator undefined: an engine without SQL, for which tables without expressions are enough
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE with the column or constraint and its expression, where there
 * is no evaluator or it refuses, and for identity columns; DELTA_UNRECOGNIZED_INVARIANT
 */
export function compileRules<Expression>(
  table: Definition,
  evaluator: Evaluator<Expression> | undefined,
): CompiledRules<Expression> {
  const rules = tableRules(table);
  const [identity] = rules.identity;
  if (identity !== undefined)
    throw unsupported(table, `the identity column ${formatPath(identity)}`, undefined, "Write them with Spark.");

  const compile = (sql: string, what: string): Expression => {
    if (evaluator === undefined)
      throw unsupported(table, `${what} (${sql})`, undefined, "Write them with an engine that evaluates SQL.");
    try {
      return evaluator.compile(sql, table.schema);
    } catch (cause) {
      throw unsupported(table, `${what} (${sql})`, cause, `The engine cannot evaluate it: ${reasonOf(cause)}`);
    }
  };
  const compileColumns = (columns: readonly ColumnExpression[], what: string): CompiledColumn<Expression>[] =>
    columns.map((column) => ({
      ...column,
      expression: compile(column.sql, `the ${what} ${formatPath(column.column)}`),
    }));

  const generated = rules.generated.map(({ column, sql }): CheckRule => {
    return { name: formatPath(column), sql: `${formatPath(column)} <=> (${sql})`, kind: "generated" };
  });
  return {
    notNull: rules.notNull,
    checks: [...rules.checks, ...generated].map((check) => ({
      ...check,
      expression: compile(check.sql, `the ${NAMES[check.kind]} ${check.name}`),
    })),
    generated: compileColumns(rules.generated, "generated column"),
    defaults: compileColumns(rules.defaults, "default of"),
  };
}

const NAMES: Readonly<Record<CheckRule["kind"], string>> = {
  constraint: "CHECK constraint",
  invariant: "invariant of",
  length: "length of",
  generated: "generated column",
};

/**
 * Rows that an engine was given have NULL in a column that must not be.
 *
 * @param example a row that has, as text
 */
export function notNullViolated(
  table: Definition,
  column: FieldPath,
  rows: number | bigint,
  example?: string,
): DeltaError {
  return violated(
    table,
    "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
    `NOT NULL constraint violated for column: ${formatPath(column)}. ${told(rows, example)}`,
  );
}

/**
 * Rows that an engine was given do not make a rule TRUE.
 *
 * @param example a row that does not, as text
 */
export function checkViolated(table: Definition, rule: CheckRule, rows: number | bigint, example?: string): DeltaError {
  const code = rule.kind === "length" ? "DELTA_EXCEED_CHAR_VARCHAR_LIMIT" : "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES";
  return violated(
    table,
    code,
    `The ${NAMES[rule.kind]} ${rule.name} (${rule.sql}) is violated. ${told(rows, example)}`,
  );
}

function told(rows: number | bigint, example: string | undefined): string {
  const count = `${rows} ${Number(rows) === 1 ? "row" : "rows"}`;
  return example === undefined ? `${count}.` : `${count}, such as ${example}.`;
}

function violated(table: Definition, code: DeltaError["code"], message: string): DeltaError {
  return refusal(table, code, message, `Correct the rows; nothing was written to ${table.table}.`);
}

function unsupported(table: Definition, what: string, cause: unknown, hint: string): DeltaError {
  return new DeltaError("DELTA_UNSUPPORTED_FEATURES_FOR_WRITE", `New rows of ${table.table} need ${what}.`, {
    table: table.table,
    version: table.version,
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}
