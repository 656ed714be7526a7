import { isObject, parseJson } from "../log/json.js";
import { type Definition, refusal } from "../schema/definition.js";
import { checkConstraints } from "../schema/expression-references.js";
import { type FieldPath, formatPath } from "../schema/field-path.js";
import type { Field, StructType } from "../schema/schema.js";

/** A condition in Spark's SQL that every new row must make TRUE: FALSE and NULL both violate it. */
export interface CheckRule {
  /** A CHECK constraint's name, else the column's. */
  readonly name: string;
  readonly sql: string;
  readonly kind: "constraint" | "invariant" | "length" | "generated";
}

/** An expression in Spark's SQL that gives a column its value. */
export interface ColumnExpression {
  readonly column: FieldPath;
  readonly sql: string;
}

/** What new rows of a table must obey; expressions are over the columns as users know them. */
export interface TableRules {
  /** Columns and fields of structs that must not be NULL; where a struct around is NULL the field is, too. */
  readonly notNull: readonly FieldPath[];
  readonly checks: readonly CheckRule[];
  /** A row that states such a column must state what the expression gives (`<=>`); else the expression is its value. */
  readonly generated: readonly ColumnExpression[];
  /** The value of a column that a write does not state. */
  readonly defaults: readonly ColumnExpression[];
  /** Columns whose values the table hands out. */
  readonly identity: readonly FieldPath[];
}

/**
 * The rules of a table for new rows. Within lists and maps there are none, as in Spark.
 * Source: the Delta protocol, "Column Invariants", "CHECK Constraints", "Generated Columns", "Default Columns",
 * "Identity Columns"; for CHAR(n) and VARCHAR(n) Spark's key `__CHAR_VARCHAR_TYPE_STRING`.
 *
 * @throws DeltaError DELTA_UNRECOGNIZED_INVARIANT
 */
export function tableRules(table: Definition): TableRules {
  const fields = [...fieldsOfStructs(table.schema, [])];
  const expressions = (key: string): ColumnExpression[] =>
    fields.flatMap(({ path, field }) => {
      const sql = field.metadata[key];
      return typeof sql === "string" ? [{ column: path, sql }] : [];
    });
  return {
    notNull: fields.filter(({ field }) => !field.nullable).map(({ path }) => path),
    checks: [
      ...checkConstraints(table).map(({ name, expression }) => ({
        name,
        sql: expression,
        kind: "constraint" as const,
      })),
      ...fields.flatMap(({ path, field }) => [...invariant(table, path, field), ...length(path, field)]),
    ],
    generated: expressions("delta.generationExpression"),
    defaults: expressions("CURRENT_DEFAULT"),
    identity: fields.filter(({ field }) => field.metadata["delta.identity.step"] !== undefined).map(({ path }) => path),
  };
}

function* fieldsOfStructs(struct: StructType, parent: FieldPath): Generator<{ path: FieldPath; field: Field }> {
  for (const field of struct.fields) {
    const path = [...parent, field.name];
    yield { path, field };
    if (field.type.kind === "struct") yield* fieldsOfStructs(field.type, path);
  }
}

function invariant(table: Definition, path: FieldPath, field: Field): CheckRule[] {
  const text = field.metadata["delta.invariants"];
  if (text === undefined) return [];
  const sql = typeof text === "string" ? expressionOf(text) : undefined;
  if (sql !== undefined) return [{ name: formatPath(path), sql, kind: "invariant" }];
  throw refusal(
    table,
    "DELTA_UNRECOGNIZED_INVARIANT",
    `The invariant of ${formatPath(path)} in ${table.table} cannot be read: ${String(text)}.`,
    "Repair the key delta.invariants in the column's metadata with the engine that wrote it.",
  );
}

/** `{"expression": {"expression": "x > 3"}}` */
function expressionOf(text: string): string | undefined {
  try {
    const rule = parseJson(text);
    const outer = isObject(rule) ? rule["expression"] : undefined;
    const sql = isObject(outer) ? outer["expression"] : undefined;
    return typeof sql === "string" ? sql : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** CHAR and VARCHAR are strings to Delta; how long they may be stands in the field's metadata. */
function length(path: FieldPath, field: Field): CheckRule[] {
  const declared = field.metadata["__CHAR_VARCHAR_TYPE_STRING"];
  const most = typeof declared === "string" ? /^(?:var)?char\((\d+)\)$/.exec(declared)?.[1] : undefined;
  if (most === undefined) return [];
  const column = formatPath(path);
  return [{ name: column, sql: `${column} IS NULL OR length(${column}) <= ${most}`, kind: "length" }];
}
