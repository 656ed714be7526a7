import type { Field } from "../../model/data-type.js";
import { normalizeZero, quoteName } from "../lower/lower-text.js";
import type { Expression, Select, SelectItem, SortKey } from "../parse/ast.js";
import type { BoundFrom } from "./bind-from.js";
import { type Binder, describe, expectBoolean, fail, type Place, unsupported } from "./bind-place.js";
import { namesColumn, type Scope, same } from "./bind-scope.js";
import { expandStar } from "./bind-star.js";
import { bindSortKey, sortText } from "./bind-window.js";
import type { Bound, OutputColumn } from "./bound.js";
import { isFloating } from "./type-rules.js";

export interface BoundSelect {
  readonly columns: readonly Field[];
  readonly sql: string;
  readonly volatile: boolean;
  readonly plain: boolean;
  readonly single: boolean;
}

/** ORDER BY, LIMIT and OFFSET, where they belong to one SELECT. */
export interface Tail {
  readonly orderBy: readonly SortKey[];
  readonly limit: string;
}

const NONE: ReadonlySet<string> = new Set();

export function bindSelect(
  binder: Binder,
  select: Select,
  from: BoundFrom | undefined,
  outer: Scope | undefined,
  tail: Tail,
): BoundSelect {
  const scope: Scope = {
    columns: from?.columns ?? [],
    aliases: new Map(),
    ...(outer === undefined ? {} : { outer }),
  };
  const base: Place = {
    binder,
    scope,
    clause: "WHERE",
    aggregates: false,
    windows: false,
    grouping: NONE,
    aliasesFirst: false,
    filter: false,
  };
  const where = bindCondition({ ...base, filter: true }, select.where);
  const grouping = bindGroupBy(base, select);
  const groups = new Set(grouping.map((g) => g.sql));
  const listPlace: Place = { ...base, clause: "the select list", aggregates: true, windows: true, grouping: groups };
  const items = bindItems(listPlace, select.items);
  const after: Place = { ...listPlace, scope: { ...scope, aliases: aliasMap(items) }, aliasesFirst: true };
  const having = bindCondition({ ...after, clause: "HAVING", windows: false, filter: true }, select.having);
  const qualify = bindCondition(qualifyPlace(after), select.qualify);
  const keys = bindOrderBy({ ...after, clause: "ORDER BY" }, tail.orderBy, items, select.distinct);
  const bounds = [...items.map((i) => i.bound), ...keys.map((k) => k.bound)];
  const conditions = [having, qualify].filter((c) => c !== undefined);
  const isGrouped = grouping.length > 0 || [...bounds, ...conditions].some((b) => b.aggregate) || having !== undefined;
  if (isGrouped) for (const bound of [...bounds, ...conditions]) checkGrouped(listPlace, bound);
  const order = [...keys.map((k) => k.sql), ...(tail.limit === "" ? [] : tieBreakers(items, select.distinct))];
  const clauses = [
    `SELECT ${select.distinct ? "DISTINCT " : ""}${items.map((i) => `${itemText(i, select.distinct)} AS ${quoteName(i.name)}`).join(", ")}`,
    ...(from === undefined ? [] : [`FROM ${from.sql}`]),
    ...(where === undefined ? [] : [`WHERE ${where.sql}`]),
    ...(grouping.length === 0 ? [] : [`GROUP BY ${grouping.map((g) => g.sql).join(", ")}`]),
    ...(having === undefined ? [] : [`HAVING ${having.sql}`]),
    ...(qualify === undefined ? [] : [`QUALIFY ${qualify.sql}`]),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(", ")}`]),
    ...(tail.limit === "" ? [] : [tail.limit]),
  ];
  const filters = where !== undefined || qualify !== undefined || select.distinct || tail.limit !== "";
  return {
    columns: items.map(({ name, bound }) => ({ name, type: bound.type, nullable: bound.nullable })),
    sql: clauses.join(" "),
    volatile:
      from?.volatile === true ||
      [...bounds, ...conditions, ...grouping, ...(where === undefined ? [] : [where])].some((b) => b.volatile),
    plain: from?.plain === true && !filters && !isGrouped,
    single: isGrouped && grouping.length === 0 && having === undefined && qualify === undefined,
  };
}

function itemText({ bound }: OutputColumn, distinct: boolean): string {
  return distinct ? normalizeZero(bound.sql, bound.type) : bound.sql;
}

function bindCondition(place: Place, condition: Expression | undefined): Bound | undefined {
  return condition === undefined ? undefined : expectBoolean(place, place.binder.bind(place, condition));
}

/** A name that is both an alias and a column of the input may mean either in QUALIFY: it means neither. */
function qualifyPlace(place: Place): Place {
  const aliases = new Map(place.scope.aliases);
  for (const [name, alias] of aliases) {
    const isColumn = place.scope.columns.some(
      (c) => same(c.name, name) && (alias === "ambiguous" || alias.sql !== c.sql),
    );
    if (isColumn) aliases.set(name, "ambiguous");
  }
  return { ...place, scope: { ...place.scope, aliases }, clause: "QUALIFY", filter: true };
}

/** LIMIT takes the rows that come first by all columns, where ORDER BY leaves them open: always the same rows. */
function tieBreakers(items: readonly OutputColumn[], distinct: boolean): string[] {
  return items.flatMap(({ bound }, i) => {
    if (bound.type.kind === "void" || bound.type.kind === "map") return [];
    const sql = distinct || !isFloating(bound.type) ? String(i + 1) : normalizeZero(bound.sql, bound.type);
    return [sortText(sql, { descending: false })];
  });
}

function checkGrouped(place: Place, bound: Bound): void {
  const [loose] = bound.loose;
  if (loose === undefined) return;
  if (loose.name === undefined)
    throw fail(
      place,
      loose.at,
      "MISSING_AGGREGATION",
      "The subquery reads a column of a grouped query",
      "Join before you aggregate.",
    );
  throw fail(
    place,
    loose.at,
    "MISSING_AGGREGATION",
    `The column ${loose.name} is neither grouped nor aggregated`,
    `Add it to GROUP BY, or take max_by(${loose.name}, …) or another aggregate of it.`,
    loose.name,
  );
}

/** Expressions, places in the select list, or its aliases; columns of the input come before aliases. */
function bindGroupBy(place: Place, select: Select): Bound[] {
  const { groupBy } = select;
  if (groupBy === "all") {
    const listPlace: Place = { ...place, clause: "the select list", aggregates: true, windows: true };
    const items = bindItems(listPlace, select.items).map((i) => i.bound);
    const mixed = items.find((b) => b.aggregate && b.loose.length > 0);
    if (mixed !== undefined)
      throw unsupported(place, mixed.at, "GROUP BY ALL with columns beside an aggregate", "List the grouping columns.");
    return items.filter((b) => !b.aggregate).map((b) => checkGroup(place, b));
  }
  const inner: Place = { ...place, clause: "GROUP BY" };
  const groups = groupBy.map((expression) => bindGroup(inner, expression, select));
  // Constants make no groups, but even alone they make none of no rows.
  const varying = groups.filter((bound) => bound.literal === undefined);
  const [first] = groups;
  if (first !== undefined && varying.length === 0)
    throw unsupported(place, first.at, "Grouping by constants alone", "Group by a column.");
  return varying;
}

function bindGroup(place: Place, expression: Expression, select: Select): Bound {
  const item = itemAt(place, expression, select.items) ?? itemNamed(place, expression, select.items);
  return checkGroup(place, place.binder.bind(place, item ?? expression));
}

function checkGroup(place: Place, bound: Bound): Bound {
  if (bound.type.kind === "map" || isFloating(bound.type))
    throw unsupported(place, bound.at, `Grouping by ${describe(bound.type)}`, "Group by an exact, single value.");
  return bound;
}

function itemAt(place: Place, expression: Expression, items: readonly SelectItem[]): Expression | undefined {
  if (expression.kind !== "literal" || expression.type !== "number") return undefined;
  const item = items[Number(expression.value) - 1];
  if (item?.kind === "expression" && items.every((i) => i.kind === "expression")) return item.expression;
  throw unsupported(place, expression.at, `The place ${expression.value} in GROUP BY`, "Name the column.");
}

function itemNamed(place: Place, expression: Expression, items: readonly SelectItem[]): Expression | undefined {
  const [name, more] = expression.kind === "column" ? expression.path : [];
  if (name === undefined || more !== undefined) return undefined;
  if (namesColumn(place.scope, [name])) return undefined;
  const found = items.find((i) => i.kind === "expression" && i.alias !== undefined && same(i.alias, name));
  return found?.kind === "expression" ? found.expression : undefined;
}

/** The select list; an item may name the aliases before it. */
function bindItems(place: Place, items: readonly SelectItem[]): OutputColumn[] {
  const columns: OutputColumn[] = [];
  for (const item of items) {
    const here: Place = { ...place, scope: { ...place.scope, aliases: aliasMap(columns) } };
    if (item.kind === "star") columns.push(...expandStar(here, item));
    else {
      const bound = place.binder.bind(here, item.expression);
      const name = item.alias ?? bound.columnName ?? bound.name;
      if (name === undefined)
        throw unsupported(place, item.at, "A column without a name of its own", "Name it with AS.");
      columns.push({ name, bound });
    }
  }
  return columns;
}

function aliasMap(columns: readonly OutputColumn[]): Map<string, Bound | "ambiguous"> {
  const aliases = new Map<string, Bound | "ambiguous">();
  for (const { name, bound } of columns) {
    const key = name.toLowerCase();
    const known = aliases.get(key);
    const differs = known !== undefined && (known === "ambiguous" || known.sql !== bound.sql);
    aliases.set(key, differs ? "ambiguous" : bound);
  }
  return aliases;
}

/** Keys are places in the select list, its names, or expressions over the input. */
function bindOrderBy(
  place: Place,
  keys: readonly SortKey[],
  items: readonly OutputColumn[],
  distinct: boolean,
): { readonly sql: string; readonly bound: Bound }[] {
  return keys.map((key) => {
    const { expression } = key;
    if (expression.kind === "literal" && expression.type === "number") {
      const item = items[Number(expression.value) - 1];
      if (item === undefined)
        throw unsupported(
          place,
          expression.at,
          `The place ${expression.value} in ORDER BY`,
          `Use 1 to ${items.length}.`,
        );
      const sql = distinct ? expression.value : normalizeZero(item.bound.sql, item.bound.type);
      return { sql: sortText(sql, key), bound: item.bound };
    }
    const { sql, bound } = bindSortKey(place, key);
    const index = items.findIndex((i) => i.bound.sql === bound.sql);
    if (index !== -1 && (distinct || !isFloating(bound.type))) return { sql: sortText(String(index + 1), key), bound };
    if (distinct)
      throw unsupported(
        place,
        bound.at,
        "ORDER BY a value that DISTINCT does not select",
        "Add it to the select list.",
      );
    return { sql, bound };
  });
}
