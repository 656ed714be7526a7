import { isToken } from "../token-reader.js";
import type { Name, Star } from "./ast.js";
import { offsetOf, type Parser, readColumn, readGroup } from "./parser.js";

/** `*`, `a.b.*`, each with EXCEPT; undefined where none stands. */
export function parseStar(parser: Parser): Star | undefined {
  const at = offsetOf(parser);
  const qualifier = takeStar(parser);
  return qualifier === undefined ? undefined : { kind: "star", at, qualifier, except: parseExcept(parser) };
}

/** Steps over `*` or `a.b.*`, and gives the names before the star. */
function takeStar({ reader }: Parser): readonly string[] | undefined {
  let ahead = 0;
  while (["word", "quoted"].includes(reader.peek(ahead)?.kind ?? "") && isToken(reader.peek(ahead + 1), "."))
    ahead += 2;
  if (!isToken(reader.peek(ahead), "*")) return undefined;
  const names: string[] = [];
  while (!reader.take("*")) {
    names.push(reader.readName());
    reader.expect(".");
  }
  return names;
}

/** `EXCEPT (a, b)` after a star, where it is no set operation. */
function parseExcept(parser: Parser): readonly Name[] {
  const { reader } = parser;
  const end = reader.peek(3);
  if (!reader.sees("EXCEPT", "(") || ![",", ")", "."].some((sign) => isToken(end, sign))) return [];
  reader.take("EXCEPT");
  return readGroup(parser, readColumn);
}
