import { formatType } from "../../model/data-type.js";
import { expectBoolean } from "../bind/bind-place.js";
import { joinNames } from "../bind/bound.js";
import { STRING } from "../bind/type-rules.js";
import { quoteText } from "../lower/lower-text.js";
import { arg, argOf, type Functions, type Lowered, scalar, type Use } from "./function.js";

export const OTHERS: Functions = {
  typeof: scalar(1, 1, (use) => ({ sql: quoteText(formatType(arg(use, 0).type)), type: STRING, nullable: false })),
  raise_error: scalar(1, 1, (use) => {
    const message = argOf(use, 0, STRING).sql;
    const sql = `error('[USER_RAISED_EXCEPTION] ' || coalesce(${message}, ''))`;
    return { sql, type: { kind: "void" }, nullable: true, throws: true, name: nameOfError(use) };
  }),
  assert_true: scalar(1, 2, assertTrue),
};

/** NULL, or an error where the condition is false or NULL. */
function assertTrue(use: Use): Lowered {
  const condition = expectBoolean(use.place, arg(use, 0));
  const plain = `'${(arg(use, 0).name ?? "The condition").replaceAll("'", "")}' is not true!`;
  const message = use.args.length > 1 ? argOf(use, 1, STRING).sql : quoteText(plain);
  const sql = `CASE WHEN ${condition.sql} THEN NULL ELSE error('[USER_RAISED_EXCEPTION] ' || coalesce(${message}, '')) END`;
  const name = joinNames(use.args, ([test, text]) => `assert_true(${test}, ${text ?? `'${test}' is not true!`})`);
  return { sql, type: { kind: "void" }, nullable: true, throws: true, name };
}

function nameOfError(use: Use): string | undefined {
  return joinNames(use.args, ([text]) => `raise_error(USER_RAISED_EXCEPTION, map(errorMessage, ${text}))`);
}
