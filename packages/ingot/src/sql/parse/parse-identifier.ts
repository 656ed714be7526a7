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
  const parts = nameInText(parser, readText(reader), "IDENTIFIER");
  close(parser);
  return parts;
}

/** The parts of a name that stands in a string; `where` and `index` tell errors what it was read for, and its place. */
export function nameInText(parser: Parser, text: string, where: string, index = parser.reader.index): string[] {
  const name = new TokenReader(parser.reader.sql, lex(text));
  const parts = name.readParts();
  if (!name.done) throw unsupported(parser, `${where} of other than a name`, "Write the name itself.", index);
  return parts;
}
