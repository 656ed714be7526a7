import { callHost } from "./functions/host/host-function.js";
import { PLAIN_DECIMAL } from "./functions/host/number.js";
import { LOWER, REVERSE, UPPER } from "./functions/host/text.js";

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

/** The part of a string that matches, without the space around it; empty, which no type reads, where none does. */
const extract = (pattern: string) => `regexp_extract(x, '(?s)^${SPACE}(${pattern})${SPACE}$', 1)`;

/** Of two numbers below it 64 bits hold the sum. DuckDB divides 128 bits one by one: that takes a hundred times as long. */
const HALF_BIGINT = "4611686018427387904";
const roundDiv = (n: string, d: string) =>
  `CASE WHEN (${n} < 0) = (${d} < 0) THEN (abs(${n}) + abs(${d}) // 2) // abs(${d}) ELSE -((abs(${n}) + abs(${d}) // 2) // abs(${d})) END`;

/**
 * Statements that a database runs once before lowered queries; it knows the host functions by then. Macros keep Spark's
 * meaning where DuckDB's function of the same name has another; each evaluates in one pass over its arguments. The
 * session's TimeZone is the pipeline's.
 */
export const SESSION_SETUP: readonly string[] = [
  // Strings to values: the text that Spark would accept, for TRY_CAST; then the error of ANSI mode.
  `CREATE OR REPLACE MACRO spark_integer_text(x) AS ${extract("[+-]?[0-9]+")}`,
  `CREATE OR REPLACE MACRO spark_decimal_digits(x) AS regexp_extract(x, '^${BLANK}([+-]?${DIGITS})${BLANK}$', 1)`,
  // DuckDB lets a number with an exponent pass that is too great for the decimal.
  `CREATE OR REPLACE MACRO spark_decimal_text(x) AS CASE WHEN regexp_matches(x, '^[+-]?[0-9]+(\\.[0-9]+)?\\z') THEN x WHEN regexp_matches(x, '^${BLANK}[+-]?[0-9.]+[eE][+-]?[0-9]+${BLANK}$') AND spark_decimal_digits(x) <> '' THEN ${callHost(PLAIN_DECIMAL, "spark_decimal_digits(x)")} ELSE spark_decimal_digits(x) END`,
  `CREATE OR REPLACE MACRO spark_double_text(x) AS CASE WHEN regexp_matches(x, '^${BLANK}${HEX_FLOAT}${BLANK}$') THEN error('[NOT_SUPPORTED] The number ' || x || ' is hexadecimal. Write it with decimal digits') ELSE coalesce(nullif(regexp_extract(x, '^${BLANK}([+-]?${DIGITS})[dDfF]?${BLANK}$', 1), ''), regexp_extract(x, '(?i)^${BLANK}([+-]?inf|[+-]?infinity|nan)${BLANK}$', 1)) END`,
  `CREATE OR REPLACE MACRO spark_boolean(x) AS CASE WHEN regexp_matches(x, '(?i)^${SPACE}(t|true|y|yes|1)${SPACE}$') THEN true WHEN regexp_matches(x, '(?i)^${SPACE}(f|false|n|no|0)${SPACE}$') THEN false END`,
  `CREATE OR REPLACE MACRO spark_date(x) AS TRY_CAST(CASE WHEN regexp_matches(x, '(?s)^${SPACE}${DAY}(${SPACE}|[ T].*)$') THEN regexp_extract(x, '${DAY}') WHEN regexp_matches(x, '^${SPACE}[0-9]{4}-[0-9]{1,2}${SPACE}$') THEN regexp_extract(x, '[0-9]{4}-[0-9]{1,2}') || '-01' WHEN regexp_matches(x, '^${SPACE}[0-9]{4}${SPACE}$') THEN regexp_extract(x, '[0-9]{4}') || '-01-01' WHEN regexp_matches(x, '^${SPACE}([+-][0-9]{4,7}|[0-9]{5,7})(-|${SPACE}$)') THEN error('[NOT_SUPPORTED] The year of ' || x || ' has a sign or more than 4 digits') END AS DATE)`,
  `CREATE OR REPLACE MACRO spark_moment(x) AS ${extract(MOMENT)}`,
  `CREATE OR REPLACE MACRO spark_timestamp_text(x) AS CASE WHEN spark_moment(x) = '' AND regexp_matches(x, '(?s)^${SPACE}(${OTHER_MOMENT})${SPACE}$') THEN error('[NOT_SUPPORTED] The timestamp ' || x || ' has a region or other zone, a year with a sign or more than 4 digits, or no day. Ingot reads zones as Z, UTC, GMT, +hh or +hh:mm') ELSE ${momentText} END`,
  `CREATE OR REPLACE MACRO spark_cast_result(v, x, type) AS CASE WHEN v IS NULL AND x IS NOT NULL THEN error('[CAST_INVALID_INPUT] The value ''' || x || ''' of the type "STRING" cannot be cast to "' || type || '" because it is malformed.') ELSE v END`,
  `CREATE OR REPLACE MACRO spark_decimal_result(v, x, type) AS CASE WHEN v IS NULL AND x IS NOT NULL THEN CASE WHEN spark_decimal_text(x) = '' THEN error('[CAST_INVALID_INPUT] The value ''' || x || ''' of the type "STRING" cannot be cast to "' || type || '" because it is malformed.') ELSE error('[NUMERIC_VALUE_OUT_OF_RANGE] ' || x || ' cannot be represented as ' || type || '.') END ELSE v END`,
  // Letters: those of ASCII by DuckDB's own functions.
  `CREATE OR REPLACE MACRO spark_upper(x) AS CASE WHEN strlen(x) = length(x) THEN upper(x) ELSE ${callHost(UPPER, "x")} END`,
  `CREATE OR REPLACE MACRO spark_lower(x) AS CASE WHEN strlen(x) = length(x) THEN lower(x) ELSE ${callHost(LOWER, "x")} END`,
  `CREATE OR REPLACE MACRO spark_reverse(x) AS CASE WHEN strlen(x) = length(x) THEN reverse(x) ELSE ${callHost(REVERSE, "x")} END`,
  `CREATE OR REPLACE MACRO spark_locate(x, s, p) AS CASE WHEN x IS NULL OR s IS NULL THEN NULL WHEN p IS NULL OR p < 1 THEN 0 WHEN x = '' THEN 1 WHEN p = 1 THEN instr(s, x) WHEN instr(substring(s, p), x) = 0 THEN 0 ELSE instr(substring(s, p), x) + p - 1 END`,
  `CREATE OR REPLACE MACRO spark_lpad(s, n, f) AS CASE WHEN f IS NULL THEN NULL WHEN n <= 0 AND s IS NOT NULL THEN '' WHEN length(s) >= n OR f = '' THEN left(s, n) ELSE left(repeat(f, (n - length(s)) // length(f) + 1), n - length(s)) || s END`,
  `CREATE OR REPLACE MACRO spark_rpad(s, n, f) AS CASE WHEN f IS NULL THEN NULL WHEN n <= 0 AND s IS NOT NULL THEN '' WHEN length(s) >= n OR f = '' THEN left(s, n) ELSE s || left(repeat(f, (n - length(s)) // length(f) + 1), n - length(s)) END`,
  // Lists: their elements in the order of their first places; whether one is an element, NULL equal to NULL.
  `CREATE OR REPLACE MACRO spark_holds(list, x) AS CASE WHEN x IS NULL THEN len(list) > list_count(list) ELSE list_contains(list, x) END`,
  `CREATE OR REPLACE MACRO spark_distinct(list) AS list_filter(list, lambda e, i: CASE WHEN e IS NULL THEN list_count(list[1:i - 1]) = i - 1 ELSE list_position(list, e) = i END)`,
  `CREATE OR REPLACE MACRO spark_sequence(a, b, step) AS CASE WHEN a IS NULL OR b IS NULL OR step IS NULL THEN NULL WHEN (step = 0 AND a <> b) OR (step > 0 AND a > b) OR (step < 0 AND a < b) THEN error('[ILLEGAL_SEQUENCE_BOUNDARIES] The boundaries of the sequence do not fit its step.') WHEN step = 0 THEN [a] ELSE generate_series(a, b, step) END`,
  // A reading of the clock that comes twice is the earlier moment; DuckDB takes the later one.
  `CREATE OR REPLACE MACRO spark_moment_of(t) AS CASE WHEN CAST(CAST(t - INTERVAL 3 HOUR AS TIMESTAMPTZ) + INTERVAL 3 HOUR AS TIMESTAMP) = t THEN CAST(t - INTERVAL 3 HOUR AS TIMESTAMPTZ) + INTERVAL 3 HOUR ELSE CAST(t AS TIMESTAMPTZ) END`,
  // Months and days go by the clock; a reading that comes twice keeps the distance from UTC that the moment had.
  `CREATE OR REPLACE MACRO spark_same_offset(t, l) AS make_timestamptz(epoch_us(l) - epoch_us(CAST(t AS TIMESTAMP)) + epoch_us(t))`,
  `CREATE OR REPLACE MACRO spark_add_by_clock(t, i) AS CASE WHEN CAST(spark_same_offset(t, CAST(t AS TIMESTAMP) + i) AS TIMESTAMP) = CAST(t AS TIMESTAMP) + i THEN spark_same_offset(t, CAST(t AS TIMESTAMP) + i) ELSE spark_moment_of(CAST(t AS TIMESTAMP) + i) END`,
  `CREATE OR REPLACE MACRO spark_moment_in(z, t) AS CASE WHEN timezone(z, timezone(z, t - INTERVAL 3 HOUR) + INTERVAL 3 HOUR) = t THEN timezone(z, t - INTERVAL 3 HOUR) + INTERVAL 3 HOUR ELSE timezone(z, t) END`,
  `CREATE OR REPLACE MACRO spark_timestamp(x) AS CASE WHEN regexp_matches(x, '(Z|[+-][0-9]{2}(:[0-9]{2})?)$') AND contains(x, ':') THEN TRY_CAST(x AS TIMESTAMPTZ) ELSE spark_moment_of(TRY_CAST(x AS TIMESTAMP)) END`,
  // Division: an error for zero, but NULL where the dividend is NULL.
  `CREATE OR REPLACE MACRO spark_nonzero(a, b) AS CASE WHEN b = 0 AND a IS NOT NULL THEN error('[DIVIDE_BY_ZERO] Division by zero. Use try_divide to tolerate a divisor of 0.') ELSE b END`,
  `CREATE OR REPLACE MACRO spark_mod(a, b) AS CASE WHEN b = 0 AND a IS NOT NULL THEN error('[REMAINDER_BY_ZERO] Remainder by zero. Use try_mod to tolerate a divisor of 0.') WHEN b = -1 THEN a - a ELSE a % b END`,
  `CREATE OR REPLACE MACRO spark_decimal_mod(a, b) AS CASE WHEN b = 0 AND a IS NOT NULL THEN error('[REMAINDER_BY_ZERO] Remainder by zero. Use try_mod to tolerate a divisor of 0.') ELSE a % b END`,
  `CREATE OR REPLACE MACRO spark_width_bucket(x, low, high, n) AS CASE WHEN x IS NULL OR low IS NULL OR high IS NULL OR n <= 0 OR n = 9223372036854775807 OR isnan(x) OR low = high OR NOT isfinite(low) OR NOT isfinite(high) THEN NULL WHEN low < high THEN CASE WHEN x < low THEN 0 WHEN x >= high THEN n + 1 ELSE CAST(floor(CAST(n AS DOUBLE) * (x - low) / (high - low)) AS BIGINT) + 1 END ELSE CASE WHEN x > low THEN 0 WHEN x <= high THEN n + 1 ELSE CAST(floor(CAST(n AS DOUBLE) * (low - x) / (low - high)) AS BIGINT) + 1 END END`,
  // Downwards, below zero too; DuckDB's / divides doubles.
  `CREATE OR REPLACE MACRO spark_floor_div(a, b) AS a // b - CASE WHEN a % b < 0 THEN 1 ELSE 0 END`,
  // Java's conversion: the nearest BIGINT, 0 for NaN.
  `CREATE OR REPLACE MACRO spark_double_to_bigint(x) AS CASE WHEN isnan(x) THEN 0 WHEN x >= 9223372036854775807 THEN 9223372036854775807 WHEN x <= -9223372036854775808 THEN CAST('-9223372036854775808' AS BIGINT) ELSE CAST(x AS BIGINT) END`,
  // Exact quotient of whole numbers, rounded half up.
  `CREATE OR REPLACE MACRO spark_round_div(n, d) AS CASE WHEN abs(n) < ${HALF_BIGINT} AND abs(d) < ${HALF_BIGINT} THEN CAST(${roundDiv("CAST(n AS BIGINT)", "CAST(d AS BIGINT)")} AS HUGEINT) ELSE ${roundDiv("n", "d")} END`,
  // The same of s * p and n, where the product may be too great for a HUGEINT.
  `CREATE OR REPLACE MACRO spark_average(s, n, p) AS (s // n) * p + spark_round_div((s % n) * p, n)`,
  `CREATE OR REPLACE MACRO spark_substring(s, p, n) AS CASE WHEN p > 0 AND n > 0 THEN substring(s, p, n) WHEN s IS NULL OR p IS NULL OR n IS NULL THEN NULL WHEN n <= 0 THEN '' WHEN p = 0 THEN substring(s, 1, n) WHEN length(s) + p >= 0 THEN substring(s, length(s) + p + 1, n) WHEN length(s) + p + n <= 0 THEN '' ELSE substring(s, 1, length(s) + p + n) END`,
];
