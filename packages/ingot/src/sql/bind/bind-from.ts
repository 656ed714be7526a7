import type { DataType, Field } from "../../model/data-type.js";
import { formatName } from "../../model/name.js";
import type { Relation } from "../../model/query.js";
import { quoteName } from "../lower/lower-text.js";
import type { FromItem, Join, LateralView, Name, Query, RelationRef, TableFunction } from "../parse/ast.js";
import { bindGenerator, generatedRows, joinGenerated } from "./bind-generator.js";
import { bindComparison } from "./bind-operators.js";
import { bindPivot } from "./bind-pivot.js";
import { type Binder, coerce, expectCondition, fail, type Place } from "./bind-place.js";
import { bindRange } from "./bind-range.js";
import { columnBound, type Scope, type ScopeColumn, same } from "./bind-scope.js";
import { bindUnpivot } from "./bind-unpivot.js";
import { checkWatermark } from "./bind-watermark.js";
import type { Bound, BoundField } from "./bound.js";
import type { BoundFrom, Source } from "./bound-from.js";
import { combineOrigins, fieldOrigins, mergeInfluences, NO_ORIGINS, originsOf } from "./origins.js";
import { commonType } from "./type-rules.js";

/** What FROM needs to know of the queries around and within it. */
export interface FromContext {
  readonly binder: Binder;
  readonly schemas: ReadonlyMap<string, readonly Field[]>;
  readonly derived: (query: Query, outer: Scope | undefined) => Source;
  readonly cte: (item: FromItem & { kind: "cte" }) => Source;
  readonly outer?: Scope;
}

/**
 * Named as if they were fields of `_metadata`, which itself is Spark's: the number of a record in its file, from 1, and
 * the sha256 of the file's content.
 */
const BESIDE_METADATA: readonly Field[] = [
  { name: "row_number", type: { kind: "bigint" }, nullable: false },
  { name: "content_hash", type: { kind: "string" }, nullable: false },
];

/** `_metadata` of `read_files`: one struct, in no `*`. */
export const FILE_METADATA: Field = {
  name: "_metadata",
  nullable: false,
  type: {
    kind: "struct",
    fields: (
      [
        ["file_path", "string"],
        ["file_name", "string"],
        ["file_size", "bigint"],
        ["file_block_start", "bigint"],
        ["file_block_length", "bigint"],
        ["file_modification_time", "timestamp"],
      ] as const
    ).map(([name, kind]) => ({ name, type: { kind }, nullable: false })),
  },
};

/** A relation, or a tree of joins. */
export function bindFrom(context: FromContext, item: FromItem): BoundFrom {
  const from = bindItem(context, item);
  if ("watermark" in item && item.watermark !== undefined)
    checkWatermark(placeOver(context, from.columns, "WATERMARK"), item.watermark);
  return from;
}

function bindItem(context: FromContext, item: FromItem): BoundFrom {
  switch (item.kind) {
    case "join":
      return bindJoin(context, item);
    case "relation":
      return bindRelation(context, item);
    case "derived":
      return named(context, context.derived(item.query, context.outer), item);
    case "cte":
      return named(context, context.cte(item), item);
    case "function":
      return bindTableFunction(context, item);
    case "lateral-view":
      return bindLateralView(context, item);
    case "pivot":
    case "unpivot": {
      const from = bindFrom(context, item.input);
      const place = placeOver(context, from.columns, item.kind.toUpperCase());
      return item.kind === "pivot" ? bindPivot(place, from, item) : bindUnpivot(place, from, item);
    }
  }
}

function bindLateralView(context: FromContext, item: LateralView): BoundFrom {
  const from = bindFrom(context, item.input);
  const place = placeOver(context, from.columns, "LATERAL VIEW");
  const generator = bindGenerator(place, item.call, item.columns, item.outer);
  return joinGenerated(context.binder, from, generator, item.alias === undefined ? [] : [item.alias]);
}

/** `range(3)`, `explode(…)` as a relation; beside LATERAL it sees the relations before it. */
function bindTableFunction(context: FromContext, item: TableFunction): BoundFrom {
  const { outer: _, ...alone } = context;
  const place = placeOver(item.lateral === true ? context : alone, [], "a function in FROM");
  if (item.call.name.toLowerCase() === "range") return named(context, bindRange(place, item.call), item);
  const generator = bindGenerator(place, item.call);
  const columns = generator.columns.map(({ name, type, nullable, origins }) => ({ name, type, nullable, origins }));
  const { volatile } = generator.input;
  const source = { sql: `(${generatedRows(generator)})`, columns, influences: NO_ORIGINS, volatile, plain: false };
  return named(context, source, item);
}

function bindRelation(context: FromContext, item: FromItem & { kind: "relation" }): BoundFrom {
  const { relation } = item;
  const schema = context.schemas.get(relation.id);
  if (schema === undefined)
    throw fail(
      context,
      item.at,
      "UNKNOWN_TABLE",
      `There is no table ${relationName(relation)}`,
      "Declare it, or check its name.",
    );
  const alias = context.binder.newName("t");
  const qualifier = item.alias !== undefined ? [item.alias] : relation.kind === "table" ? relation.name : [];
  const names = renamed(context, item, schema);
  const read = (field: Field): BoundField => ({ ...field, origins: originsOf(relation.id, field) });
  const columns = schema.map((field, i) => ({
    ...column(alias, field.name, { ...read(field), name: names[i] ?? field.name }, qualifier),
    hidden: field.hidden === true,
  }));
  const metadata = column(alias, FILE_METADATA.name, read(FILE_METADATA), qualifier);
  const beside = BESIDE_METADATA.map((field) => ({
    ...column(
      alias,
      `${FILE_METADATA.name}.${field.name}`,
      { ...field, origins: fieldOrigins(metadata.origins, field) },
      [...qualifier, FILE_METADATA.name],
    ),
    hidden: true,
    byName: false,
    inStar: false,
  }));
  const hidden = relation.kind === "files" ? [{ ...metadata, hidden: true }, ...beside] : [];
  return {
    sql: `${quoteName(relation.id)} AS ${quoteName(alias)}`,
    columns: [...columns, ...hidden],
    influences: NO_ORIGINS,
    volatile: false,
    plain: true,
    relation: { relation: relation.id, alias },
  };
}

function relationName(relation: Relation): string {
  if (relation.kind === "path") return `delta.\`${relation.path}\``;
  if (relation.kind === "files") return relation.files.path;
  const [table = "", schema, catalog] = [...relation.name].reverse();
  return schema === undefined || catalog === undefined
    ? relation.name.join(".")
    : formatName({ catalog, schema, table });
}

type Named = FromItem & { readonly kind: "derived" | "cte" | "function" };

/** A subquery under its alias. */
function named(context: FromContext, source: Source, item: Named): BoundFrom {
  const alias = context.binder.newName("t");
  const qualifier = item.alias === undefined ? [] : [item.alias];
  const names = renamed(context, item, source.columns);
  const columns = source.columns.map((field, i) =>
    column(alias, `c${i}`, { ...field, name: names[i] ?? field.name }, qualifier),
  );
  const list = source.columns.map((_, i) => quoteName(`c${i}`)).join(", ");
  return {
    sql: `${source.sql} AS ${quoteName(alias)}(${list})`,
    columns,
    influences: source.influences,
    volatile: source.volatile,
    plain: source.plain,
  };
}

function renamed(context: FromContext, item: Named | RelationRef, fields: readonly Field[]): readonly string[] {
  if (item.columns.length === 0) return fields.map((f) => f.name);
  if (item.columns.length === fields.length) return item.columns;
  throw fail(
    context,
    item.at,
    "NUM_COLUMNS_MISMATCH",
    `The alias names ${item.columns.length} columns, there are ${fields.length}`,
    "Name every column, or none.",
  );
}

function column(alias: string, own: string, field: BoundField, qualifier: readonly string[]): ScopeColumn {
  const sql = `${quoteName(alias)}.${quoteName(own)}`;
  const { name, type, nullable, origins } = field;
  return { name, sql, type, nullable, origins, qualifier };
}

const JOIN_TEXT = {
  inner: "JOIN",
  left: "LEFT JOIN",
  right: "RIGHT JOIN",
  full: "FULL JOIN",
  cross: "CROSS JOIN",
  semi: "SEMI JOIN",
  anti: "ANTI JOIN",
};

function bindJoin(context: FromContext, join: Join): BoundFrom {
  const left = bindFrom(context, join.left);
  const isLateral = "lateral" in join.right && join.right.lateral === true;
  const right = bindFrom(isLateral ? { ...context, outer: scopeOver(context, left.columns) } : context, join.right);
  const { type } = join;
  const nullable = {
    left: type === "right" || type === "full",
    right: type === "left" || type === "full",
  };
  const sides = {
    left: left.columns.map((c) => ({ ...c, nullable: c.nullable || nullable.left })),
    right: right.columns.map((c) => ({ ...c, nullable: c.nullable || nullable.right })),
  };
  const onlyLeft = type === "semi" || type === "anti";
  const place = placeOver(context, [...left.columns, ...right.columns], "a join condition");
  const using = join.natural === true ? sharedNames(left.columns, right.columns, join.at) : join.using;
  const keys = using?.map((name) => bindKey(place, name, left.columns, right.columns)) ?? [];
  const conditions = keys.map((key) => key.condition);
  if (join.on !== undefined) conditions.push(expectCondition(place, place.binder.bind(place, join.on)));
  const isCross = type === "cross" || conditions.length === 0;
  const operator = `${isCross ? "CROSS JOIN" : JOIN_TEXT[type]}${isLateral ? " LATERAL" : ""}`;
  const joined = `${left.sql} ${operator} ${joinOperand(join.right, right.sql)}`;
  return {
    sql: isCross ? joined : `${joined} ON ${conditions.map((c) => c.sql).join(" AND ")}`,
    columns: onlyLeft ? leftColumns(sides.left, keys) : joinColumns(type, sides.left, sides.right, keys),
    influences: mergeInfluences([left.influences, right.influences, ...conditions.map((c) => c.origins)]),
    volatile: left.volatile || right.volatile || conditions.some((c) => c.volatile),
    plain: false,
  };
}

function joinOperand(item: FromItem, sql: string): string {
  return item.kind === "join" ? `(${sql})` : sql;
}

function scopeOver(context: FromContext, columns: readonly ScopeColumn[]): Scope {
  return { columns, aliases: new Map(), ...(context.outer === undefined ? {} : { outer: context.outer }) };
}

function placeOver(context: FromContext, columns: readonly ScopeColumn[], clause: string): Place {
  return {
    binder: context.binder,
    scope: scopeOver(context, columns),
    clause,
    aggregates: false,
    windows: false,
    grouping: new Set(),
    aliasesFirst: false,
    filter: "condition",
  };
}

interface Key {
  readonly name: string;
  readonly left: ScopeColumn;
  readonly right: ScopeColumn;
  readonly condition: Bound;
  /** Both sides as one type, for a full join's column. */
  readonly merged: { readonly sql: string; readonly type: DataType };
}

function sharedNames(left: readonly ScopeColumn[], right: readonly ScopeColumn[], at: number): Name[] {
  const visible = (c: ScopeColumn) => c.hidden !== true;
  return left
    .filter((l) => visible(l) && right.some((r) => visible(r) && same(l.name, r.name)))
    .map(({ name }) => ({ at, name }));
}

function bindKey(place: Place, { name, at }: Name, left: readonly ScopeColumn[], right: readonly ScopeColumn[]): Key {
  const l = sideColumn(place, name, at, left, "left");
  const r = sideColumn(place, name, at, right, "right");
  const [a, b] = [columnBound(l, at, false), columnBound(r, at, false)];
  const condition = bindComparison(place, "=", a, b, at);
  const type = commonType(l.type, r.type) ?? l.type;
  const merged = { sql: `coalesce(${coerce(place, a, type).sql}, ${coerce(place, b, type).sql})`, type };
  return { name: l.name, left: l, right: r, condition, merged };
}

function sideColumn(
  place: Place,
  name: string,
  at: number,
  columns: readonly ScopeColumn[],
  side: string,
): ScopeColumn {
  const [found, second] = columns.filter((c) => same(c.name, name) && c.byName !== false);
  if (found !== undefined && second === undefined) return found;
  if (found !== undefined)
    throw fail(
      place,
      at,
      "AMBIGUOUS_REFERENCE",
      `The ${side} side has more than one column ${name}`,
      "Join with ON.",
      name,
    );
  throw fail(
    place,
    at,
    "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION",
    `The ${side} side has no column ${name}`,
    "USING names columns of both sides.",
    name,
  );
}

/**
 * USING: the keys first, then the other columns of the left and of the right. Each side's own keys are found by its
 * qualifier, and stand first in its `t.*` too.
 */
function joinColumns(
  type: Join["type"],
  left: readonly ScopeColumn[],
  right: readonly ScopeColumn[],
  keys: readonly Key[],
): ScopeColumn[] {
  const merged = keys.map((key): ScopeColumn => {
    const { sql, type: common } = key.merged;
    const base = { name: key.name, qualifier: [] };
    if (type === "full") {
      const origins = combineOrigins([key.left, key.right], common);
      return { ...base, sql, type: common, nullable: true, origins };
    }
    const kept = type === "right" ? key.right : key.left;
    return { ...base, sql: kept.sql, type: kept.type, nullable: kept.nullable, origins: kept.origins };
  });
  const own = (columns: readonly ScopeColumn[], side: "left" | "right") => {
    const isKey = (c: ScopeColumn) => keys.some((key) => key[side].sql === c.sql);
    const front = keys.flatMap((key) => columns.filter((c) => c.sql === key[side].sql));
    return [...front.map((c) => ({ ...c, hidden: true, byName: false })), ...columns.filter((c) => !isKey(c))];
  };
  return [...merged, ...own(left, "left"), ...own(right, "right")];
}

/** A semi or anti join gives the left side alone; USING moves its keys to the front. */
function leftColumns(left: readonly ScopeColumn[], keys: readonly Key[]): ScopeColumn[] {
  const isKey = (c: ScopeColumn) => keys.some((key) => key.left.sql === c.sql);
  const front = keys.flatMap((key) => left.filter((c) => c.sql === key.left.sql));
  return [...front, ...left.filter((c) => !isKey(c))];
}
