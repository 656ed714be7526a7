import { type Definition, refusal } from "./definition.js";
import { type FieldPath, fieldsWithin, formatPath, startsWith } from "./field-path.js";

/** An expression that the table keeps, in Spark's SQL. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

/** The table's CHECK constraints, by their property `delta.constraints.…`. */
export function checkConstraints({ metadata }: Pick<Definition, "metadata">): NamedExpression[] {
  return Object.entries(metadata.configuration).flatMap(([key, expression]) =>
    key.toLowerCase().startsWith("delta.constraints.") && expression !== null
      ? [{ name: key.slice("delta.constraints.".length), expression }]
      : [],
  );
}

/**
 * Passes when no CHECK constraint, invariant or generated column mentions the field, a field within it or one around
 * it, so that it may be renamed, dropped or get another type.
 *
 * @param change what is to be done, as the end of a sentence
 * @param isDropped the field goes, and the expressions that it carries itself with it
 * @throws DeltaError DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE, DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE
 */
export function assertNotReferenced(table: Definition, path: FieldPath, change: string, isDropped = false): void {
  const remaining = (key: string) =>
    expressionsIn(table, key).filter(({ column }) => !(isDropped && startsWith(column, path)));
  const invariants = remaining("delta.invariants");
  const constraint = [...checkConstraints(table), ...invariants].find(({ expression }) => mentions(expression, path));
  if (constraint !== undefined)
    throw refusal(
      table,
      "DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE",
      `The column ${formatPath(path)} of ${table.table} cannot ${change}: the constraint ${constraint.name} (${constraint.expression}) uses it.`,
      "Drop the constraint, change the column, and add the constraint again.",
    );
  const generated = remaining("delta.generationExpression").find(({ expression }) => mentions(expression, path));
  if (generated !== undefined)
    throw refusal(
      table,
      "DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE",
      `The column ${formatPath(path)} of ${table.table} cannot ${change}: the generated column ${generated.name} (${generated.expression}) uses it.`,
      "Drop the generated column first.",
    );
}

/**
 * Whether an expression may mention a field. It is read word by word, so it is true, too, for a keyword that is spelled
 * as the field; text in quotes and names of functions do not count.
 */
export function mentions(expression: string, path: FieldPath): boolean {
  return references(expression).some((reference) => {
    const length = Math.min(reference.length, path.length);
    return startsWith(reference.slice(0, length), path.slice(0, length));
  });
}

const TOKEN =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`((?:[^`]|``)+)`|([\p{L}_][\p{L}\p{N}_]*)|\d[\w.]*|\s+|--[^\n]*|./gsu;

/** The chains of names in an expression: `a.b` is [a, b]. */
function references(expression: string): FieldPath[] {
  const found: string[][] = [];
  let chain: string[] | undefined;
  let afterDot = false;
  for (const [text, quoted, word] of expression.matchAll(TOKEN)) {
    if (/^\s|^--/.test(text)) continue;
    const name = quoted?.replaceAll("``", "`") ?? word;
    if (name !== undefined) {
      if (afterDot) chain?.push(name);
      else {
        chain = [name];
        found.push(chain);
      }
      afterDot = false;
    } else if (text === ".") afterDot = true;
    else {
      if (text === "(" && chain?.length === 1 && found.at(-1) === chain) found.pop();
      chain = undefined;
      afterDot = false;
    }
  }
  return found;
}

function expressionsIn({ schema }: Definition, key: string): (NamedExpression & { readonly column: FieldPath })[] {
  return [...fieldsWithin(schema)].flatMap(({ path, field }) => {
    const expression = field.metadata[key];
    return typeof expression === "string" ? [{ name: formatPath(path), column: path, expression }] : [];
  });
}
