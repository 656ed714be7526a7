import { sameType } from "../../model/data-type.js";
import { quoteName, raise } from "../lower/lower-text.js";
import type { Cte, FromItem, QueryBody } from "../parse/ast.js";
import { type Binder, describe, fail, unsupported } from "./bind-place.js";
import type { BoundSelect } from "./bind-select.js";
import type { BoundField } from "./bound.js";
import type { Source } from "./bound-from.js";
import { combineOrigins, mergeInfluences } from "./origins.js";

interface Parts {
  /** The rows that it begins with. */
  readonly anchor: (body: QueryBody) => BoundSelect;
  /** The rows that follow from those of the level before, which the CTE stands for. */
  readonly step: (body: QueryBody, self: Source) => BoundSelect;
}

/** `spark.sql.cteRecursionLevelLimit` */
const MAX_LEVELS = 100;

/** Whether the second half of a UNION reads the CTE; else it is a plain one, whatever the word before says. */
export function readsItself(cte: Cte): boolean {
  const { body } = cte.query;
  return body.kind === "set" && reads(body.right, cte) > 0;
}

/**
 * `anchor UNION ALL step`: the step sees the rows of the level before. Each row carries its level, so that a recursion
 * without an end stops where Spark's does.
 */
export function bindRecursion(context: { readonly binder: Binder }, cte: Cte, id: string, parts: Parts) {
  const { body, orderBy, limit, offset } = cte.query;
  const refuse = (what: string, hint: string) => unsupported(context, cte.at, what, hint);
  if (
    body.kind !== "set" ||
    body.op !== "UNION" ||
    !body.all ||
    orderBy.length > 0 ||
    limit !== undefined ||
    offset !== undefined
  )
    throw refuse("A recursive CTE of this form", "Write a query, UNION ALL and a query over the CTE.");
  const step = body.right;
  if (step.kind !== "select" || step.distinct || step.groupBy === "all" || step.groupBy.length > 0)
    throw refuse("A recursive step that groups", "Aggregate what the recursion gives.");
  if (fromReads(step.from, cte, true) !== 1 || reads(step, cte) !== 1 || reads(body.left, cte) > 0)
    throw refuse(
      "A recursive CTE that is not read once in FROM",
      "Read it once, in an inner join or on its left side.",
    );
  const anchor = parts.anchor(body.left);
  if (cte.columns.length > 0 && cte.columns.length !== anchor.columns.length)
    throw fail(
      context,
      cte.at,
      "NUM_COLUMNS_MISMATCH",
      `${cte.name} names ${cte.columns.length} columns, its query has ${anchor.columns.length}`,
      "Name every column, or none.",
    );
  const columns = anchor.columns.map((c, i): BoundField => ({ ...c, name: cte.columns[i] ?? c.name, nullable: true }));
  const list = columns.map((_, i) => quoteName(`c${i}`)).join(", ");
  const { influences } = anchor;
  const self: Source = { sql: `(SELECT ${list} FROM ${id})`, columns, influences, volatile: false, plain: false };
  const bound = parts.step(step, self);
  const differs =
    bound.columns.length !== columns.length
      ? 0
      : columns.findIndex((c, i) => !sameType(c.type, bound.columns[i]?.type ?? c.type));
  if (differs !== -1)
    throw fail(
      context,
      cte.at,
      "CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE",
      `${cte.name} begins with ${columns.map((c) => describe(c.type)).join(", ")} and goes on with ${bound.columns.map((c) => describe(c.type)).join(", ")}`,
      "Cast the columns to the types of the first query.",
    );
  const error = raise("RECURSION_LEVEL_LIMIT_EXCEEDED", `The recursion has more than ${MAX_LEVELS} levels.`);
  const level = `(SELECT CASE WHEN max("level") >= ${MAX_LEVELS} THEN CAST(${error} AS INTEGER) ELSE max("level") + 1 END FROM ${id})`;
  return {
    definition: `${id}(${list}, "level") AS (SELECT *, 0 FROM (${anchor.sql}) UNION ALL SELECT *, ${level} FROM (${bound.sql}))`,
    source: {
      ...self,
      columns: columns.map((c, i) => ({ ...c, origins: combineOrigins([c, bound.columns[i] ?? c], c.type, "copied") })),
      influences: mergeInfluences([influences, bound.influences]),
      volatile: anchor.volatile || bound.volatile,
    } satisfies Source,
  };
}

/** How often a tree reads the CTE. */
function reads(node: unknown, cte: Cte): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + reads(item, cte), 0);
  if (typeof node !== "object" || node === null) return 0;
  if ("kind" in node && node.kind === "cte" && "cte" in node) return node.cte === cte ? 1 : 0;
  return Object.entries(node).reduce((sum, [key, value]) => sum + (key === "cte" ? 0 : reads(value, cte)), 0);
}

/** How often a tree of joins reads it where every row of it counts. */
function fromReads(item: FromItem | undefined, cte: Cte, kept: boolean): number {
  if (item?.kind === "cte") return kept && item.cte === cte ? 1 : 0;
  if (item?.kind !== "join") return 0;
  const isInner = item.type === "inner" || item.type === "cross";
  return (
    fromReads(item.left, cte, kept && (isInner || item.type === "left")) + fromReads(item.right, cte, kept && isInner)
  );
}
