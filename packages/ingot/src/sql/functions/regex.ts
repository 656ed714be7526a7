import type { DataType } from "../../model/data-type.js";
import { anyNullable, callName } from "../bind/bound.js";
import { atomic, BOOLEAN, INT, STRING } from "../bind/type-rules.js";
import { quoteText } from "../lower/lower-text.js";
import {
  argOf,
  type Functions,
  type SparkFunction,
  scalar,
  simple,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { callHost } from "./host/host-function.js";
import { RegexRefusal } from "./host/java-regex.js";
import {
  compileRegex,
  REGEXP_COUNT,
  REGEXP_EXTRACT,
  REGEXP_EXTRACT_ALL,
  REGEXP_INSTR,
  REGEXP_LIKE,
  REGEXP_REPLACE,
  REGEXP_SUBSTR,
  SPLIT,
} from "./host/regex.js";

const STRINGS_TYPE: DataType = { kind: "array", element: atomic("string"), containsNull: false };

/** Checks a constant pattern before the query runs; others are checked when they come. */
function withPattern(fn: SparkFunction): SparkFunction {
  return {
    ...fn,
    bind: (use) => {
      checkPattern(use);
      return fn.bind(use);
    },
  };
}

function checkPattern(use: Use): void {
  const pattern = textOf(use, 1);
  if (pattern === undefined || (pattern === "" && use.call.name.toLowerCase() === "split")) return;
  try {
    compileRegex(pattern);
  } catch (error) {
    if (!(error instanceof RegexRefusal)) throw error;
    throw unsupportedForm(use, error.message, "Write the pattern in another way.", use.args[1]?.at);
  }
}

/** Java's `$` in RE2: it holds at the end of the text, and before a last line end. */
const JAVA_END = String.raw`(?:\r\n|[\n\r\x{85}\x{2028}\x{2029}])?\z`;

/**
 * A pattern as RE2, DuckDB's own, reads it, where that is as Java does: characters that end no line, classes of them,
 * groups, greedy repetitions, alternatives, and both ends of the text.
 */
function asPlainPattern(pattern: string): string | undefined {
  const repetition = String.raw`(?:[?*+]|\{[0-9]{1,2}(?:,[0-9]{0,2})?\})(?![?*+{])`;
  const piece = String.raw`(?:[A-Za-z0-9 ,:/_=-]|\[[A-Za-z0-9 .,:/_+=-]+\]|\((?:\?:)?|\)|\||${repetition})`;
  const [, start, end] = new RegExp(`^(\\^${piece}+)(\\\\z|\\$)$`).exec(pattern) ?? [];
  if (start === undefined) return undefined;
  return end === "$" ? `${start}${JAVA_END}` : pattern;
}

/** Spark shows these names in capitals. */
const like = withPattern(
  scalar(2, 2, (use) => {
    const [s, p] = [argOf(use, 0, STRING), argOf(use, 1, STRING)];
    const name = callName(use.call.name.toUpperCase(), use.args);
    const plain = asPlainPattern(textOf(use, 1) ?? "");
    return {
      sql: plain === undefined ? callHost(REGEXP_LIKE, s.sql, p.sql) : `regexp_matches(${s.sql}, ${quoteText(plain)})`,
      type: BOOLEAN,
      nullable: anyNullable([s, p]),
      throws: true,
      name,
    };
  }),
);

/** Regular expressions of Java. */
export const REGEXES: Functions = {
  rlike: like,
  regexp: like,
  regexp_like: like,
  regexp_replace: withPattern(
    simple([STRING, STRING, STRING, INT], STRING, (s, p, by, from = "1") => callHost(REGEXP_REPLACE, s, p, by, from), {
      least: 3,
      defaults: ["1"],
      throws: true,
    }),
  ),
  regexp_extract: withPattern(
    simple([STRING, STRING, INT], STRING, (s, p, group = "1") => callHost(REGEXP_EXTRACT, s, p, group), {
      least: 2,
      defaults: ["1"],
      throws: true,
    }),
  ),
  regexp_extract_all: withPattern(
    simple([STRING, STRING, INT], STRINGS_TYPE, (s, p, group = "1") => callHost(REGEXP_EXTRACT_ALL, s, p, group), {
      least: 2,
      defaults: ["1"],
      throws: true,
    }),
  ),
  regexp_count: withPattern(simple([STRING, STRING], INT, (s, p) => callHost(REGEXP_COUNT, s, p), { throws: true })),
  regexp_instr: withPattern(
    simple([STRING, STRING, INT], INT, (s, p) => callHost(REGEXP_INSTR, s, p), {
      least: 2,
      defaults: ["0"],
      throws: true,
    }),
  ),
  regexp_substr: withPattern(
    simple([STRING, STRING], STRING, (s, p) => callHost(REGEXP_SUBSTR, s, p), { nullable: true, throws: true }),
  ),
  split: withPattern(
    simple([STRING, STRING, INT], STRINGS_TYPE, (s, p, limit = "-1") => callHost(SPLIT, s, p, limit), {
      least: 2,
      defaults: ["-1"],
      throws: true,
    }),
  ),
};
