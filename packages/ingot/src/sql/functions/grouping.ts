import { fail } from "../bind/bind-place.js";
import { atomic, BIGINT } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import { arg, type Functions, type Lowered, type Use } from "./function.js";

/** What tells the groups of ROLLUP, CUBE and GROUPING SETS apart. */
export const GROUPINGS: Functions = {
  grouping: { kind: "aggregate", arity: [1, 1], bind: grouping },
  grouping_id: { kind: "aggregate", arity: [0, 64], bind: groupingId },
};

/** 1 where the expression is not grouped by. */
function grouping(use: Use): Lowered {
  const { sql } = arg(use, 0);
  if (!groupsOf(use).includes(sql) || isAlias(use, sql)) throw mismatch(use, "GROUPING_COLUMN_MISMATCH");
  const type = atomic("tinyint");
  return { sql: castTo(`grouping(${sql})`, type), type, nullable: false };
}

/** A name of the select list is none of a grouping expression. */
function isAlias({ call, place }: Use, sql: string): boolean {
  return call.args[0]?.expression.kind === "column" && !place.scope.columns.some((c) => c.sql === sql);
}

/** The bits of `grouping` of all grouping expressions, in their order. */
function groupingId(use: Use): Lowered {
  const groups = groupsOf(use);
  const given = use.args.map((a) => a.sql);
  if (given.length > 0 && given.join("\n") !== groups.join("\n")) throw mismatch(use, "GROUPING_ID_COLUMN_MISMATCH");
  return { sql: castTo(`grouping(${groups.join(", ")})`, BIGINT), type: BIGINT, nullable: false };
}

function groupsOf({ place, call }: Use): readonly string[] {
  if (place.groupingSets === true) return [...place.grouping];
  const hint = "Group by ROLLUP (…), CUBE (…) or GROUPING SETS (…).";
  throw fail(place, call.at, "UNSUPPORTED_GROUPING_EXPRESSION", `${call.name} needs grouping sets`, hint, call.name);
}

function mismatch({ place, call }: Use, code: "GROUPING_COLUMN_MISMATCH" | "GROUPING_ID_COLUMN_MISMATCH") {
  const known = place.grouping.size;
  const hint = `Take ${known === 1 ? "the grouping expression" : "the grouping expressions, in their order"}.`;
  return fail(place, call.at, code, `${call.name} takes what the query groups by`, hint, call.name);
}
