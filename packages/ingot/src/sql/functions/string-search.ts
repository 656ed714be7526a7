import { matchLike } from "../bind/bind-like.js";
import { anyNullable, callName } from "../bind/bound.js";
import { BOOLEAN, INT, STRING } from "../bind/type-rules.js";
import { castTo, raise } from "../lower/lower-text.js";
import {
  arg,
  argOf,
  constantOf,
  type Functions,
  type Lowered,
  nameWithDefault,
  type SparkFunction,
  scalar,
  simple,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { callHost } from "./host/host-function.js";
import { INITCAP, LEVENSHTEIN, LUHN, MASK, SOUNDEX, SUBSTRING_INDEX, TRANSLATE } from "./host/text.js";

const test = (name: string): SparkFunction =>
  scalar(2, 2, (use) => {
    const isBinary = use.args.every((a) => a.type.kind === "binary");
    const side = (index: number) => {
      const { sql } = argOf(use, index, isBinary ? { kind: "binary" } : STRING);
      // Hex digits stand for bytes, two for each, so that both ends stay where they are.
      return isBinary ? `hex(${sql})` : sql;
    };
    return { sql: `${name}(${side(0)}, ${side(1)})`, type: BOOLEAN, nullable: anyNullable(use.args) };
  });

const locate = simple(
  [STRING, STRING, INT],
  INT,
  (part, s, from = "1") => castTo(`spark_locate(${part}, ${s}, ${from})`, INT),
  { least: 2, defaults: ["1"] },
);

/** Where a string is in another, and parts of it. */
export const STRING_SEARCH: Functions = {
  contains: simple([STRING, STRING], BOOLEAN, (s, part) => `contains(${s}, ${part})`),
  startswith: test("starts_with"),
  endswith: test("ends_with"),
  like: scalar(2, 3, (use) => matches(use, false)),
  ilike: scalar(2, 3, (use) => matches(use, true)),
  instr: simple([STRING, STRING], INT, (s, part) => castTo(`spark_locate(${part}, ${s}, 1)`, INT)),
  locate,
  position: locate,
  find_in_set: simple([STRING, STRING], INT, (s, list) =>
    castTo(
      `CASE WHEN contains(${s}, ',') THEN 0 WHEN ${s} IS NOT NULL AND ${list} IS NOT NULL THEN coalesce(list_position(string_split(${list}, ','), ${s}), 0) END`,
      INT,
    ),
  ),
  substring_index: simple([STRING, STRING, INT], STRING, (s, delimiter, n) =>
    callHost(SUBSTRING_INDEX, s, delimiter, n),
  ),
  split_part: scalar(3, 3, splitPart),
  levenshtein: simple([STRING, STRING, INT], INT, (a, b, limit = "2147483647") => callHost(LEVENSHTEIN, a, b, limit), {
    least: 2,
  }),
  soundex: simple([STRING], STRING, (s) => callHost(SOUNDEX, s)),
  ascii: simple([STRING], INT, (s) => castTo(`CASE WHEN ${s} = '' THEN 0 ELSE unicode(${s}) END`, INT)),
  char: character(),
  chr: character(),
  initcap: simple([STRING], STRING, (s) => callHost(INITCAP, s)),
  translate: simple([STRING, STRING, STRING], STRING, (s, from, to) => callHost(TRANSLATE, s, from, to)),
  luhn_check: simple([STRING], BOOLEAN, (s) => callHost(LUHN, s)),
  mask: { ...scalar(1, 5, mask), parameters: maskParameters() },
  quote: simple([STRING], STRING, (s) => `('''' || replace(${s}, '''', '\\''') || '''')`),
  elt: scalar(2, 64, elt),
};

/** The n-th part between delimiters, from the end when negative; empty where there is none. */
function splitPart(use: Use): Lowered {
  const args = [argOf(use, 0, STRING), argOf(use, 1, STRING), argOf(use, 2, INT)];
  const [s = "", delimiter = "", n = ""] = args.map((a) => a.sql);
  const lowered = { type: STRING, nullable: anyNullable(args), throws: args.some((a) => a.throws) };
  if ((textOf(use, 1) ?? "") !== "" && (constantOf(use, 2) ?? 0) !== 0)
    return { ...lowered, sql: `split_part(${s}, ${delimiter}, ${n})` };
  const zero = raise("INVALID_INDEX_OF_ZERO", "The index 0 is invalid: parts are counted from 1.");
  const whole = `CASE WHEN abs(${n}) = 1 THEN ${s} ELSE '' END`;
  const sql = `CASE WHEN ${s} IS NULL OR ${delimiter} IS NULL OR ${n} IS NULL THEN NULL WHEN ${n} = 0 THEN ${zero} WHEN ${delimiter} = '' THEN ${whole} ELSE split_part(${s}, ${delimiter}, ${n}) END`;
  return { ...lowered, sql, throws: true };
}

/** The character of a code's lowest byte; nothing for a negative one. */
function character(): SparkFunction {
  return simple(
    [{ kind: "bigint" }],
    STRING,
    (n) => `CASE WHEN ${n} < 0 THEN '' ELSE chr(CAST(${n} & 255 AS INTEGER)) END`,
  );
}

function maskParameters(): NonNullable<SparkFunction["parameters"]> {
  const text = (value: string) => ({ kind: "literal", at: 0, type: "string", value }) as const;
  return [
    ["str"],
    ["upperChar", text("X")],
    ["lowerChar", text("x")],
    ["digitChar", text("n")],
    ["otherChar", { kind: "literal", at: 0, type: "null", value: "NULL" }],
  ];
}

function mask(use: Use): Lowered {
  const defaults = ["'X'", "'x'", "'n'", "''"];
  const replacements = defaults.map((otherwise, i) =>
    use.args.length > i + 1 ? `coalesce(${argOf(use, i + 1, STRING).sql}, '')` : otherwise,
  );
  const value = argOf(use, 0, STRING);
  const shown = ["X", "x", "n", "NULL"].slice(use.args.length - 1);
  const name = shown.length > 0 ? nameWithDefault(use, shown.join(", ")) : callName("mask", use.args);
  return { sql: callHost(MASK, value.sql, ...replacements), type: STRING, nullable: value.nullable, name };
}

/** One of the strings by its number. */
function elt(use: Use): Lowered {
  const index = argOf(use, 0, INT).sql;
  const values = use.args.slice(1).map((_, i) => argOf(use, i + 1, STRING).sql);
  const error = raise("INVALID_ARRAY_INDEX", `The index is out of bounds: there are ${values.length} values.`);
  const whens = values.map((value, i) => `WHEN ${i + 1} THEN ${value}`).join(" ");
  const sql = `CASE ${index} ${whens} ELSE CASE WHEN ${index} IS NULL THEN NULL ELSE ${error} END END`;
  return { sql, type: STRING, nullable: true, throws: true };
}

/** `like(s, pattern, escape)`: the operator as a function. */
function matches(use: Use, anyCase: boolean): Lowered {
  const escapeChar = use.args.length > 2 ? textOf(use, 2) : undefined;
  if (use.args.length > 2 && escapeChar === undefined)
    throw unsupportedForm(use, `${use.call.name} with a computed escape`, "Write it as a constant.", arg(use, 2).at);
  const node = {
    at: use.call.at,
    ...(anyCase ? { anyCase } : {}),
    ...(escapeChar === undefined ? {} : { escapeChar }),
  };
  const { sql, type, nullable, throws, name } = matchLike(use.place, arg(use, 0), arg(use, 1), node);
  return { sql, type, nullable, throws, name };
}
