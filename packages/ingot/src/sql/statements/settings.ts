import type { NameDefaults } from "../../model/name.js";
import { unquoteIdentifier, unquoteString } from "../lexer.js";
import { isToken, type TokenReader } from "../token-reader.js";
import type { Statement } from "./statement.js";

/**
 * `USE CATALOG c`, which goes to the schema `default` of it, or `USE [SCHEMA | DATABASE | NAMESPACE] [c.]s`.
 *
 * @throws IngotError PARSE_SYNTAX_ERROR, INVALID_IDENTIFIER
 */
export function parseUse(reader: TokenReader, defaults: NameDefaults): NameDefaults {
  reader.expect("USE");
  // A schema may be called `catalog` or `schema`.
  const named = reader.peek(1) !== undefined && !isToken(reader.peek(1), ".");
  if (named && reader.take("CATALOG")) return readCatalog(reader);
  if (named) ["SCHEMA", "DATABASE", "NAMESPACE"].some((word) => reader.take(word));
  const from = reader.index;
  const parts = reader.readParts("CATALOG or a schema");
  reader.expectEnd();
  const [schema = "", catalog = defaults.catalog] = [...parts].reverse();
  if (parts.length <= 2) return { catalog, schema };
  reader.index = from;
  throw reader.error("INVALID_IDENTIFIER", `${parts.join(".")} is no schema`, "Write schema or catalog.schema.");
}

function readCatalog(reader: TokenReader): NameDefaults {
  const catalog = reader.peek()?.kind === "string" ? reader.readString() : reader.readIdentifier("a catalog");
  reader.expectEnd();
  return { catalog, schema: "default" };
}

/**
 * `SET key = value`, or `SET CATALOG c`. A value runs to the end of the statement; as one string it is unquoted.
 *
 * @throws IngotError NOT_SUPPORTED for a key that changes how Spark works: the definitions have no place for a change
 *   of it within a file
 */
export function parseSet(reader: TokenReader): Statement {
  reader.expect("SET");
  if (reader.sees("CATALOG") && !isToken(reader.peek(1), "=") && !isToken(reader.peek(1), ".")) {
    reader.take("CATALOG");
    return { kind: "use", defaults: readCatalog(reader) };
  }
  const from = reader.index;
  while (!reader.sees("=") && (reader.index === from || touchesLast(reader))) reader.index += 1;
  const key = unquoted(reader, from, reader.index);
  if (reader.index === from || !reader.take("=")) {
    throw reader.failure([reader.index === from ? "a key" : "="], "PARSE_SYNTAX_ERROR", "Write SET key = value.");
  }
  if (reader.done) throw reader.failure(["a value"], "PARSE_SYNTAX_ERROR", `An empty value is '': SET ${key} = ''.`);
  const valueFrom = reader.index;
  reader.index = reader.tokens.length;
  if (/^(spark|pipelines)\./i.test(key)) {
    reader.index = from;
    throw reader.error("NOT_SUPPORTED", `SET ${key} is not supported`, "Put it under `configuration` in the spec.");
  }
  return { kind: "set", key, value: unquoted(reader, valueFrom, reader.tokens.length) };
}

/** Whether no space stands before the next token: a key is one piece. */
function touchesLast(reader: TokenReader): boolean {
  return reader.peek() !== undefined && reader.peek()?.start === reader.peek(-1)?.end;
}

/** The text of the tokens [from, to); a single string or quoted name without its quotes. */
function unquoted(reader: TokenReader, from: number, to: number): string {
  const token = reader.tokens[from];
  if (to === from + 1 && token?.kind === "string") return unquoteString(token.text);
  if (to === from + 1 && token?.kind === "quoted") return unquoteIdentifier(token.text);
  return reader.cut(from, to).text;
}
