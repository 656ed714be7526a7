import { createHash } from "node:crypto";
import { type Field, fieldNamed, formatType } from "../model/data-type.js";
import type { Dataset, Expectation } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import type { ErrorCode } from "../model/error-catalogue.js";
import { completeName, formatName, splitName, type TableName } from "../model/name.js";
import { nearest } from "../model/nearest.js";
import { positionAt, type SqlText } from "../model/position.js";
import type { RowRule, RowRules } from "../model/rule.js";
import type { ExpressionCompiler } from "../sql/compiler.js";
import { readColumns } from "../sql/read-columns.js";
import type { GraphFlow } from "./graph.js";
import { type Places, privateFolder, tableFolder } from "./places.js";

/**
 * The row rules of a dataset, typed against the rows of one of its queries.
 *
 * @param columns of the query
 * @param all columns of the dataset: those that the query lacks are NULL in its rows
 * @param before rules that nobody declared by name
 * @throws IngotError BAD_OPTION for two rules of a name, DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE,
 * INVALID_NON_DETERMINISTIC_EXPRESSIONS, and what compiling an expression throws
 */
export async function typeRules(
  dataset: Dataset,
  columns: readonly Field[],
  all: readonly Field[],
  { places, compileExpression }: { readonly places: Places; readonly compileExpression: ExpressionCompiler },
  before: readonly RowRule[] = [],
): Promise<RowRules | undefined> {
  const declared = dataset.expectations;
  if (declared.length + before.length === 0) return undefined;
  refuseTwins(dataset);
  const absent = all.filter((field) => fieldNamed(columns, field.name) === undefined);
  const rules = [...before];
  for (const rule of declared) rules.push(await typeRule(rule, [...columns, ...absent], dataset, compileExpression));
  const name = quarantineName(dataset);
  return {
    dataset: formatName(dataset.name),
    rules,
    absent,
    sensitive: (dataset.columns ?? []).filter((c) => c.sensitive === true).map((c) => c.name),
    ...(dataset.gate === undefined ? {} : { gate: dataset.gate }),
    ...(rules.some((rule) => rule.action === "quarantine")
      ? { quarantine: { name: formatName(name), location: quarantineFolder(dataset, places) } }
      : {}),
  };
}

/**
 * What is unique is looked for in the rows of one flow and in those that the table has.
 *
 * @throws IngotError NOT_SUPPORTED for tables that several flows fill, or whose flow changes rows
 */
export function refuseSharedKeys(dataset: Dataset, flows: readonly GraphFlow[]): void {
  const rule = dataset.expectations.find((e) => e.scope === "unique");
  const why =
    flows.length > 1
      ? "which several flows fill"
      : flows[0]?.changes !== undefined
        ? "whose flow changes rows"
        : undefined;
  if (rule === undefined || why === undefined) return;
  const object = formatName(dataset.name);
  throw new IngotError("NOT_SUPPORTED", `${object}: the unique expectation \`${rule.name}\` of a table ${why}`, {
    at: rule.at,
    object,
    hint: "Declare it on a materialized view over the table.",
  });
}

/** `<name>_quarantine` beside the dataset, or the table that its option names. */
export function quarantineName({ name, quarantine }: Dataset): TableName {
  return quarantine === undefined
    ? { ...name, table: `${name.table}_quarantine` }
    : completeName(splitName(quarantine), name);
}

export function quarantineFolder(dataset: Dataset, places: Places): string {
  const name = quarantineName(dataset);
  return dataset.private === true ? privateFolder(name, places) : tableFolder(name, places, dataset.at);
}

async function typeRule(
  { name, condition, action, status, scope }: Expectation,
  columns: readonly Field[],
  dataset: Dataset,
  compileExpression: ExpressionCompiler,
): Promise<RowRule> {
  if (scope === "unique") {
    const keys = readColumns(condition).map((column) => keyOf(column, columns, condition));
    return { name, action, condition: "", keys, status: status ?? name, version: versionOf(keys.join("\u0000")) };
  }
  const { duckdb, type, deterministic } = await compileExpression(condition, columns, `The rule ${name}`);
  const refuse = (code: ErrorCode, why: string, hint: string) =>
    new IngotError(code, `${formatName(dataset.name)}: the expectation ${name} ${why}`, {
      at: positionAt(condition, 0),
      object: name,
      hint,
    });
  if (type.kind !== "boolean")
    throw refuse(
      "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
      `is ${formatType(type).toUpperCase()}, and a condition is BOOLEAN`,
      "Compare it with something.",
    );
  if (!deterministic)
    throw refuse(
      "INVALID_NON_DETERMINISTIC_EXPRESSIONS",
      "asks a clock or draws random numbers",
      "A batch that is done again must come to the same rows: compare with a column, such as the time of loading.",
    );
  return { name, action, condition: duckdb, status: status ?? name, version: versionOf(duckdb) };
}

function versionOf(meaning: string): string {
  return createHash("sha256").update(meaning).digest("hex").slice(0, 12);
}

function keyOf(column: string, columns: readonly Field[], condition: SqlText): string {
  const field = fieldNamed(columns, column);
  if (field !== undefined) return field.name;
  const names = columns.map(({ name }) => name);
  const near = nearest(column, names);
  throw new IngotError("UNRESOLVED_COLUMN.WITH_SUGGESTION", `There is no column ${column} to be unique`, {
    at: positionAt(condition, 0),
    object: column,
    hint: near === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}

function refuseTwins(dataset: Dataset): void {
  const seen = new Set<string>();
  for (const { name, at } of dataset.expectations) {
    if (seen.has(name))
      throw new IngotError("BAD_OPTION", `${formatName(dataset.name)}: two expectations are called ${name}`, {
        at,
        object: name,
        hint: "Rename one: the counts of a run are reported by name.",
      });
    seen.add(name);
  }
}
