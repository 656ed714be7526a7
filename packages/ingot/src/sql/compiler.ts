import { createHash } from "node:crypto";
import type { Field } from "../model/data-type.js";
import type { SqlText } from "../model/position.js";
import type { CompiledQuery, Relation } from "../model/query.js";
import { checkStreaming } from "./check-streaming.js";
import { compileParsed } from "./compile.js";
import { type ParsedQuery, parseQuery } from "./parse/parse-query.js";

/** Values by key, from one command to the next. */
export interface CompilerCache {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

/** Raised when parsing, typing or lowering changes, so that what an older version compiled is not used. */
const FORM = 3;

/**
 * Parses and types queries, each once: the results are kept under the fingerprint of the text (its place included,
 * since errors tell it) and of the inputs' schemas.
 */
export function createCompiler(cache: CompilerCache) {
  const parsed = new Map<string, ParsedQuery>();
  const parse = (query: SqlText, key: string): ParsedQuery => {
    const known = parsed.get(key) ?? parseQuery(query);
    parsed.set(key, known);
    return known;
  };
  const keyOf = (...parts: unknown[]): string =>
    createHash("sha256")
      .update(JSON.stringify([FORM, ...parts]))
      .digest("hex")
      .slice(0, 32);
  return {
    /** What a query reads. @throws IngotError as `parseQuery` and `checkStreaming` */
    async relations(query: SqlText): Promise<readonly Relation[]> {
      const key = keyOf(query);
      const kept = cache.get(`reads ${key}`) as readonly Relation[] | undefined;
      if (kept !== undefined) return kept;
      const result = parse(query, key);
      checkStreaming(result);
      if (isPlain(result.relations)) cache.set(`reads ${key}`, result.relations);
      return result.relations;
    },
    /** A query over relations of these columns, by relation id. @throws IngotError as `compileParsed` */
    async compile(query: SqlText, schemas: ReadonlyMap<string, readonly Field[]>): Promise<CompiledQuery> {
      const key = keyOf(query, [...schemas]);
      const kept = cache.get(`query ${key}`) as CompiledQuery | undefined;
      if (kept !== undefined) return kept;
      const result = compileParsed(parse(query, keyOf(query)), schemas);
      if (isPlain(result.reads)) cache.set(`query ${key}`, result);
      return result;
    },
  };
}

/** A version is a bigint, which JSON cannot hold: a query that travels in time is parsed again. */
function isPlain(relations: readonly Relation[]): boolean {
  return relations.every((r) => r.kind === "files" || r.asOf === undefined);
}
