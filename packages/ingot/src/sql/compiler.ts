import { createHash } from "node:crypto";
import type { Field } from "../model/data-type.js";
import type { SqlText } from "../model/position.js";
import type { CompiledQuery, Dialect, Relation } from "../model/query.js";
import type { Sources } from "../sap/conventions.js";
import type { CompiledExpression } from "./compile-expression.js";
import type { ParsedQuery } from "./parse/parse-query.js";

/** Values by key, from one command to the next. */
export interface CompilerCache {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

const NO_SOURCES: Sources = new Map();

/** Reads and types queries of one language. */
export interface Compiler {
  /** What a query reads. */
  relations(query: SqlText): Promise<readonly Relation[]>;
  /** A query over relations of these columns, by relation id. */
  compile(query: SqlText, schemas: ReadonlyMap<string, readonly Field[]>): Promise<CompiledQuery>;
}

/**
 * Parses, types and lowers Spark SQL; a text is parsed once. The translator is loaded when the first query comes: where
 * nothing changed, results are kept (see {@link keepCompiled}) and it is not needed.
 *
 * @throws IngotError as `parseQuery`, `checkStreaming` and `compileParsed`
 */
export function createCompiler(sources: Sources = NO_SOURCES): Compiler {
  const parsed = new Map<string, ParsedQuery>();
  const parse = async (query: SqlText): Promise<ParsedQuery> => {
    const { parseQuery } = await import("./parse/parse-query.js");
    const key = JSON.stringify(query);
    const known = parsed.get(key) ?? parseQuery(query);
    parsed.set(key, known);
    return known;
  };
  return {
    async relations(query) {
      const { checkStreaming } = await import("./check-streaming.js");
      const result = await parse(query);
      checkStreaming(result);
      return result.relations;
    },
    async compile(query, schemas) {
      const { compileParsed } = await import("./compile.js");
      return compileParsed(await parse(query), schemas, sources);
    },
  };
}

/** See `compileExpression`, which is loaded when the first one comes. */
export type ExpressionCompiler = (
  text: SqlText,
  columns: readonly Field[],
  name: string,
) => Promise<CompiledExpression>;

/** Types expressions of Spark SQL, and keeps what came of it as {@link keepCompiled} does. */
export function createExpressionCompiler(cache: CompilerCache, sources: Sources = NO_SOURCES): ExpressionCompiler {
  const conventions = plainSources(sources);
  return async (text, columns, name) => {
    const key = `expression ${keyOf("spark", conventions, text, columns, name)}`;
    const kept = cache.get(key) as CompiledExpression | undefined;
    if (kept !== undefined) return kept;
    const { compileExpression } = await import("./compile-expression.js");
    const result = compileExpression(text, columns, name, sources);
    cache.set(key, result);
    return result;
  };
}

/** Raised when parsing, typing or lowering changes, so that what an older version compiled is not used. */
const FORM = 11;

/**
 * Keeps what a compiler gives under the fingerprint of the query's text (its place included, since errors tell it) and
 * of the inputs' schemas, so that nothing is compiled again where nothing changed.
 *
 * @param language tells the results of several compilers apart
 * @param sources what the compiler knows of them
 */
export function keepCompiled(
  compiler: Compiler,
  language: "spark" | Dialect,
  cache: CompilerCache,
  sources: Sources = NO_SOURCES,
): Compiler {
  const conventions = plainSources(sources);
  return {
    async relations(query) {
      const key = `reads ${keyOf(language, query)}`;
      const kept = cache.get(key) as readonly Relation[] | undefined;
      if (kept !== undefined) return kept;
      const result = await compiler.relations(query);
      if (isPlain(result)) cache.set(key, result);
      return result;
    },
    async compile(query, schemas) {
      const key = `query ${keyOf(language, conventions, query, [...schemas])}`;
      const kept = cache.get(key) as CompiledQuery | undefined;
      if (kept !== undefined) return kept;
      const result = await compiler.compile(query, schemas);
      if (isPlain(result.reads)) cache.set(key, result);
      return result;
    },
  };
}

/** As JSON, with maps as lists. */
function plainSources(sources: Sources): string {
  return JSON.stringify([...sources], (_, value: unknown) =>
    value instanceof Map ? [...value] : typeof value === "bigint" ? `${value}` : value,
  );
}

function keyOf(language: "spark" | Dialect, ...parts: unknown[]): string {
  return createHash("sha256")
    .update(JSON.stringify([FORM, language, ...parts]))
    .digest("hex")
    .slice(0, 32);
}

/** A version is a bigint, which JSON cannot hold: a query that travels in time is parsed again. */
function isPlain(relations: readonly Relation[]): boolean {
  return relations.every((r) => r.kind === "files" || r.asOf === undefined);
}
