import type { ColumnRoom, QueryTotals } from "../../model/query.js";
import { orderKey } from "../lower/lower-order.js";
import { normalizeZero, quoteName } from "../lower/lower-text.js";
import type { Expression, FromItem, Select, SortDirection, SortKey } from "../parse/ast.js";
import { bindGroupBy } from "./bind-group-by.js";
import { aliasMap, bindItems } from "./bind-items.js";
import { allKeys, bindOrderBy } from "./bind-order-by.js";
import { type Binder, expectBoolean, expectCondition, fail, type Place, unsupported } from "./bind-place.js";
import { type Scope, same } from "./bind-scope.js";
import { bindSelectGenerators } from "./bind-select-generators.js";
import { sortText } from "./bind-window.js";
import type { Bound, BoundField, OutputColumn } from "./bound.js";
import type { BoundFrom } from "./bound-from.js";
import { refuseAggregatesInOrder, refuseAggregatesInQualify } from "./check-aggregates.js";
import { mergeInfluences, type Origins } from "./origins.js";
import { groupKeys, type SelectGroups, selectGroups } from "./select-groups.js";
import { selectTotals } from "./select-totals.js";
import { hasMap, isAtomic, isComparable, isFloating } from "./type-rules.js";

export interface BoundSelect {
  readonly columns: readonly BoundField[];
  /** Columns that decide which rows there are. */
  readonly influences: Origins;
  readonly sql: string;
  readonly volatile: boolean;
  readonly plain: boolean;
  readonly single: boolean;
  readonly room?: ColumnRoom;
  readonly groups?: SelectGroups;
  readonly totals?: QueryTotals;
}

/** ORDER BY, LIMIT and OFFSET, where they belong to one SELECT. */
export interface Tail {
  readonly orderBy: readonly SortKey[];
  readonly orderByAll?: SortDirection;
  readonly distributeBy?: readonly Expression[];
  readonly limit: string;
}

const NONE: ReadonlySet<string> = new Set();

export function bindSelect(
  binder: Binder,
  select: Select,
  rows: BoundFrom | undefined,
  outer: Scope | undefined,
  tail: Tail,
): BoundSelect {
  refuseLostOrder(binder, select.from, tail);
  const scopeOf = (rows: BoundFrom | undefined): Scope => ({
    columns: rows?.columns ?? [],
    aliases: new Map(),
    ...(outer === undefined ? {} : { outer }),
  });
  const input: Place = {
    binder,
    scope: scopeOf(rows),
    clause: "WHERE",
    aggregates: false,
    windows: false,
    grouping: NONE,
    namedWindows: select.windows,
    aliasesFirst: false,
    filter: false,
  };
  const filtering: Place = { ...input, filter: "condition" };
  const condition =
    select.where === undefined ? undefined : expectCondition(filtering, binder.bind(filtering, select.where));
  const generated = bindSelectGenerators(input, select, rows, condition);
  const from = generated?.from ?? rows;
  const where = generated === undefined ? condition : undefined;
  const scope = scopeOf(from);
  const base: Place = { ...input, scope };
  const { groups: grouping, sql: groupText, sets } = bindGroupBy(base, select);
  const groups = new Set(grouping.map((g) => g.sql));
  const partitions: (readonly string[])[] = [];
  const listPlace: Place = {
    ...base,
    onWindow: (partition) => partitions.push(partition),
    clause: "the select list",
    aggregates: true,
    windows: true,
    grouping: groups,
    groupingSets: sets,
  };
  const items = bindItems(listPlace, select.items, generated?.items);
  const after: Place = { ...listPlace, scope: { ...scope, aliases: aliasMap(items) }, aliasesFirst: true };
  const having = bindCondition({ ...after, clause: "HAVING", windows: false, filter: "condition" }, select.having);
  refuseAggregatesInQualify(after, select);
  const qualify = bindCondition(qualifyPlace(after), select.qualify);
  const sortKeys = tail.orderByAll === undefined ? tail.orderBy : allKeys(items, tail.orderByAll);
  const keys = bindOrderBy({ ...after, clause: "ORDER BY" }, sortKeys, items, select.distinct);
  refuseAggregatesInOrder({ ...after, clause: "HAVING" }, select, sortKeys, items);
  const others = (tail.distributeBy ?? []).map((e) => binder.bind({ ...after, clause: "DISTRIBUTE BY" }, e));
  const bounds = [...items.map((i) => i.bound), ...keys.map((k) => k.bound), ...others];
  const conditions = [having, qualify].filter((c) => c !== undefined);
  const isGrouped = groupText !== "" || [...bounds, ...conditions].some((b) => b.aggregate) || having !== undefined;
  if (isGrouped) for (const bound of [...bounds, ...conditions]) checkGrouped(listPlace, bound);
  const order = [...keys.map((k) => k.sql), ...(tail.limit === "" ? [] : tieBreakers(items, select.distinct))];
  // Spark makes the groups of several sets from rows: where there are none, there is no grand total.
  const filled = sets ? ["count(*) > 0"] : [];
  const havingText = [...filled, ...(having === undefined ? [] : [having.sql])].join(" AND ");
  const head = `SELECT ${select.distinct ? "DISTINCT " : ""}${items.map((i) => `${itemText(i, select.distinct)} AS ${quoteName(i.name)}`).join(", ")}`;
  const texts = {
    head,
    from: from === undefined ? "" : `FROM ${from.sql}`,
    where: where === undefined ? "" : `WHERE ${where.sql}`,
    rest: [
      ...(groupText === "" ? [] : [`GROUP BY ${groupText}`]),
      ...(havingText === "" ? [] : [`HAVING ${havingText}`]),
      ...(qualify === undefined ? [] : [`QUALIFY ${qualify.sql}`]),
    ].join(" "),
  };
  const clauses = [
    ...Object.values(texts),
    ...(order.length === 0 ? [] : [`ORDER BY ${order.join(", ")}`]),
    tail.limit,
  ].filter((text) => text !== "");
  const distinctText = (item: OutputColumn) => itemText(item, true);
  const apart =
    from === undefined || sets || tail.limit !== ""
      ? []
      : groupKeys(select, { items, grouping, isGrouped, partitions, distinctText });
  const single = isGrouped && groupText === "" && having === undefined && qualify === undefined;
  const totals =
    from !== undefined && single && tail.limit === "" && partitions.length === 0
      ? selectTotals(select, items, texts)
      : undefined;
  const map = select.distinct ? items.find(({ bound }) => hasMap(bound.type)) : undefined;
  if (map !== undefined)
    throw fail(
      listPlace,
      map.bound.at,
      "UNSUPPORTED_CLAUSE",
      "DISTINCT of a MAP is not supported",
      "Maps cannot be compared.",
    );
  const filters = where !== undefined || qualify !== undefined || select.distinct || tail.limit !== "";
  return {
    columns: items.map(({ name, bound: { type, nullable, origins } }) => ({ name, type, nullable, origins })),
    influences: mergeInfluences([
      from?.influences,
      ...[...conditions, ...grouping, ...(where === undefined ? [] : [where])].map((b) => b.origins),
      // Without LIMIT the order of rows means nothing.
      ...(tail.limit === "" ? [] : keys.map((k) => k.bound.origins)),
    ]),
    sql: clauses.join(" "),
    volatile:
      from?.volatile === true ||
      [...bounds, ...conditions, ...grouping, ...(where === undefined ? [] : [where])].some((b) => b.volatile),
    plain: from?.plain === true && !filters && !isGrouped,
    single,
    ...(from?.relation === undefined || isGrouped || select.distinct
      ? {}
      : { room: { ...from.relation, at: head.length } }),
    ...(apart.length === 0 ? {} : { groups: selectGroups(apart, texts) }),
    ...(totals === undefined ? {} : { totals }),
  };
}

/** Spark takes the first rows in the order of the subquery; here rows have one by ORDER BY beside LIMIT only. */
function refuseLostOrder(binder: Binder, from: FromItem | undefined, tail: Tail): void {
  if (tail.limit === "" || tail.orderBy.length > 0 || tail.orderByAll !== undefined) return;
  const query = from?.kind === "derived" ? from.query : from?.kind === "cte" ? from.cte.query : undefined;
  if (query === undefined || (query.orderBy.length === 0 && query.orderByAll === undefined)) return;
  const hint = "Write ORDER BY beside LIMIT.";
  throw unsupported({ binder }, from?.at ?? 0, "LIMIT over a subquery with ORDER BY", hint);
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
  return { ...place, scope: { ...place.scope, aliases }, clause: "QUALIFY", filter: "condition" };
}

/** LIMIT takes the rows that come first by all columns, where ORDER BY leaves them open: always the same rows. */
function tieBreakers(items: readonly OutputColumn[], distinct: boolean): string[] {
  return items.flatMap(({ bound }, i) => {
    if (!isComparable(bound.type) || bound.type.kind === "void") return [];
    const byPlace = isAtomic(bound.type) && (distinct || !isFloating(bound.type));
    const sql = byPlace ? String(i + 1) : orderKey(bound.sql, bound.type);
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
