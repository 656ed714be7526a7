import type { ColumnPath, Condition, Literal } from "../files/condition.js";
import { formatPath } from "../schema/field-path.js";

/** A condition as SQL, to be read by people in a table's history. */
export function formatCondition(condition: Condition): string {
  switch (condition.kind) {
    case "compare":
      return `${formatPath(condition.column)} ${condition.operator} ${formatLiteral(condition.value)}`;
    case "in":
      return `${formatPath(condition.column)} IN (${condition.values.map(formatLiteral).join(", ")})`;
    case "isNull":
      return `${formatPath(condition.column)} IS NULL`;
    case "startsWith":
      return `startswith(${formatPath(condition.column)}, ${formatLiteral(condition.prefix)})`;
    case "and":
    case "or":
      return `(${condition.conditions.map(formatCondition).join(` ${condition.kind.toUpperCase()} `)})`;
    case "not":
      return `NOT (${formatCondition(condition.condition)})`;
    case "unknown":
      return "…";
  }
}

function formatLiteral(value: Literal | null): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `'${value.replaceAll("'", "\\'")}'`;
  return value instanceof Uint8Array ? `X'${Buffer.from(value).toString("hex")}'` : value.toString();
}

/** The columns that a condition names. */
export function columnsOf(condition: Condition): ColumnPath[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.conditions.flatMap(columnsOf);
    case "not":
      return columnsOf(condition.condition);
    case "unknown":
      return [];
    default:
      return [condition.column];
  }
}
