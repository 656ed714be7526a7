import { bindConcat } from "../bind/bind-operators.js";
import { coerce } from "../bind/bind-place.js";
import { anyNullable, type Bound, joinNames } from "../bind/bound.js";
import { INT, isInteger, STRING } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import {
  arg,
  argOf,
  constantOf,
  type Functions,
  type Lowered,
  nameWithDefault,
  type SparkFunction,
  scalar,
  type Use,
  unsupportedForm,
} from "./function.js";

/** A string; where the last of `arity` arguments is left out, the name shows its default. */
function text(use: Use, sql: string, arity = 0, otherwise = ""): Lowered {
  const lowered = { sql, type: STRING, nullable: anyNullable(use.args) };
  return use.args.length < arity ? { ...lowered, name: nameWithDefault(use, otherwise) } : lowered;
}
const string = (use: Use, index: number): Bound => argOf(use, index, STRING);

export const STRINGS: Functions = {
  upper: scalar(1, 1, (use) => text(use, `spark_upper(${string(use, 0).sql})`)),
  ucase: scalar(1, 1, (use) => text(use, `spark_upper(${string(use, 0).sql})`)),
  lower: scalar(1, 1, (use) => text(use, `spark_lower(${string(use, 0).sql})`)),
  lcase: scalar(1, 1, (use) => text(use, `spark_lower(${string(use, 0).sql})`)),
  trim: trimmer("trim"),
  btrim: scalar(1, 2, (use) => trimmed(use, "trim", 0, 1)),
  ltrim: trimmer("ltrim"),
  rtrim: trimmer("rtrim"),
  length: length(),
  len: length(),
  char_length: length(),
  character_length: length(),
  concat: scalar(1, 64, (use) => bindConcat(use.place, "concat", use.args, use.call.at)),
  concat_ws: scalar(1, 64, concatWith),
  substring: scalar(2, 3, substring),
  substr: scalar(2, 3, substring),
  left: scalar(2, 2, (use) => side(use, (s, n) => `left(${s}, greatest(${n}, 0))`)),
  right: scalar(2, 2, (use) => side(use, (s, n) => `right(${s}, greatest(${n}, 0))`)),
  lpad: scalar(2, 3, (use) => pad(use, "lpad")),
  rpad: scalar(2, 3, (use) => pad(use, "rpad")),
  replace: scalar(2, 3, (use) => {
    const by = use.args.length > 2 ? string(use, 2).sql : "''";
    return text(use, `replace(${string(use, 0).sql}, ${string(use, 1).sql}, ${by})`, 3, "");
  }),
  contains: scalar(2, 2, (use) => test(use, "contains")),
  startswith: scalar(2, 2, (use) => test(use, "starts_with")),
  endswith: scalar(2, 2, (use) => test(use, "ends_with")),
  instr: scalar(2, 2, (use) => ({
    sql: castTo(`instr(${string(use, 0).sql}, ${string(use, 1).sql})`, INT),
    type: INT,
    nullable: anyNullable(use.args),
  })),
  sha2: scalar(2, 2, (use) => {
    if (constantOf(use, 1) !== 256 && constantOf(use, 1) !== 0)
      throw unsupportedForm(use, "sha2 with other than 256 bits", "Write sha2(x, 256).");
    return text(use, `sha256(${string(use, 0).sql})`);
  }),
  md5: scalar(1, 1, (use) => text(use, `md5(${string(use, 0).sql})`)),
};

const SIDES: Readonly<Record<string, string>> = { trim: "BOTH", ltrim: "LEADING", rtrim: "TRAILING" };

/** `trim(s)` takes spaces off, `trim(characters, s)` any of the characters. */
function trimmer(name: string): SparkFunction {
  return scalar(1, 2, (use) => {
    if (use.args.length === 1) return trimmed(use, name, 0);
    const spelt = joinNames(use.args, ([characters, s]) => `TRIM(${SIDES[name]} ${characters} FROM ${s})`);
    return { ...trimmed(use, name, 1, 0), name: spelt };
  });
}

function trimmed(use: Use, name: string, value: number, characters?: number): Lowered {
  const set = characters === undefined || use.args.length < 2 ? "' '" : string(use, characters).sql;
  return text(use, `${name}(${string(use, value).sql}, ${set})`);
}

function length(): SparkFunction {
  return scalar(1, 1, (use) => ({
    sql: castTo(`length(${string(use, 0).sql})`, INT),
    type: INT,
    nullable: anyNullable(use.args),
  }));
}

function test(use: Use, name: string): Lowered {
  return {
    sql: `${name}(${string(use, 0).sql}, ${string(use, 1).sql})`,
    type: { kind: "boolean" },
    nullable: anyNullable(use.args),
  };
}

const integer = (use: Use, index: number): Bound => {
  const bound = argOf(use, index, INT, isInteger);
  return bound.type.kind === "int" ? bound : coerce(use.place, bound, INT);
};

/** Places count from 1, from the end when negative; characters are code points. */
function substring(use: Use): Lowered {
  const value = string(use, 0).sql;
  const length = use.args.length > 2 ? integer(use, 2).sql : castTo("2147483647", INT);
  const plain = (constantOf(use, 1) ?? 0) > 0 && (use.args.length < 3 || (constantOf(use, 2) ?? 0) > 0);
  const name = plain ? "substring" : "spark_substring";
  return text(use, `${name}(${value}, ${integer(use, 1).sql}, ${length})`, 3, "2147483647");
}

function side(use: Use, make: (s: string, n: string) => string): Lowered {
  return text(use, make(string(use, 0).sql, integer(use, 1).sql));
}

function pad(use: Use, name: "lpad" | "rpad"): Lowered {
  const width = constantOf(use, 1);
  const filler = use.args.length > 2 ? use.args[2]?.literal?.value : " ";
  if (width === undefined || width < 0 || filler === undefined || filler === "" || use.args[2]?.type.kind === "binary")
    throw unsupportedForm(
      use,
      `${name} with a computed width or filler`,
      "Write the width and the filler as constants.",
    );
  const fill = use.args.length > 2 ? string(use, 2).sql : "' '";
  return text(use, `${name}(${string(use, 0).sql}, ${castTo(String(width), INT)}, ${fill})`, 3, " ");
}

/** NULL parts are left out; only a NULL separator makes NULL. */
function concatWith(use: Use): Lowered {
  const parts = use.args.map((_, i) => string(use, i).sql);
  const nullable = arg(use, 0).nullable;
  return parts.length === 1
    ? { sql: `CASE WHEN ${parts[0]} IS NOT NULL THEN '' END`, type: STRING, nullable }
    : { sql: `concat_ws(${parts.join(", ")})`, type: STRING, nullable };
}
