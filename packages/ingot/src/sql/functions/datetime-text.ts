import type { DataType } from "../../model/data-type.js";
import { coerce } from "../bind/bind-place.js";
import { anyNullable } from "../bind/bound.js";
import { atomic, BIGINT, DATE, isDatetime, STRING, TIMESTAMP } from "../bind/type-rules.js";
import { lowerCast } from "../lower/lower-cast.js";
import { castTo, raise } from "../lower/lower-text.js";
import { formatMoment, parseByPattern, patternOf } from "./date-pattern-use.js";
import {
  argOf,
  type Functions,
  type Lowered,
  nameWithDefault,
  type SparkFunction,
  scalar,
  type Use,
  unsupportedForm,
} from "./function.js";
import { readPattern } from "./host/date-pattern.js";

const NTZ = atomic("timestamp_ntz");
const DEFAULT_PATTERN = "yyyy-MM-dd HH:mm:ss";
const parser = (type: DataType, lenient = false): SparkFunction =>
  scalar(1, 2, (use) => parseMoment(use, type, lenient));
const seconds = scalar(1, 2, unixSeconds);

/** Dates and moments from texts, and as texts. */
export const DATETIME_TEXTS: Functions = {
  to_date: parser(DATE),
  try_to_date: parser(DATE, true),
  to_timestamp: parser(TIMESTAMP),
  to_timestamp_ltz: parser(TIMESTAMP),
  to_timestamp_ntz: parser(NTZ),
  try_to_timestamp: parser(TIMESTAMP, true),
  date_format: scalar(2, 2, (use) => {
    const value = argOf(use, 0, TIMESTAMP, isDatetime);
    const sql = formatMoment(use, value, ...patternOf(use, 1, "format"));
    return { sql, type: STRING, nullable: anyNullable(use.args), throws: value.throws };
  }),
  unix_timestamp: scalar(0, 2, unixSeconds),
  to_unix_timestamp: seconds,
  from_unixtime: scalar(1, 2, fromUnixtime),
};

/** Without a pattern a cast; with one, a reading by Spark's strict rules. */
function parseMoment(use: Use, type: DataType, lenient: boolean): Lowered {
  const nullable = lenient || anyNullable(use.args);
  const value = argOf(use, 0, STRING, isDatetime);
  if (use.args.length === 1 || value.type.kind !== "string") {
    const cast = lowerCast(value.sql, value.type, type, lenient);
    if (cast === undefined)
      throw unsupportedForm(use, `${use.call.name} without a pattern`, "Give the pattern of the text.");
    return { ...cast, type, nullable };
  }
  const [pattern, items] = patternOf(use, 1, "parse");
  const parsed = parseByPattern(value.sql, pattern, items, type);
  if (lenient) return { sql: parsed, type, nullable, throws: true };
  return { sql: orError(use, value.sql, parsed, pattern, type), type, nullable, throws: true };
}

function orError(use: Use, value: string, parsed: string, pattern: string, type: DataType): string {
  const hint = `Use try_${use.call.name.replace("to_unix", "to")} to get NULL instead.`;
  const error = raise("CANNOT_PARSE_TIMESTAMP", `A text does not fit the pattern ${pattern}. ${hint}`);
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE coalesce(${parsed}, ${castTo(error, type)}) END`;
}

const epochSeconds = (moment: string) => `(epoch_us(${moment}) // 1000000)`;

/** Seconds since 1970 of a moment, of a date's midnight, of a text; without arguments of now. */
function unixSeconds(use: Use): Lowered {
  const name =
    use.args.length === 0
      ? `unix_timestamp(current_timestamp(), ${DEFAULT_PATTERN})`
      : nameWithDefault(use, DEFAULT_PATTERN);
  const named = use.args.length < 2 ? { name } : {};
  if (use.args.length === 0)
    return { sql: epochSeconds("now()"), type: BIGINT, nullable: false, volatile: true, ...named };
  const value = argOf(use, 0, STRING, isDatetime);
  const nullable = anyNullable(use.args);
  if (value.type.kind !== "string") {
    const moment = coerce(use.place, value, TIMESTAMP);
    return { sql: epochSeconds(moment.sql), type: BIGINT, nullable, ...named };
  }
  const [pattern, items] =
    use.args.length > 1
      ? patternOf(use, 1, "parse")
      : ([DEFAULT_PATTERN, readPattern(DEFAULT_PATTERN, "parse")] as const);
  const parsed = orError(use, value.sql, parseByPattern(value.sql, pattern, items, TIMESTAMP), pattern, TIMESTAMP);
  return { sql: epochSeconds(parsed), type: BIGINT, nullable, throws: true, ...named };
}

/** The text of the moment so many seconds after 1970. */
function fromUnixtime(use: Use): Lowered {
  const count = argOf(use, 0, BIGINT);
  const [pattern, items] =
    use.args.length > 1
      ? patternOf(use, 1, "format")
      : ([DEFAULT_PATTERN, readPattern(DEFAULT_PATTERN, "format")] as const);
  const moment = { ...count, sql: `make_timestamptz(${count.sql} * 1000000)`, type: TIMESTAMP };
  return {
    sql: formatMoment(use, moment, pattern, items),
    type: STRING,
    nullable: anyNullable(use.args),
    throws: count.throws,
    ...(use.args.length > 1 ? {} : { name: nameWithDefault(use, DEFAULT_PATTERN) }),
  };
}
