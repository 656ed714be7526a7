import type { ErrorCode } from "../model/error-catalogue.js";
import { quoteString } from "../sql/quote.js";
import { isFlow, type Part, partsOfSql, relationOf, ruleOf } from "./values.js";

/** Why a value has no SQL form. */
export interface BadValue {
  readonly code: ErrorCode & ("BAD_SQL_VALUE" | "INEXACT_NUMBER");
  readonly message: string;
  readonly hint: string;
}

/** A value of a `${}` as SQL text: pieces and relations as they are, all else as a literal. */
export function writeValue(value: unknown): readonly Part[] | BadValue {
  switch (typeof value) {
    case "string":
      return [{ text: quoteString(value) }];
    case "bigint":
    case "boolean":
      return [{ text: String(value) }];
    case "number":
      return Number.isSafeInteger(value) ? [{ text: String(value) }] : inexact(value);
    case "object":
      return value === null ? [{ text: "NULL" }] : writeObject(value);
    case "undefined":
      return bad(
        "undefined has no SQL form",
        'If it comes from another definitions file, the two import each other and it is not made yet: name the table with ref("…").',
      );
    default:
      return bad(`A ${typeof value} has no SQL form`, "Pass a text, a number, a relation or a sql`…` piece.");
  }
}

export function isBadValue(written: readonly Part[] | BadValue): written is BadValue {
  return "code" in written;
}

function writeObject(value: object): readonly Part[] | BadValue {
  const parts = partsOfSql(value) ?? relationOf(value)?.parts;
  if (parts !== undefined) return parts;
  if (Array.isArray(value)) return writeList(value);
  if (isFlow(value)) return bad("A flow has no SQL form", "Read the table that it fills: flow.target.");
  if (ruleOf(value) !== undefined) {
    return bad("An expectation has no SQL form", "List it in the option `expectations` of a dataset.");
  }
  if (value instanceof Date) {
    return bad("A Date has no exact SQL form", "Pass its text after TIMESTAMP or DATE: date.toISOString().");
  }
  if (value instanceof Promise) return bad("A Promise has no SQL form", "Await it first.");
  return bad("An object has no SQL form", "Pass its texts and numbers one by one, or a relation or a sql`…` piece.");
}

function writeList(values: readonly unknown[]): readonly Part[] | BadValue {
  if (values.length === 0) {
    return bad("An empty list has no SQL form", "Leave the clause out when the list is empty.");
  }
  const parts: Part[] = [];
  for (const [i, value] of values.entries()) {
    const written = writeValue(value);
    if (isBadValue(written)) return { ...written, message: `${written.message} (element ${i} of a list)` };
    if (i > 0) parts.push({ text: ", " });
    parts.push(...written);
  }
  return parts;
}

function inexact(value: number): BadValue {
  return {
    code: "INEXACT_NUMBER",
    message: `The number ${value} is no safe integer: its text may differ from what was meant`,
    hint: "Write it in the SQL text (1.5), pass a text and CAST it to DECIMAL, or pass a bigint (123n).",
  };
}

function bad(message: string, hint: string): BadValue {
  return { code: "BAD_SQL_VALUE", message, hint };
}
