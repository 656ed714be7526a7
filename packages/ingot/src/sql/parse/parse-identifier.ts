import { lex } from "../lexer.js";
import { isToken, TokenReader } from "../token-reader.js";
import { close, type Parser, readText, unsupported } from "./parser.js";

/** `IDENTIFIER('a.b')`, the parts of the name; undefined where none stands. */
export function parseIdentifier(parser: Parser): string[] | undefined {
  const { reader } = parser;
  if (!reader.sees("IDENTIFIER", "(")) return undefined;
  const end = reader.peek(3);
  if (reader.peek(2)?.kind !== "string" || !isToken(end, ")"))
    throw unsupported(parser, "IDENTIFIER of a computed name", "Write the name itself.");
  reader.index += 2;
  const name = new TokenReader(reader.sql, lex(readText(reader)));
  const parts = name.readParts();
  if (!name.done) throw unsupported(parser, "IDENTIFIER of other than a name", "Write the name itself.");
  close(parser);
  return parts;
}
