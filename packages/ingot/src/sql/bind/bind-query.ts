import type { Field } from "../../model/data-type.js";
import type { Sources } from "../../sap/conventions.js";
import { makeLocate } from "../locate.js";
import { normalizeZero, quoteName } from "../lower/lower-text.js";
import type { Cte, Expression, Query, QueryBody, Select, SetOperation, Values } from "../parse/ast.js";
import type { ParsedQuery } from "../parse/parse-query.js";
import { bindExpression } from "./bind-expression.js";
import { bindFrom, type FromContext } from "./bind-from.js";
import {
  type Binder,
  type BoundSubquery,
  coerce,
  fail,
  noCommonType,
  type OuterColumn,
  type Place,
  unsupported,
} from "./bind-place.js";
import { bindRecursion, readsItself } from "./bind-recursion.js";
import type { Scope } from "./bind-scope.js";
import { type BoundSelect, bindSelect, type Tail } from "./bind-select.js";
import type { Bound, BoundField } from "./bound.js";
import type { BoundFrom, Source } from "./bound-from.js";
import { generateOverGroups } from "./group-generators.js";
import { asInfluence, combineOrigins, mergeInfluences, NO_ORIGINS } from "./origins.js";
import { withPrefix } from "./select-groups.js";
import { prefixTotals } from "./select-totals.js";
import { hasQuery } from "./tree-search.js";
import { commonType, commonTypeOf, hasMap, isInteger } from "./type-rules.js";

export type BoundQuery = BoundSelect;

interface Context {
  readonly binder: Binder;
  readonly schemas: ReadonlyMap<string, readonly Field[]>;
  /** CTEs in sight. */
  readonly ctes: ReadonlyMap<Cte, Source>;
  readonly outer?: Scope;
}

/** Binds a whole query against the schemas of what it reads, by relation id. @param expansions is filled */
export function bindParsed(
  parsed: ParsedQuery,
  schemas: ReadonlyMap<string, readonly Field[]>,
  sources: Sources,
  expansions: Binder["expansions"],
): BoundQuery {
  let names = 0;
  const newName = (prefix: string) => `${prefix}${names++}`;
  const locate = makeLocate(parsed.sql);
  const make = (ctes: Context["ctes"], outer?: Scope): Context => {
    const context: Context = {
      schemas,
      ctes,
      binder: {
        sql: parsed.sql,
        sources,
        expansions,
        locate,
        newName,
        bind: bindExpression,
        // A subquery sees the CTEs of the query that it stands in.
        bindSubquery: (query, around) => bindSubquery(make, context, query, around),
      },
      ...(outer === undefined ? {} : { outer }),
    };
    return context;
  };
  return bindQuery(make, make(new Map()), parsed.query);
}

type Make = (ctes: Context["ctes"], outer?: Scope) => Context;

function bindSubquery(make: Make, context: Context, query: Query, around: Scope): BoundSubquery {
  // An expression may be bound more than once.
  const found = new Map<number, OuterColumn>();
  const onOuter: Scope["onOuter"] = ({ name }, at) => found.set(at, { name, at });
  const outer: Scope = { columns: [], aliases: new Map(), outer: around, onOuter };
  const bound = bindQuery(make, make(context.ctes, outer), query);
  return { ...bound, outer: [...found.values()].sort((a, b) => a.at - b.at) };
}

function bindQuery(make: Make, around: Context, query: Query): BoundQuery {
  const { context, prefix } = bindCtes(make, around, query);
  const { orderBy, orderByAll, distributeBy } = query;
  const tail: Tail = {
    orderBy,
    ...(orderByAll === undefined ? {} : { orderByAll }),
    ...(distributeBy === undefined ? {} : { distributeBy }),
    limit: limitText(context, query),
  };
  const bound = bindBody(make, context, query.body, tail);
  const room = bound.room === undefined ? {} : { room: { ...bound.room, at: prefix.length + bound.room.at } };
  const groups = bound.groups === undefined ? {} : { groups: withPrefix(prefix, bound.groups) };
  const totals = bound.totals === undefined ? {} : { totals: prefixTotals(prefix, bound.totals) };
  return { ...bound, ...room, ...groups, ...totals, sql: `${prefix}${bound.sql}` };
}

function bindCtes(make: Make, around: Context, query: Query): { readonly context: Context; readonly prefix: string } {
  let context = around;
  const definitions: string[] = [];
  let recursive = false;
  for (const cte of query.ctes) {
    const id = quoteName(context.binder.newName("q"));
    if (cte.recursive === true && readsItself(cte)) {
      const bound = bindRecursion(context, cte, id, {
        anchor: (body) => bindBody(make, make(context.ctes), body, NO_TAIL),
        step: (body, self) => bindBody(make, make(new Map([...context.ctes, [cte, self]])), body, NO_TAIL),
      });
      definitions.push(bound.definition);
      context = make(new Map([...context.ctes, [cte, bound.source]]), around.outer);
      recursive = true;
      continue;
    }
    const bound = bindQuery(make, make(context.ctes), cte.query);
    const columns = namedColumns(context, cte, bound.columns);
    definitions.push(`${id}(${columnList(columns.length)}) AS (${bound.sql})`);
    const source: Source = { ...bound, sql: id, columns };
    context = make(new Map([...context.ctes, [cte, source]]), around.outer);
  }
  const word = recursive ? "WITH RECURSIVE" : "WITH";
  return { context, prefix: definitions.length === 0 ? "" : `${word} ${definitions.join(", ")} ` };
}

const NO_TAIL: Tail = { orderBy: [], limit: "" };

function namedColumns(context: Context, cte: Cte, columns: readonly BoundField[]): readonly BoundField[] {
  if (cte.columns.length === 0) return columns;
  if (cte.columns.length === columns.length) return columns.map((c, i) => ({ ...c, name: cte.columns[i] ?? c.name }));
  throw fail(
    anyPlace(context),
    cte.at,
    "NUM_COLUMNS_MISMATCH",
    `${cte.name} names ${cte.columns.length} columns, its query has ${columns.length}`,
    "Name every column, or none.",
  );
}

function columnList(count: number): string {
  return Array.from({ length: count }, (_, i) => quoteName(`c${i}`)).join(", ");
}

function anyPlace(context: Context): Place {
  return {
    binder: context.binder,
    scope: { columns: [], aliases: new Map(), ...(context.outer === undefined ? {} : { outer: context.outer }) },
    clause: "VALUES",
    aggregates: false,
    windows: false,
    grouping: new Set(),
    aliasesFirst: false,
    filter: false,
  };
}

function limitText(context: Context, { limit, offset }: Query): string {
  const count = (expression: Expression | undefined, word: string): string[] => {
    if (expression === undefined) return [];
    if (expression.kind === "literal" && /^\d{1,9}$/.test(expression.value)) return [`${word} ${expression.value}`];
    const place = anyPlace(context);
    const bound = context.binder.bind(place, expression);
    if (isInteger(bound.type) && bound.literal === undefined && !bound.volatile && !hasQuery(expression))
      return [`${word} (${bound.sql})`];
    throw unsupported(place, expression.at, `This ${word}`, "Write a whole number.");
  };
  return [...count(limit, "LIMIT"), ...count(offset, "OFFSET")].join(" ");
}

function bindBody(make: Make, context: Context, body: QueryBody, tail: Tail): BoundQuery {
  if (body.kind === "select") {
    const generated = generateOverGroups(context, body);
    if (generated !== undefined) return bindBody(make, context, generated, tail);
    const from: FromContext = {
      binder: context.binder,
      schemas: context.schemas,
      derived: (query, outer) =>
        asSource(bindQuery(make, outer === context.outer ? context : make(context.ctes, outer), query)),
      cte: ({ cte }) => context.ctes.get(cte) ?? unknownCte(context, cte),
      ...(context.outer === undefined ? {} : { outer: context.outer }),
    };
    const rows = body.from === undefined ? undefined : bindFrom(from, body.from);
    return bindSelect(context.binder, body, rows, context.outer, tail);
  }
  const bound =
    body.kind === "values"
      ? bindValues(context, body)
      : body.kind === "query"
        ? bindQuery(make, context, body.query)
        : bindSetOperation(make, context, body);
  const isEmpty = tail.orderBy.length === 0 && tail.orderByAll === undefined && tail.limit === "";
  return isEmpty ? bound : bindTail(context, bound, tail);
}

function asSource(bound: BoundQuery): Source {
  return { ...bound, sql: `(${bound.sql})` };
}

function unknownCte(context: Context, cte: Cte): never {
  throw fail(
    anyPlace(context),
    cte.at,
    "UNKNOWN_TABLE",
    `The CTE ${cte.name} is not in sight here`,
    "Define it before it is used.",
  );
}

/** ORDER BY and LIMIT of a query that is no single SELECT: they know its columns only. */
function bindTail(context: Context, bound: BoundQuery, tail: Tail): BoundQuery {
  const from = sourceOf(context, bound);
  const star = { kind: "star", at: 0, qualifier: [], except: [] } as const;
  const select: Select = { kind: "select", at: 0, distinct: false, items: [star], groupBy: [], windows: new Map() };
  return bindSelect(context.binder, select, from, context.outer, tail);
}

function sourceOf(context: Context, bound: BoundQuery): BoundFrom {
  const alias = quoteName(context.binder.newName("t"));
  const columns = bound.columns.map((field, i) => ({ ...field, sql: `${alias}."c${i}"`, qualifier: [] }));
  const sql = `(${bound.sql}) AS ${alias}(${columnList(columns.length)})`;
  return { sql, columns, influences: bound.influences, volatile: bound.volatile, plain: bound.plain };
}

/** Both sides take the common type of each column; the names are the left side's. */
function bindSetOperation(make: Make, context: Context, node: SetOperation): BoundQuery {
  const left = bindBody(make, context, node.left, NO_TAIL);
  const right = bindBody(make, context, node.right, NO_TAIL);
  const place = anyPlace(context);
  if (left.columns.length !== right.columns.length)
    throw fail(
      place,
      node.right.kind === "query" ? node.right.query.at : node.right.at,
      "NUM_COLUMNS_MISMATCH",
      `The sides of ${node.op} have ${left.columns.length} and ${right.columns.length} columns`,
      "Select as many columns on both sides.",
    );
  const columns = left.columns.map((l, i): BoundField => {
    const r = right.columns[i] ?? l;
    const type = commonType(l.type, r.type);
    if (type === undefined) throw noCommonType(place, node.at, `${node.op}, column ${l.name},`, [l.type, r.type]);
    if (hasMap(type) && !(node.op === "UNION" && node.all))
      throw unsupported(place, node.at, `${node.op} of a MAP`, "Leave the column out.");
    const sides = node.op === "UNION" ? [l, r] : [l, { ...r, origins: asInfluence(r.origins) }];
    return { name: l.name, type, nullable: l.nullable || r.nullable, origins: combineOrigins(sides, type, "copied") };
  });
  const compares = node.op !== "UNION" || !node.all;
  const influences = mergeInfluences([left.influences, right.influences]);
  const sides = [left, right].map((side) => withTypes(context, side, columns, compares));
  const op = `${node.op}${node.all ? " ALL" : ""}`;
  return {
    columns,
    influences,
    sql: sides.map((s) => `(${s})`).join(` ${op} `),
    volatile: left.volatile || right.volatile,
    plain: false,
    single: false,
  };
}

function withTypes(context: Context, side: BoundQuery, columns: readonly Field[], compares: boolean): string {
  const source = sourceOf(context, side);
  const place = anyPlace(context);
  const texts = columns.map((column, i) => {
    const own = source.columns[i];
    if (own === undefined) return "NULL";
    const rest = { at: 0, throws: false, volatile: false, loose: [], aggregate: false, window: false };
    const bound: Bound = { ...own, ...rest };
    const { sql } = coerce(place, bound, column.type);
    return compares ? normalizeZero(sql, column.type) : sql;
  });
  const same = texts.every((text, i) => text === source.columns[i]?.sql);
  if (same) return side.sql;
  return `SELECT ${texts.map((text, i) => `${text} AS ${quoteName(columns[i]?.name ?? "")}`).join(", ")} FROM ${source.sql}`;
}

/** Spark reads a struct that is made in VALUES as a row; named_struct is a function to it like any other. */
function makesStruct(expression: Expression): boolean {
  return expression.kind === "row" || (expression.kind === "call" && /^struct$/i.test(expression.name));
}

/** `VALUES (1, 'a'), (2, 'b')`: columns `col1`, `col2`, …, each of its values' common type. */
function bindValues(context: Context, node: Values): BoundQuery {
  const place = anyPlace(context);
  const rows = node.rows.map((row) => row.map((value) => context.binder.bind(place, value)));
  const width = rows[0]?.length ?? 0;
  const struct = node.rows.find(([only, second]) => second === undefined && only !== undefined && makesStruct(only));
  if (struct !== undefined)
    throw unsupported(place, struct[0]?.at ?? node.at, "VALUES of a struct", "Write the row as (a, b).");
  if (rows.some((row) => row.length !== width))
    throw fail(
      place,
      node.at,
      "NUM_COLUMNS_MISMATCH",
      "The rows of VALUES differ in length",
      "Give every row the same columns.",
    );
  const columns = Array.from({ length: width }, (_, i): BoundField => {
    const values = rows.map((row) => row[i]).filter((v) => v !== undefined);
    const type = commonTypeOf(
      values.map((v) => v.type),
      false,
    );
    if (type === undefined)
      throw noCommonType(
        place,
        node.at,
        "VALUES",
        values.map((v) => v.type),
      );
    const origins = combineOrigins(values, type);
    return { name: `col${i + 1}`, type, nullable: values.some((v) => v.nullable), origins };
  });
  const text = (row: readonly Bound[]) =>
    `(${row.map((v, i) => coerce(place, v, columns[i]?.type ?? v.type).sql).join(", ")})`;
  const alias = quoteName(context.binder.newName("t"));
  const list = columns.map((c, i) => `${alias}."c${i}" AS ${quoteName(c.name)}`).join(", ");
  const sql = `SELECT ${list} FROM (VALUES ${rows.map(text).join(", ")}) AS ${alias}(${columnList(width)})`;
  const volatile = rows.flat().some((v) => v.volatile);
  return { columns, influences: NO_ORIGINS, sql, volatile, plain: false, single: false };
}
