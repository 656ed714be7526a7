import { isToken } from "../token-reader.js";
import type { CteRef, DerivedTable, FromItem, RelationRef } from "./ast.js";
import { wordOf } from "./keywords.js";
import { type Alias, parseAlias } from "./parse-alias.js";
import { parseWatermark } from "./parse-watermark.js";
import { offsetBehind, type Parser } from "./parser.js";
import { selectAll } from "./select-all.js";

/**
 * What follows a relation: `[TABLESAMPLE (…)] [WATERMARK …] [alias]`. A sample of 100 PERCENT is every row, one of n ROWS a LIMIT; all
 * others are drawn at random and stay for the parser to refuse.
 *
 * @param name the relation's own, for a sample without an alias
 */
export function parseSampled(parser: Parser, source: RelationRef | CteRef | DerivedTable, name?: string): FromItem {
  const rows = takeSample(parser);
  const watermark = parseWatermark(parser);
  const behind = source.kind === "relation" ? { behind: offsetBehind(parser) } : {};
  const alias: Alias = parseAlias(parser);
  if (rows === undefined) return { ...source, ...behind, ...watermark, ...alias };
  const { at } = source;
  const limit = { kind: "literal", at, type: "number", value: rows } as const;
  const known = alias.alias ?? name;
  const query = { at, ctes: [], orderBy: [], body: selectAll(at, source), limit };
  return { kind: "derived", at, query, ...watermark, ...alias, ...(known === undefined ? {} : { alias: known }) };
}

/** The number of rows of `TABLESAMPLE (n ROWS)`; undefined where every row is taken. */
function takeSample({ reader }: Parser): string | undefined {
  const count = reader.peek(2);
  const unit = wordOf(reader.peek(3));
  if (!reader.sees("TABLESAMPLE", "(") || !isToken(reader.peek(4), ")") || count?.kind !== "number") return undefined;
  const isWhole = unit === "PERCENT" && count.text === "100";
  const isRows = unit === "ROWS" && /^\d{1,9}$/.test(count.text);
  if (isWhole || isRows) reader.index += 5;
  return isRows ? count.text : undefined;
}
