/** Characters that Spark trims before it reads a value from a string: `UTF8String.trimAll`. */
const SPACE = String.raw`[\x00-\x20\x7F]*`;
/** What Java trims before it reads a decimal or a double. */
const BLANK = String.raw`[\x00-\x20]*`;
const DIGITS = String.raw`(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`;
/** `Double.valueOf`: a hexadecimal number with a binary exponent. */
const HEX_FLOAT = String.raw`[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[dDfF]?`;
const DAY = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}";
const HOUR = "(?:[01]?[0-9]|2[0-3])";
const SIXTY = "[0-5]?[0-9]";
/** What follows the hour of a moment. Only behind seconds can a zone stand, with space around it. */
const minutes = (zone: string) => String.raw`:${SIXTY}(?::${SIXTY}(?:\.[0-9]*)?(?:[\x00-\x20]*(?:${zone}))?)?`;
const OFFSET = "[+-](?:(?:0[0-9]|1[0-7])(?::?[0-5][0-9])?|18(?::?00)?)";
const ZONE = `Z|(?:UTC|GMT|UT)(?:${OFFSET})?|${OFFSET}`;
/** What may be a zone in Java: a region's name, or an offset in another form. */
const OTHER_ZONE = "[A-Za-z][A-Za-z0-9~/._+:-]*|[+-][0-9:]+";
const MOMENT = `[0-9]{4}(?:-[0-9]{1,2})?|${DAY}(?:[ T]${HOUR}(?:${minutes(ZONE)})?)?`;
/** Moments that Spark reads and Ingot does not: other zones, other years, a time of day alone. */
const OTHER_MOMENT = [
  `${DAY}[ T]${HOUR}${minutes(OTHER_ZONE)}`,
  "(?:[+-][0-9]{4,6}|[0-9]{5,6})(?:-[0-9]{1,2}(?:-[0-9]{1,2}(?:[ T].*)?)?)?",
  `T${HOUR}|T?${HOUR}${minutes(OTHER_ZONE)}`,
].join("|");

/** From a text of MOMENT to the form that DuckDB reads: each step a pattern and what takes its place. */
const MOMENT_STEPS: readonly (readonly [pattern: string, replacement: string])[] = [
  ["^([0-9]{4})$", String.raw`\1-01`],
  ["^([0-9]{4}-[0-9]{1,2})$", String.raw`\1-01`],
  ["([ T][0-9]{1,2})$", String.raw`\1:00`],
  [String.raw`(\.[0-9]{6})[0-9]+`, String.raw`\1`],
  [String.raw`\.([^0-9]|$)`, String.raw`\1`],
  [String.raw`[\x00-\x20]*(?:UTC|GMT|UT)?([+-][0-9]{2}):?([0-9]{2})$`, String.raw`\1:\2`],
  [String.raw`(:.*?)[\x00-\x20]*(?:UTC|GMT|UT)?([+-][0-9]{2})$`, String.raw`\1\2`],
  [String.raw`[\x00-\x20]*(?:Z|UTC|GMT|UT)$`, "Z"],
];
const momentText = MOMENT_STEPS.reduce(
  (text, [pattern, replacement]) => `regexp_replace(${text}, '${pattern}', '${replacement}')`,
  "spark_moment(x)",
);

/** Letters whose capitals are several letters in Java and one in DuckDB. The sharp s is handled, others are refused. */
const SEVERAL_CAPITALS = String.raw`[\x{149}\x{1f0}\x{390}\x{3b0}\x{587}\x{1e96}-\x{1e9a}\x{1f50}-\x{1f56}\x{1f80}-\x{1ffc}\x{fb00}-\x{fb17}]`;

/** The part of a string that matches, without the space around it; empty, which no type reads, where none does. */
const extract = (pattern: string) => `regexp_extract(x, '(?s)^${SPACE}(${pattern})${SPACE}$', 1)`;

/**
 * Statements that a connection runs once before lowered queries. Macros keep Spark's meaning where DuckDB's function of
 * the same name has another; each evaluates in one pass over its arguments. The session's TimeZone is the pipeline's.
 */
export const SESSION_SETUP: readonly string[] = [
  // Strings to values: the text that Spark would accept, for TRY_CAST; then the error of ANSI mode.
  `CREATE OR REPLACE TEMP MACRO spark_integer_text(x) AS ${extract("[+-]?[0-9]+")}`,
  `CREATE OR REPLACE TEMP MACRO spark_decimal_text(x) AS regexp_extract(x, '^${BLANK}([+-]?${DIGITS})${BLANK}$', 1)`,
  `CREATE OR REPLACE TEMP MACRO spark_double_text(x) AS CASE WHEN regexp_matches(x, '^${BLANK}${HEX_FLOAT}${BLANK}$') THEN error('[NOT_SUPPORTED] The number ' || x || ' is hexadecimal. Write it with decimal digits') ELSE coalesce(nullif(regexp_extract(x, '^${BLANK}([+-]?${DIGITS})[dDfF]?${BLANK}$', 1), ''), regexp_extract(x, '(?i)^${BLANK}([+-]?inf|[+-]?infinity|nan)${BLANK}$', 1)) END`,
  `CREATE OR REPLACE TEMP MACRO spark_boolean(x) AS CASE WHEN regexp_matches(x, '(?i)^${SPACE}(t|true|y|yes|1)${SPACE}$') THEN true WHEN regexp_matches(x, '(?i)^${SPACE}(f|false|n|no|0)${SPACE}$') THEN false END`,
  `CREATE OR REPLACE TEMP MACRO spark_date(x) AS TRY_CAST(CASE WHEN regexp_matches(x, '(?s)^${SPACE}${DAY}(${SPACE}|[ T].*)$') THEN regexp_extract(x, '${DAY}') WHEN regexp_matches(x, '^${SPACE}[0-9]{4}-[0-9]{1,2}${SPACE}$') THEN regexp_extract(x, '[0-9]{4}-[0-9]{1,2}') || '-01' WHEN regexp_matches(x, '^${SPACE}[0-9]{4}${SPACE}$') THEN regexp_extract(x, '[0-9]{4}') || '-01-01' WHEN regexp_matches(x, '^${SPACE}([+-][0-9]{4,7}|[0-9]{5,7})(-|${SPACE}$)') THEN error('[NOT_SUPPORTED] The year of ' || x || ' has a sign or more than 4 digits') END AS DATE)`,
  `CREATE OR REPLACE TEMP MACRO spark_moment(x) AS ${extract(MOMENT)}`,
  `CREATE OR REPLACE TEMP MACRO spark_timestamp_text(x) AS CASE WHEN spark_moment(x) = '' AND regexp_matches(x, '(?s)^${SPACE}(${OTHER_MOMENT})${SPACE}$') THEN error('[NOT_SUPPORTED] The timestamp ' || x || ' has a region or other zone, a year with a sign or more than 4 digits, or no day. Ingot reads zones as Z, UTC, GMT, +hh or +hh:mm') ELSE ${momentText} END`,
  `CREATE OR REPLACE TEMP MACRO spark_cast_result(v, x, type) AS CASE WHEN v IS NULL AND x IS NOT NULL THEN error('[CAST_INVALID_INPUT] The value ''' || x || ''' of the type "STRING" cannot be cast to "' || type || '" because it is malformed.') ELSE v END`,
  `CREATE OR REPLACE TEMP MACRO spark_decimal_result(v, x, type) AS CASE WHEN v IS NULL AND x IS NOT NULL THEN CASE WHEN spark_decimal_text(x) = '' THEN error('[CAST_INVALID_INPUT] The value ''' || x || ''' of the type "STRING" cannot be cast to "' || type || '" because it is malformed.') ELSE error('[NUMERIC_VALUE_OUT_OF_RANGE] ' || x || ' cannot be represented as ' || type || '.') END ELSE v END`,
  // Letters: ASCII by DuckDB's own functions.
  `CREATE OR REPLACE TEMP MACRO spark_upper(x) AS CASE WHEN strlen(x) = length(x) THEN upper(x) WHEN regexp_matches(x, '${SEVERAL_CAPITALS}') THEN error('[NOT_SUPPORTED] upper of ' || x) ELSE upper(replace(x, 'ß', 'SS')) END`,
  `CREATE OR REPLACE TEMP MACRO spark_lower(x) AS CASE WHEN strlen(x) = length(x) THEN lower(x) WHEN regexp_matches(x, '[İΣ]') THEN error('[NOT_SUPPORTED] lower of ' || x) ELSE lower(x) END`,
  // Division: an error for zero, but NULL where the dividend is NULL.
  `CREATE OR REPLACE TEMP MACRO spark_nonzero(a, b) AS CASE WHEN b = 0 AND a IS NOT NULL THEN error('[DIVIDE_BY_ZERO] Division by zero. Use try_divide to tolerate a divisor of 0.') ELSE b END`,
  `CREATE OR REPLACE TEMP MACRO spark_mod(a, b) AS CASE WHEN b = 0 AND a IS NOT NULL THEN error('[REMAINDER_BY_ZERO] Remainder by zero. Use try_mod to tolerate a divisor of 0.') WHEN b = -1 THEN a - a ELSE a % b END`,
  // Exact quotient of whole numbers, rounded half up.
  `CREATE OR REPLACE TEMP MACRO spark_round_div(n, d) AS CASE WHEN (n < 0) = (d < 0) THEN (abs(n) + abs(d) // 2) // abs(d) ELSE -((abs(n) + abs(d) // 2) // abs(d)) END`,
  // The same of s * p and n, where the product may be too great for a HUGEINT.
  `CREATE OR REPLACE TEMP MACRO spark_average(s, n, p) AS (s // n) * p + spark_round_div((s % n) * p, n)`,
  `CREATE OR REPLACE TEMP MACRO spark_substring(s, p, n) AS CASE WHEN p > 0 AND n > 0 THEN substring(s, p, n) WHEN s IS NULL OR p IS NULL OR n IS NULL THEN NULL WHEN n <= 0 THEN '' WHEN p = 0 THEN substring(s, 1, n) WHEN length(s) + p >= 0 THEN substring(s, length(s) + p + 1, n) WHEN length(s) + p + n <= 0 THEN '' ELSE substring(s, 1, length(s) + p + n) END`,
];
