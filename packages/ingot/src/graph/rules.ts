import { createHash } from "node:crypto";
import { type Field, fieldNamed, formatType } from "../model/data-type.js";
import type { Dataset, Expectation } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import type { ErrorCode } from "../model/error-catalogue.js";
import { completeName, formatName, splitName, type TableName } from "../model/name.js";
import { positionAt } from "../model/position.js";
import { QUARANTINE_COLUMNS } from "../model/quarantine.js";
import type { RowRule, RowRules } from "../model/rule.js";
import type { TableFact } from "../model/table-fact.js";
import type { ExpressionCompiler } from "../sql/compiler.js";
import { printText } from "../sql/statements/print-text.js";
import { readTableRule, type TableRule } from "../sql/statements/table-rule.js";
import { type Places, privateFolder, tableFolder } from "./places.js";
import { referenceId, typeFact, typeReferences, typeUnique } from "./table-rules.js";

/**
 * The row rules of a dataset, typed against the rows of one of its queries.
 *
 * @param columns of the query
 * @param all columns of the dataset: those that the query lacks are NULL in its rows
 * @param references columns of the tables that rules refer to, by `referenceId`
 * @param before rules that nobody declared by name
 * @throws IngotError BAD_OPTION for two rules of a name, DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE,
 * INVALID_NON_DETERMINISTIC_EXPRESSIONS, and what compiling an expression throws
 */
export async function typeRules(
  dataset: Dataset,
  columns: readonly Field[],
  all: readonly Field[],
  { places, compileExpression }: { readonly places: Places; readonly compileExpression: ExpressionCompiler },
  references: ReadonlyMap<string, readonly Field[]>,
  before: readonly RowRule[] = [],
): Promise<RowRules | undefined> {
  refuseTwins(dataset);
  const absent = all.filter((field) => fieldNamed(columns, field.name) === undefined);
  const own = [...columns, ...absent];
  const rules = [...before];
  const facts: TableFact[] = [];
  for (const expectation of dataset.expectations) {
    const over = expectation.wholeTable === true ? readTableRule(expectation.condition) : undefined;
    // Looked for behind the commit: see `singleValues`.
    if (over?.kind === "single value") continue;
    if (over === undefined) rules.push(await typeRule(expectation, own, dataset, compileExpression));
    else if (over.kind === "row count" || over.kind === "freshness") facts.push(typeFact(expectation, over, own));
    else rules.push(await typeTableRule(expectation, over, own, references, compileExpression));
  }
  if (rules.length + facts.length === 0) return undefined;
  const name = quarantineName(dataset);
  const isQuarantining = rules.some((rule) => rule.action === "quarantine");
  if (isQuarantining) refuseReserved(dataset, own);
  return {
    dataset: formatName(dataset.name),
    rules,
    ...(facts.length === 0 ? {} : { facts }),
    absent,
    sensitive: (dataset.columns ?? []).filter((c) => c.sensitive === true).map((c) => c.name),
    ...(dataset.gate === undefined ? {} : { gate: dataset.gate }),
    ...(isQuarantining ? { quarantine: { name: formatName(name), location: quarantineFolder(dataset, places) } } : {}),
  };
}

/** Found when the project is read, and not when the first row is set aside. */
function refuseReserved(dataset: Dataset, columns: readonly Field[]): void {
  const taken = columns.find(({ name }) => fieldNamed(QUARANTINE_COLUMNS, name) !== undefined);
  if (taken === undefined) return;
  const name = formatName(quarantineName(dataset));
  throw new IngotError(
    "COLUMN_ALREADY_EXISTS",
    `${name}: rows that go there have a column ${taken.name} of their own`,
    {
      at: dataset.at,
      object: name,
      hint: `A quarantine writes ${QUARANTINE_COLUMNS.map((c) => c.name).join(", ")} beside each row: give the column another name.`,
    },
  );
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
  { name, condition, action, status }: Expectation,
  columns: readonly Field[],
  dataset: Dataset,
  compileExpression: ExpressionCompiler,
): Promise<RowRule> {
  const { duckdb, spark, type, deterministic } = await compileExpression(condition, columns, `The rule ${name}`);
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
  return { name, action, condition: duckdb, spark, status: status ?? name, version: versionOf(duckdb) };
}

async function typeTableRule(
  { name, condition, action, status }: Expectation,
  rule: TableRule & { readonly kind: "unique" | "references" },
  columns: readonly Field[],
  references: ReadonlyMap<string, readonly Field[]>,
  compileExpression: ExpressionCompiler,
): Promise<RowRule> {
  const about = { name, action, status: status ?? name };
  if (rule.kind === "unique") {
    const keys = typeUnique(rule, columns, condition);
    return { ...about, condition: "", keys, version: versionOf(keys.join("\u0000")) };
  }
  const target = references.get(referenceId(name)) ?? [];
  const typed = await typeReferences(name, rule, { columns, target, text: condition }, compileExpression);
  return { ...about, ...typed, version: versionOf(JSON.stringify([typed, printText(rule.target)])) };
}

function versionOf(meaning: string): string {
  return createHash("sha256").update(meaning).digest("hex").slice(0, 12);
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
