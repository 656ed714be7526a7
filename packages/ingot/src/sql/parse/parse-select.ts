import { isToken } from "../token-reader.js";
import type { Name, Select, SelectItem } from "./ast.js";
import { seesColumnAlias, wordOf } from "./keywords.js";
import { parseFrom } from "./parse-from.js";
import { deeper, offsetOf, type Parser, readColumn, readGroup, readList, unexpected, unsupported } from "./parser.js";

export function parseSelect(parser: Parser): Select {
  const { reader } = parser;
  const at = offsetOf(parser);
  reader.expect("SELECT");
  if (reader.sees("DISTINCT", "ON", "("))
    throw unsupported(parser, "DISTINCT ON (…)", "Use QUALIFY row_number() … = 1.");
  const distinct = reader.take("DISTINCT");
  if (!distinct && reader.sees("ALL") && !isToken(reader.peek(1), ",")) reader.take("ALL");
  const items = readList(parser, parseItem);
  const from = reader.take("FROM") ? parseFrom(parser) : undefined;
  const condition = (word: string) => (reader.take(word) ? parser.rules.expression(parser) : undefined);
  const where = condition("WHERE");
  const groupBy = reader.take("GROUP", "BY") ? parseGroupBy(parser) : [];
  const having = condition("HAVING");
  const qualify = condition("QUALIFY");
  return {
    kind: "select",
    at,
    distinct,
    items,
    ...(from === undefined ? {} : { from }),
    ...(where === undefined ? {} : { where }),
    groupBy,
    ...(having === undefined ? {} : { having }),
    ...(qualify === undefined ? {} : { qualify }),
  };
}

/** An expression with its name, or a star. */
function parseItem(parser: Parser): SelectItem {
  const { reader } = parser;
  const at = offsetOf(parser);
  const qualifier = takeStar(parser);
  if (qualifier !== undefined) return { kind: "star", at, qualifier, except: parseExcept(parser) };
  const expression = parser.rules.expression(parser);
  if (reader.sees("USING") && reader.peek(1)?.kind === "string")
    throw unsupported(parser, "TRANSFORM … USING", "Run the script outside of the pipeline.");
  const named = reader.take("AS") || seesColumnAlias(reader);
  if (named && reader.sees("(")) throw unsupported(parser, "AS (a, b)", "Name one column.");
  return { kind: "expression", at, expression, ...(named ? { alias: reader.readIdentifier() } : {}) };
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

function parseGroupBy(parser: Parser): Select["groupBy"] {
  const { reader } = parser;
  const next = reader.peek(1);
  if (reader.sees("ALL") && (next === undefined || next.kind === "word" || isToken(next, ")"))) {
    reader.take("ALL");
    return "all";
  }
  const groups = readList(deeper(parser), (inner) => {
    const word = wordOf(reader.peek());
    if ((word === "ROLLUP" || word === "CUBE") && isToken(reader.peek(1), "("))
      throw unsupported(parser, `GROUP BY ${word}`, "Write one query for each grouping, with UNION ALL.");
    if (reader.sees("GROUPING", "SETS")) throw unexpected(parser, []);
    return inner.rules.expression(inner);
  });
  if (reader.sees("GROUPING", "SETS")) throw unexpected(parser, []);
  return groups;
}
