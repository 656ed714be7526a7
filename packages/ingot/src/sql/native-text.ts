import type { Field } from "../model/data-type.js";
import { sameName } from "../model/name.js";
import { type Position, positionAt, type SqlText } from "../model/position.js";
import type { Relation } from "../model/query.js";
import type { Sources } from "../sap/conventions.js";
import type { Expansion } from "./bind/bind-place.js";
import { bindParsed } from "./bind/bind-query.js";
import type { Token } from "./lexer.js";
import { nativeReads } from "./native-reads.js";
import type { RelationRef } from "./parse/ast.js";
import { parseQuery } from "./parse/parse-query.js";
import { quoteString } from "./quote.js";
import { callSplices, isRelation, nameOf, nodesOf, render, type Splice } from "./spark-text.js";
import { isToken } from "./token-reader.js";

/** Something that a query says and Databricks cannot. */
export interface TextGap {
  readonly construct: string;
  /** What is different without it, one sentence. */
  readonly meaning: string;
  readonly at: Position;
}

/** What is known of a relation of the query. */
export interface NativeRelation {
  readonly schema: readonly Field[];
  /** How it is called there; absent: as written. */
  readonly name?: string;
}

/**
 * A query for Databricks: as written, but for calls of Ingot's functions, which stand in Spark's words, names of
 * relations, and reads of files (`nativeReads`).
 *
 * @param root folder that relative paths of files begin at there
 */
export function nativeQuery(
  query: SqlText,
  relationOf: (relation: Relation) => NativeRelation | undefined,
  root: string,
  sources: Sources,
): { readonly text: string; readonly gaps: readonly TextGap[] } {
  const parsed = parseQuery(query);
  const known = new Map(parsed.relations.map((relation) => [relation.id, relationOf(relation)]));
  const schemas = new Map(
    [...known].flatMap(([id, relation]) => (relation === undefined ? [] : [[id, relation.schema]])),
  );
  const expansions = new Map<number, Expansion>();
  bindParsed(parsed, schemas, sources, expansions);
  const relations = [...nodesOf(parsed.query)].filter(isRelation);
  const reads = nativeReads(parsed, relations, root);
  const names = relations.flatMap((item) => nameSplice(item, parsed.tokens, known.get(item.relation.id)?.name));
  const end = parsed.tokens.at(-1)?.end ?? 0;
  const splices = [...callSplices(parsed.tokens, expansions), ...reads.splices, ...names];
  return {
    text: render(query.text, { start: 0, end }, splices).join(""),
    gaps: [
      ...reads.gaps.map(({ offset, ...gap }) => ({ ...gap, at: positionAt(query, offset) })),
      ...parsed.relations.flatMap((relation) => pathGap(relation, known.get(relation.id)?.name)),
    ],
  };
}

/** Another name for a table, which `table_changes` takes as a string. */
function nameSplice({ relation, text }: RelationRef, tokens: readonly Token[], name: string | undefined): Splice[] {
  if (relation.kind === "files" || name === undefined) return [];
  const inside = tokens.filter((token) => token.start >= text.start && token.end <= text.end);
  const string = inside.find((token, i) => token.kind === "string" && isToken(inside[i - 1], "("));
  if (string !== undefined) return [{ ...string, parts: [quoteString(name)] }];
  const written = relation.kind === "path" ? ["delta", relation.path] : relation.name;
  const first = inside.findIndex((_, i) => written.every((part, k) => sameName(nameOf(inside[i + 2 * k]) ?? "", part)));
  const [begin, last] = [inside[first], inside[first + 2 * (written.length - 1)]];
  return begin === undefined || last === undefined ? [] : [{ start: begin.start, end: last.end, parts: [name] }];
}

/** A folder that is read by its path alone. */
function pathGap(relation: Relation, name: string | undefined): TextGap[] {
  if (relation.kind !== "path" || name !== undefined) return [];
  const meaning = "Databricks knows tables by name: make one of the folder, and write its name there.";
  return [{ construct: `delta.\`${relation.path}\``, meaning, at: relation.at }];
}
