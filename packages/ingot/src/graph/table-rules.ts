import { type Field, fieldNamed, formatType } from "../model/data-type.js";
import type { Dataset, Expectation } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName } from "../model/name.js";
import { nearest } from "../model/nearest.js";
import { type Position, positionAt, type SqlText } from "../model/position.js";
import type { Relation } from "../model/query.js";
import type { RowRule } from "../model/rule.js";
import type { SingleValueFact, TableFact } from "../model/table-fact.js";
import type { Compiler, ExpressionCompiler } from "../sql/compiler.js";
import { quoteName } from "../sql/quote.js";
import { readTableRule, type TableRule } from "../sql/statements/table-rule.js";
import { sourceQuery } from "./change-query.js";
import { type GraphFlow, isTable } from "./graph.js";

type OfKind<K extends TableRule["kind"]> = TableRule & { readonly kind: K };

/** What has no meaning of the rules over the whole table: where they are declared, or what they do to rows. */
export function* unknownTableRules(dataset: Dataset): Generator<[what: string, at: Position]> {
  if (dataset.kind === "view") return;
  for (const { name, action, condition, wholeTable, at } of dataset.expectations) {
    if (wholeTable !== true) continue;
    const { kind } = readTableRule(condition);
    const what = `the ${kind} expectation \`${name}\``;
    const isFact = kind === "row count" || kind === "freshness";
    if (kind !== "references" && !isTable(dataset)) yield [`${what} of a view`, at];
    else if (kind === "single value" && action !== "warn")
      yield [`ON VIOLATION of ${what}, which is looked for behind the commit,`, at];
    else if (kind === "unique" && action === "drop")
      yield [`ON VIOLATION DROP ROW of ${what}, by which each of two equal rows would go,`, at];
    else if (isFact && (action === "drop" || action === "quarantine"))
      yield [`ON VIOLATION ${action.toUpperCase()} ROW of ${what}, which is about no single row,`, at];
  }
}

/**
 * What is unique, how many rows there are and how fresh they are is looked for in the rows of one flow and in those that
 * the table has.
 *
 * @throws IngotError NOT_SUPPORTED for tables that several flows fill, or whose flow changes rows
 */
export function refuseSharedTable(dataset: Dataset, flows: readonly GraphFlow[]): void {
  const why =
    flows.length > 1
      ? "which several flows fill"
      : flows[0]?.changes !== undefined
        ? "whose flow changes rows"
        : undefined;
  if (why === undefined) return;
  for (const { name, condition, wholeTable, at } of dataset.expectations) {
    if (wholeTable !== true) continue;
    const { kind } = readTableRule(condition);
    if (kind === "references" || kind === "single value") continue;
    const object = formatName(dataset.name);
    throw new IngotError("NOT_SUPPORTED", `${object}: the ${kind} expectation \`${name}\` of a table ${why}`, {
      at,
      object,
      hint: "Declare it on a materialized view over the table.",
    });
  }
}

/** Id of the input that a rule looks at. */
export function referenceId(rule: string): string {
  return `rule ${rule}`;
}

/**
 * The tables that the rules of a dataset refer to, as relations beside those of a query.
 *
 * @throws IngotError NOT_SUPPORTED for what is no table
 */
export async function ruleReferences(
  dataset: Dataset,
  compiler: Compiler,
): Promise<Exclude<Relation, { kind: "files" }>[]> {
  const relations: Exclude<Relation, { kind: "files" }>[] = [];
  for (const { name, condition, wholeTable, at } of dataset.expectations) {
    const rule = wholeTable === true ? readTableRule(condition) : undefined;
    if (rule?.kind !== "references") continue;
    const [relation] = await compiler.relations(sourceQuery({ source: rule.target }));
    if (relation === undefined || relation.kind === "files") throw noTable(dataset, referenceId(name), at);
    relations.push({ ...relation, id: referenceId(name) });
  }
  return relations;
}

/** NOT_SUPPORTED: a rule refers to what is no table. @param id of the input: see `referenceId` */
export function noTable(dataset: Dataset, id: string, at: Position): IngotError {
  const object = formatName(dataset.name);
  return new IngotError("NOT_SUPPORTED", `${object}: the ${id} refers to what is no table`, {
    at,
    object,
    hint: "Refer to a streaming table, a materialized view or a table of another pipeline.",
  });
}

/** The keys of which each row is to be the only one. @throws IngotError UNRESOLVED_COLUMN.WITH_SUGGESTION */
export function typeUnique(rule: OfKind<"unique">, columns: readonly Field[], text: SqlText): string[] {
  return rule.columns.map((column) => fieldOf(column, columns, text).name);
}

/**
 * The rule that the values of a row stand together in another table.
 *
 * @param target columns of that table
 * @throws IngotError UNRESOLVED_COLUMN.WITH_SUGGESTION, and where two columns cannot be compared what Spark says
 */
export async function typeReferences(
  name: string,
  rule: OfKind<"references">,
  { columns, target, text }: { columns: readonly Field[]; target: readonly Field[]; text: SqlText },
  compileExpression: ExpressionCompiler,
): Promise<Pick<RowRule, "condition" | "spark" | "reference">> {
  const own = rule.columns.map((column) => fieldOf(column, columns, text));
  const others = rule.others.map((column, i) => ({ field: fieldOf(column, target, text), as: `__ingot_other_${i}` }));
  const pairs = own.map((field, i) => `${quoteName(field.name)} = ${quoteName(others[i]?.as ?? "")}`);
  const { duckdb, spark } = await compileExpression(
    { text: pairs.join(" AND "), segments: [{ start: 0, ...positionAt(text, 0) }] },
    [...own, ...others.map(({ field, as }) => ({ ...field, name: as }))],
    `The rule ${name}`,
  );
  return {
    condition: duckdb,
    spark,
    reference: {
      input: referenceId(name),
      columns: own.map((field) => field.name),
      others: others.map(({ field, as }) => ({ column: field.name, as })),
    },
  };
}

/** @throws IngotError UNRESOLVED_COLUMN.WITH_SUGGESTION, DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE */
export function typeFact(
  { name, action, condition }: Expectation,
  rule: OfKind<"row count" | "freshness">,
  columns: readonly Field[],
): TableFact {
  const about = { name, action: action === "warn" ? "warn" : "fail" } as const;
  if (rule.kind === "row count") return { ...about, ...rule };
  const column = fieldOf(rule.column, columns, condition);
  if (column.type.kind === "timestamp" || column.type.kind === "date")
    return { ...about, kind: "freshness", seconds: rule.seconds, column: { name: column.name, type: column.type } };
  const type = formatType(column.type).toUpperCase();
  throw new IngotError(
    "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
    `The expectation ${name} asks how fresh ${column.name} is, which is ${type}`,
    { at: positionAt(condition, 0), object: name, hint: "Name a column of TIMESTAMP or DATE." },
  );
}

/**
 * The columns of a dataset that should have one value.
 *
 * @param columns of the dataset
 * @throws IngotError UNRESOLVED_COLUMN.WITH_SUGGESTION
 */
export function singleValues(dataset: Dataset, columns: readonly Field[]): SingleValueFact[] {
  return dataset.expectations.flatMap(({ name, condition, wholeTable }) => {
    const rule = wholeTable === true ? readTableRule(condition) : undefined;
    if (rule?.kind !== "single value") return [];
    const column = fieldOf(rule.column, columns, condition).name;
    const isSensitive = dataset.columns?.some((c) => c.sensitive === true && c.name === column) === true;
    return [{ name, column, ...(isSensitive ? { sensitive: true as const } : {}) }];
  });
}

function fieldOf(column: string, columns: readonly Field[], text: SqlText): Field {
  const field = fieldNamed(columns, column);
  if (field !== undefined) return field;
  const names = columns.map(({ name }) => name);
  const near = nearest(column, names);
  throw new IngotError("UNRESOLVED_COLUMN.WITH_SUGGESTION", `There is no column ${column}`, {
    at: positionAt(text, 0),
    object: column,
    hint: near === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}
