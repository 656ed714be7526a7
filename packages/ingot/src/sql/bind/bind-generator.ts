import { GENERATORS, type GeneratedColumn } from "../functions/generator.js";
import { quoteName } from "../lower/lower-text.js";
import type { Call, Expression } from "../parse/ast.js";
import { type Binder, fail, type Place } from "./bind-place.js";
import type { ScopeColumn } from "./bind-scope.js";
import { type Bound, derive } from "./bound.js";
import type { BoundFrom } from "./bound-from.js";
import { combineOrigins, mergeInfluences, type Origins } from "./origins.js";

/** The rows of a generator, and what it reads. */
export interface BoundGenerator {
  readonly columns: readonly (GeneratedColumn & { readonly origins: Origins })[];
  readonly input: Bound;
}

export function isGenerator(expression: Expression): expression is Call {
  return expression.kind === "call" && GENERATORS.has(expression.name.toLowerCase());
}

/** Binds a generator; `names` are those of its columns, where given. @throws IngotError as `bindCall` */
export function bindGenerator(place: Place, call: Call, names: readonly string[] = [], outer = false): BoundGenerator {
  const generator = GENERATORS.get(call.name.toLowerCase());
  if (generator === undefined)
    throw fail(
      place,
      call.at,
      "UNSUPPORTED_FUNCTION",
      `${call.name} as a function that gives rows is not supported yet`,
      `Supported are ${[...GENERATORS.keys(), "range"].join(", ")}.`,
      call.name,
    );
  const [least, most] = generator.arity;
  if (call.args.length < least || call.args.length > most)
    throw fail(
      place,
      call.at,
      "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
      `${call.name} takes ${least === most ? least : `${least} or more`} arguments, not ${call.args.length}`,
      "Check the arguments.",
      call.name,
    );
  const args = call.args.map(({ expression }) => place.binder.bind({ ...place, filter: false }, expression));
  const columns = generator.bind({ place, call, args, window: (sql) => sql });
  if (names.length > 0 && names.length !== columns.length)
    throw fail(
      place,
      call.at,
      "NUM_COLUMNS_MISMATCH",
      `${call.name} gives ${columns.length} columns, ${names.length} are named`,
      "Name every column, or none.",
      call.name,
    );
  const keeps = generator.outer || outer;
  const input = derive(args, { sql: "", type: { kind: "void" }, nullable: true, name: undefined, at: call.at });
  return {
    input,
    columns: columns.map((column, i) => ({
      ...column,
      name: names[i] ?? column.name,
      nullable: column.nullable || keeps,
      origins: combineOrigins(args, column.type),
      list: keeps ? `CASE WHEN len(${column.list}) > 0 THEN ${column.list} ELSE [NULL] END` : column.list,
    })),
  };
}

/** A generator as rows of its own: `SELECT` text and columns `c0`, `c1`, …. */
export function generatedRows({ columns }: BoundGenerator): string {
  return `SELECT ${columns.map((c) => `unnest(${c.list})`).join(", ")}`;
}

/** Each row of `from` (where `where` holds) beside the rows that a generator makes of it. */
export function joinGenerated(
  binder: Binder,
  from: BoundFrom | undefined,
  { columns, input }: BoundGenerator,
  qualifier: readonly string[],
  where?: Bound,
): BoundFrom {
  const alias = quoteName(binder.newName("t"));
  const own = from?.columns ?? [];
  const renamed = own.map((c, i): ScopeColumn => ({ ...c, sql: `${alias}."c${i}"` }));
  const generated = columns.map(
    ({ name, type, nullable, origins }, i): ScopeColumn => ({
      name,
      type,
      nullable,
      origins,
      qualifier,
      sql: `${alias}."c${own.length + i}"`,
    }),
  );
  const texts = [...own.map((c) => c.sql), ...columns.map((c) => `unnest(${c.list})`)];
  const source = from === undefined ? "" : ` FROM ${from.sql}`;
  const filter = where === undefined ? "" : ` WHERE ${where.sql}`;
  const names = texts.map((_, i) => `"c${i}"`).join(", ");
  return {
    sql: `(SELECT ${texts.join(", ")}${source}${filter}) AS ${alias}(${names})`,
    columns: [...renamed, ...generated],
    volatile: from?.volatile === true || input.volatile || where?.volatile === true,
    plain: false,
    influences: mergeInfluences([from?.influences, where?.origins]),
  };
}
