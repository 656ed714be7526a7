import type { Position, SqlText } from "../model/position.js";
import { quoteName } from "../sql/quote.js";
import { expression } from "./checks.js";
import { readParts } from "./names.js";
import { badOption, type Call } from "./options.js";
import type { Scope } from "./scope.js";
import type { Expr, Source } from "./types.js";
import { type Part, partsOfSql, relationOf, toSqlText } from "./values.js";

/** A condition or an expression with its places. Reports BAD_OPTION where it is neither a text nor a `sql` piece. */
export function readExpression(scope: Scope, call: Call, what: string, given: Expr): SqlText {
  if (!expression.accepts(given)) {
    badOption(scope, call, `${call.text}: ${what} must be ${expression.wanted}`);
    return toSqlText([{ text: "NULL" }], call.at);
  }
  const parts = partsOfSql(given) ?? [{ text: String(given) }];
  return toSqlText(parts, typeof given === "string" ? scope.places.literal(given, call.at) : call.at);
}

/** The text of a relation, or of a table's name. */
export function readSource(scope: Scope, call: Call, given: Source): readonly Part[] {
  if (typeof given !== "string") return relationOf(given)?.parts ?? [];
  const at: Position = scope.places.literal(given, call.at);
  return [{ text: readParts(scope, call.text, given, call.at).map(quoteName).join("."), at }];
}
