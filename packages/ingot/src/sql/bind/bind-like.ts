import { quoteText, raise } from "../lower/lower-text.js";
import type { Expression, Like, LikeList } from "../parse/ast.js";
import { coerce, describe, fail, type Place, unsupported } from "./bind-place.js";
import { anyNullable, type Bound, derive, joinNames } from "./bound.js";
import { BOOLEAN, STRING } from "./type-rules.js";

const BACKSLASH = "\\";

/** `x [I]LIKE pattern [ESCAPE 'c']` */
export function bindLike(place: Place, node: Like): Bound {
  const operand = place.binder.bind({ ...place, filter: false }, node.operand);
  const pattern = place.binder.bind({ ...place, filter: false }, node.pattern);
  return matchLike(place, operand, pattern, node);
}

/** The same of parts that are bound, as the functions `like` and `ilike` have them. */
export function matchLike(
  place: Place,
  left: Bound,
  right: Bound,
  node: Pick<Like, "at" | "escapeChar" | "anyCase">,
): Bound {
  const sign = node.escapeChar ?? BACKSLASH;
  if ([...sign].length !== 1)
    throw unsupported(place, node.at, `The escape '${sign}' of LIKE`, "An escape is one character.");
  const [operand, pattern] = [asText(place, left), asText(place, right)];
  const anyCase = node.anyCase === true;
  return derive([operand, pattern], {
    sql: likeText(place, operand, pattern, sign, anyCase),
    type: BOOLEAN,
    nullable: anyNullable([operand, pattern]),
    name: joinNames([operand, pattern], ([x, p]) =>
      anyCase ? `ilike(${x}, ${p})` : `${x} LIKE ${p}${sign === BACKSLASH ? "" : ` ESCAPE '${sign}'`}`,
    ),
    at: node.at,
    throws: pattern.literal === undefined,
  });
}

/** `x [NOT] [I]LIKE ANY (…)` and ALL. Spark does not show constant patterns. */
export function bindLikeList(place: Place, node: LikeList): Bound {
  const { all, negated, anyCase } = node;
  const operand = bindText(place, node.operand);
  const patterns = node.patterns.map((p) => bindText(place, p));
  const tests = patterns.map((pattern) => {
    const sql = likeText(place, operand, pattern, BACKSLASH, anyCase);
    return negated ? `(NOT ${sql})` : sql;
  });
  const isConstant = patterns.every((p) => p.literal !== undefined);
  const called = `${negated ? "not" : ""}like${all ? "all" : "any"}`;
  return derive([operand, ...patterns], {
    sql: `(${tests.join(all ? " AND " : " OR ")})`,
    type: BOOLEAN,
    nullable: anyNullable([operand, ...patterns]),
    name: isConstant ? joinNames([operand], ([x]) => `${called}(${anyCase ? `lower(${x})` : x})`) : undefined,
    at: node.at,
    throws: !isConstant,
  });
}

function bindText(place: Place, expression: Expression): Bound {
  return asText(place, place.binder.bind({ ...place, filter: false }, expression));
}

function asText(place: Place, bound: Bound): Bound {
  if (bound.type.kind === "binary")
    throw unsupported(place, bound.at, `LIKE of ${describe(bound.type)}`, "Cast it to STRING.");
  return coerce(place, bound, STRING);
}

/** Spark takes no pattern whose escape stands before another sign than `_`, `%` and itself. */
function likeText(place: Place, operand: Bound, pattern: Bound, sign: string, anyCase: boolean): string {
  const text = pattern.literal?.type === "string" ? pattern.literal.value : undefined;
  if (text !== undefined) checkPattern(place, pattern.at, text, sign);
  const fold = (sql: string) => (anyCase ? `spark_lower(${sql})` : sql);
  // Where nothing is escaped, DuckDB knows faster ways to compare.
  const escaping = text?.includes(sign) === false ? "" : ` ESCAPE ${quoteText(sign)}`;
  const like = `(${fold(operand.sql)} LIKE ${fold(pattern.sql)}${escaping})`;
  if (pattern.literal !== undefined) return like;
  const wrong = `regexp_matches(${pattern.sql}, ${quoteText(wrongPattern(sign))})`;
  return `(CASE WHEN ${wrong} THEN ${raise("INVALID_FORMAT", "The escape in the pattern stands before no sign of LIKE.")}::BOOLEAN ELSE ${like} END)`;
}

function checkPattern(place: Place, at: number, text: string, sign: string): void {
  for (let i = text.indexOf(sign); i !== -1; i = text.indexOf(sign, i + 2)) {
    if ([sign, "_", "%"].includes(text.charAt(i + 1)) && i + 1 < text.length) continue;
    throw fail(
      place,
      at,
      "UNSUPPORTED_CLAUSE",
      `The escape in the pattern '${text}' stands before no sign of LIKE`,
      `Double it: ${sign}${sign}.`,
    );
  }
}

/** A regular expression for patterns that hold such an escape. */
function wrongPattern(sign: string): string {
  const quoted = /[\w\s]/.test(sign) ? sign : `\\${sign}`;
  return `(?s)^(?:[^${quoted}]|${quoted}[${quoted}_%])*${quoted}(?:[^${quoted}_%]|$)`;
}
