import type { DuckDBConnection } from "@duckdb/node-api";
import { type CompiledRules, checkViolated, type Definition, notNullViolated } from "@ingot/delta";
import { quoteName, quoteText } from "../../../sql/lower/lower-text.js";

/** A query whose rows keep a table's rules: it stops at the first row that does not. */
export function enforceRules(query: string, rules: CompiledRules<string>): string {
  const guards = conditionsOf(rules).map(
    (condition, i) => `CASE WHEN ${condition} THEN true ELSE error('${marker(i)}') END`,
  );
  return guards.length === 0 ? query : `SELECT * FROM (${query}) WHERE ${guards.join(" AND ")}`;
}

/** The error of a query of `enforceRules` as what it means: which rule, how many rows, one of them. */
export async function explainViolation(
  connection: DuckDBConnection,
  error: unknown,
  query: string,
  rules: CompiledRules<string>,
  table: Definition,
): Promise<unknown> {
  const message = error instanceof Error ? error.message : "";
  const conditions = conditionsOf(rules);
  const broken = conditions.findIndex((_, i) => message.includes(marker(i)));
  const condition = conditions[broken];
  if (condition === undefined) return error;
  const columns = table.schema.fields.map(({ name }) => `${quoteName(name)} := ${quoteName(name)}`);
  const result = await connection.runAndReadAll(
    `SELECT count(*), any_value(struct_pack(${columns.join(", ")}))::VARCHAR FROM (${query}) WHERE (${condition}) IS NOT TRUE`,
  );
  const [rows = 1n, row] = result.getRows()[0] ?? [];
  const example = row === null || row === undefined ? undefined : String(row).slice(0, 500);
  const path = rules.notNull[broken];
  if (path !== undefined) return notNullViolated(table, path, Number(rows), example);
  const rule = rules.checks[broken - rules.notNull.length];
  return rule === undefined ? error : checkViolated(table, rule, Number(rows), example);
}

function conditionsOf({ notNull, checks }: CompiledRules<string>): string[] {
  return [
    ...notNull.map(([column = "", ...fields]) => {
      const value = fields.reduce(
        (struct, field) => `struct_extract(${struct}, ${quoteText(field)})`,
        quoteName(column),
      );
      return `${value} IS NOT NULL`;
    }),
    ...checks.map(({ expression }) => `(${expression})`),
  ];
}

function marker(rule: number): string {
  return `[rule ${rule} of the table]`;
}
