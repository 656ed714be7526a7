import { isToken } from "../token-reader.js";
import type { FromItem, Select, SelectItem } from "./ast.js";
import { seesColumnAlias } from "./keywords.js";
import { parseFrom } from "./parse-from.js";
import { parseGroupBy } from "./parse-group-by.js";
import { parseStar } from "./parse-star.js";
import { parseWindows } from "./parse-window.js";
import { offsetOf, type Parser, readList, unsupported } from "./parser.js";
import { selectAll } from "./select-all.js";

export function parseSelect(parser: Parser): Select {
  const head = parseHead(parser);
  return parseClauses(parser, head, parser.reader.take("FROM") ? parseFrom(parser) : undefined);
}

/** `FROM t SELECT a WHERE …`; without SELECT it is all of `t`. */
export function parseFromFirst(parser: Parser): Select {
  const at = offsetOf(parser);
  parser.reader.expect("FROM");
  const from = parseFrom(parser);
  return parser.reader.sees("SELECT") ? parseClauses(parser, parseHead(parser), from) : selectAll(at, from);
}

interface Head {
  readonly at: number;
  readonly distinct: boolean;
  readonly items: readonly SelectItem[];
}

function parseHead(parser: Parser): Head {
  const { reader } = parser;
  const at = offsetOf(parser);
  reader.expect("SELECT");
  if (reader.sees("DISTINCT", "ON", "("))
    throw unsupported(parser, "DISTINCT ON (…)", "Use QUALIFY row_number() … = 1.");
  const distinct = reader.take("DISTINCT");
  if (!distinct && reader.sees("ALL") && !isToken(reader.peek(1), ",")) reader.take("ALL");
  return { at, distinct, items: readList(parser, parseItem) };
}

function parseClauses(parser: Parser, head: Head, from: FromItem | undefined): Select {
  const { reader } = parser;
  const condition = (word: string) => (reader.take(word) ? parser.rules.expression(parser) : undefined);
  const where = condition("WHERE");
  const groupBy = reader.take("GROUP", "BY") ? parseGroupBy(parser) : [];
  const having = condition("HAVING");
  const qualify = condition("QUALIFY");
  return {
    kind: "select",
    ...head,
    ...(from === undefined ? {} : { from }),
    ...(where === undefined ? {} : { where }),
    groupBy,
    ...(having === undefined ? {} : { having }),
    ...(qualify === undefined ? {} : { qualify }),
    windows: parseWindows(parser),
  };
}

/** An expression with its name or names, or a star. */
export function parseItem(parser: Parser): SelectItem {
  const { reader } = parser;
  const at = offsetOf(parser);
  const star = parseStar(parser);
  if (star !== undefined) return star;
  const expression = parser.rules.expression(parser);
  if (reader.sees("USING") && reader.peek(1)?.kind === "string")
    throw unsupported(parser, "TRANSFORM … USING", "Run the script outside of the pipeline.");
  const named = reader.take("AS") || seesColumnAlias(reader);
  if (named && reader.sees("(")) return { kind: "generator", at, expression, aliases: reader.readNames() };
  return { kind: "expression", at, expression, ...(named ? { alias: reader.readIdentifier() } : {}) };
}
