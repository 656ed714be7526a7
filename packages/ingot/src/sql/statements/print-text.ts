import type { NameDefaults, TableName } from "../../model/name.js";
import type { SqlText } from "../../model/position.js";
import { lex } from "../lexer.js";
import { quoteName } from "../quote.js";

/** A text from its first token to its last: a comment at its end would take in what is printed after it. */
export function printText(sql: SqlText): string {
  const tokens = lex(sql);
  return sql.text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
}

/** A table's name, as short as the defaults allow. */
export function printTableName(name: TableName, defaults: NameDefaults): string {
  const parts = [name.catalog, name.schema, name.table];
  const known = name.catalog !== defaults.catalog ? 0 : name.schema !== defaults.schema ? 1 : 2;
  return parts.slice(known).map(quoteName).join(".");
}

/** `(a, b)`. */
export function printNames(names: readonly string[]): string {
  return `(${names.map(quoteName).join(", ")})`;
}
