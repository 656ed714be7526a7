import { formatType } from "../model/data-type.js";
import { quoteIdentifier, sameName } from "../model/name.js";
import type { SqlText } from "../model/position.js";
import type { SparkPart } from "../model/query.js";
import type { Expansion } from "./bind/bind-place.js";
import { lex, type Token, unquoteIdentifier } from "./lexer.js";
import type { FromItem, Query, RelationRef, Select, Span, Star, Watermark } from "./parse/ast.js";
import type { ParsedQuery } from "./parse/parse-query.js";
import { isToken } from "./token-reader.js";

// A query for Spark is the text as written, but for what Spark does not know: relations, whose rows the engine gives,
// and calls of Ingot's own functions.

/** Something else in the place of a part of the text; a span within it is text again. */
export interface Splice extends Span {
  readonly parts: readonly (SparkPart | Span)[];
}

export type Expansions = ReadonlyMap<number, Expansion>;

/** The column of a relation of files that is in no `*`. */
const METADATA = "_metadata";

/**
 * @param expansions what Ingot's own calls are, by their offset
 * @param roomOf id of the relation of which further columns may be asked for
 */
export function sparkParts(
  { sql, query, tokens }: ParsedQuery,
  expansions: Expansions,
  roomOf: string | undefined,
): readonly SparkPart[] {
  const nodes = [...nodesOf(query)];
  const relations = nodes.filter(isRelation);
  const asked = relations.find(({ relation }) => relation.id === roomOf);
  const usesMetadata =
    asked?.relation.kind === "files" || tokens.some((token) => sameName(nameOf(token) ?? "", METADATA));
  const splices = [
    ...relations.flatMap((relation) => relationSplices(relation, aliasOf(relation, usesMetadata, relation === asked))),
    ...nodes.flatMap((node) => (isWatermarked(node) ? [{ ...node.watermark.text, parts: [] }] : [])),
    ...shortened(tokens, relations),
    ...(usesMetadata ? nodes.filter(isSelect).flatMap((select) => starSplices(select, tokens)) : []),
    ...callSplices(tokens, expansions),
    // Behind what a star at the same place leaves out.
    ...(asked === undefined ? [] : roomSplices(asked, aliasOf(asked, usesMetadata, true), query, tokens)),
  ];
  return merge(render(sql.text, { start: 0, end: tokens.at(-1)?.end ?? 0 }, splices));
}

/** The text of an expression that reads no relation. */
export function sparkExpression(sql: SqlText, expansions: Expansions): string {
  if (expansions.size === 0) return sql.text;
  return render(sql.text, { start: 0, end: sql.text.length }, callSplices([...lex(sql)], expansions)).join("");
}

export function render(text: string, { start, end }: Span, splices: readonly Splice[]): SparkPart[] {
  const parts: SparkPart[] = [];
  let at = start;
  const inside = splices.filter((splice) => splice.start >= start && splice.end <= end);
  // Of two that begin together the longer one holds the other.
  for (const splice of [...inside].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (splice.start < at) continue;
    parts.push(text.slice(at, splice.start));
    const others = splices.filter((other) => other !== splice);
    for (const part of splice.parts)
      parts.push(...(typeof part === "object" && "start" in part ? render(text, part, others) : [part]));
    at = splice.end;
  }
  return [...parts, text.slice(at, end)];
}

function merge(parts: readonly SparkPart[]): SparkPart[] {
  const merged: SparkPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === "string" && typeof last === "string") merged[merged.length - 1] = last + part;
    else if (part !== "") merged.push(part);
  }
  return merged;
}

/** The engine puts a subquery in the place of a relation, which has no name of its own. */
function relationSplices({ relation, text, alias, behind }: RelationRef, name: string | undefined): Splice[] {
  const given = { ...text, parts: [{ relation: relation.id }] };
  if (alias !== undefined || name === undefined) return [given];
  return [given, { start: behind, end: behind, parts: [` AS ${quoteIdentifier(name)}`] }];
}

function aliasOf({ relation, alias }: RelationRef, usesMetadata: boolean, needed: boolean): string | undefined {
  if (alias !== undefined) return alias;
  if (relation.kind === "table") return relation.name.at(-1);
  return needed || (relation.kind === "files" && usesMetadata) ? `__ingot_${relation.id}` : undefined;
}

/** Behind the select list of a query that has one FROM: its relation's. */
function roomSplices(
  { relation, text }: RelationRef,
  alias: string | undefined,
  { body }: Query,
  tokens: readonly Token[],
): Splice[] {
  if (!("kind" in body) || body.kind !== "select" || alias === undefined) return [];
  const from = tokens.findLast((token) => token.start < text.start && isToken(token, "FROM"));
  const last = from === undefined ? undefined : tokens[tokens.indexOf(from) - 1];
  if (last === undefined || isToken(tokens[0], "FROM")) return [];
  return [{ start: last.end, end: last.end, parts: [{ room: relation.id, alias }] }];
}

/** `schema.t.column` of a table without an alias, which is called `t` now: the names before it go. */
function shortened(tokens: readonly Token[], relations: readonly RelationRef[]): Splice[] {
  const names = relations.flatMap(({ relation, alias }) =>
    relation.kind === "table" && alias === undefined && relation.name.length > 1 ? [relation.name] : [],
  );
  if (names.length === 0) return [];
  const splices: Splice[] = [];
  for (const [i, token] of tokens.entries()) {
    if (nameOf(token) === undefined || isToken(tokens[i - 1], ".")) continue;
    if (relations.some(({ text }) => token.start >= text.start && token.start < text.end)) continue;
    const chain = chainAt(tokens, i);
    const lengths = names.flatMap((name) =>
      name.map((_, skipped) => name.slice(skipped)).filter((end) => end.length > 1 && beginsWith(chain, end)),
    );
    const longest = Math.max(0, ...lengths.map((end) => end.length));
    const kept = tokens[i + 2 * (longest - 1)];
    if (longest > 1 && kept !== undefined) splices.push({ start: token.start, end: kept.start, parts: [] });
  }
  return splices;
}

/** The names that dots join from a token on, each with a dot behind it. */
function chainAt(tokens: readonly Token[], start: number): string[] {
  const chain: string[] = [];
  for (let i = start; isToken(tokens[i + 1], "."); i += 2) {
    const name = nameOf(tokens[i]);
    if (name === undefined) break;
    chain.push(name);
  }
  return chain;
}

function beginsWith(chain: readonly string[], names: readonly string[]): boolean {
  return names.length <= chain.length && names.every((name, i) => sameName(name, chain[i] ?? ""));
}

/** In the rows that the engine gives, `_metadata` is a column like others: each `*` over them leaves it out. */
function starSplices(select: Select, tokens: readonly Token[]): Splice[] {
  const files = directRelations(select.from).filter(({ relation }) => relation.kind === "files");
  if (files.length === 0) return [];
  const stars = [...nodesOf(select.items, (node) => isSelect(node))].filter(isStar);
  return stars.flatMap(({ at, qualifier }) => {
    const named = files
      .map((item) => aliasOf(item, true, false) ?? "")
      .filter((alias) => qualifier.length === 0 || sameName(alias, qualifier.at(-1) ?? ""))
      .map((alias) => `${quoteIdentifier(alias)}.${METADATA}`)
      .join(", ");
    const index = tokens.findIndex((token) => token.start >= at && isToken(token, "*"));
    const star = tokens[index];
    if (star === undefined || named === "") return [];
    const list = isToken(tokens[index + 1], "EXCEPT") ? tokens[index + 2] : undefined;
    const end = (list ?? star).end;
    return [{ start: end, end, parts: [list === undefined ? ` EXCEPT (${named})` : `${named}, `] }];
  });
}

function directRelations(item: FromItem | undefined): RelationRef[] {
  switch (item?.kind) {
    case "relation":
      return [item];
    case "join":
      return [...directRelations(item.left), ...directRelations(item.right)];
    case "lateral-view":
      return directRelations(item.input);
    default:
      return [];
  }
}

export function callSplices(tokens: readonly Token[], expansions: Expansions): Splice[] {
  return [...expansions].flatMap(([at, { text, values }]) => {
    const name = tokens.findIndex((token) => token.start === at);
    const open = tokens.findIndex((token, i) => i > name && isToken(token, "("));
    const { args, end } = argumentsAt(tokens, open);
    const parts = text.split(/\b(sap_value_\d+)\b/).flatMap((piece): (SparkPart | Span)[] => {
      const value = /^sap_value_(\d+)$/.exec(piece)?.[1];
      const written = value === undefined ? undefined : values[Number(value)];
      const span = args.find((arg) => written !== undefined && written.at >= arg.start && written.at < arg.end);
      if (written === undefined || span === undefined) return [piece];
      return written.type === undefined
        ? ["(", span, ")"]
        : ["CAST(", span, ` AS ${formatType(written.type).toUpperCase()})`];
    });
    return [{ start: at, end, parts: ["(", ...parts, ")"] }];
  });
}

/** The arguments between parentheses, names of `name => value` left out, and the offset behind the last one. */
function argumentsAt(tokens: readonly Token[], open: number): { readonly args: Span[]; readonly end: number } {
  const args: Span[] = [];
  let depth = 0;
  let start = tokens[open]?.end ?? 0;
  for (let i = open; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (["(", "["].some((sign) => isToken(token, sign))) depth += 1;
    if ([")", "]"].some((sign) => isToken(token, sign))) depth -= 1;
    if (depth === 1 && isToken(token, "=>")) start = token.end;
    if (depth > 1 || (depth === 1 && !isToken(token, ","))) continue;
    args.push({ start, end: token.start });
    start = token.end;
    if (depth === 0) return { args, end: token.end };
  }
  throw new Error("unreachable: the call was parsed");
}

export function nameOf(token: Token | undefined): string | undefined {
  if (token?.kind === "quoted") return unquoteIdentifier(token.text);
  return token?.kind === "word" ? token.text : undefined;
}

/** All objects of a tree, each once. @param stops those that are not looked into */
export function* nodesOf(root: unknown, stops: (node: object) => boolean = () => false): Generator<object> {
  const seen = new Set<unknown>();
  const rest: unknown[] = [root];
  while (rest.length > 0) {
    const node = rest.pop();
    if (typeof node !== "object" || node === null || seen.has(node)) continue;
    seen.add(node);
    if (stops(node)) continue;
    yield node;
    rest.push(...(node instanceof Map ? node.values() : Object.values(node)));
  }
}

export function isRelation(node: object): node is RelationRef {
  return "kind" in node && node.kind === "relation" && "relation" in node;
}

function isSelect(node: object): node is Select {
  return "kind" in node && node.kind === "select";
}

function isStar(node: object): node is Star {
  return "kind" in node && node.kind === "star";
}

function isWatermarked(node: object): node is { readonly watermark: Watermark } {
  return "watermark" in node && node.watermark !== undefined;
}
