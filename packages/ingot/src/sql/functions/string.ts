import { anyNullable, type Bound, joinNames } from "../bind/bound.js";
import { BIGINT, INT, STRING } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import { concat } from "./array.js";
import {
  argOf,
  constantOf,
  type Functions,
  type Lowered,
  mismatch,
  nameWithDefault,
  type SparkFunction,
  scalar,
  simple,
  type Use,
} from "./function.js";
import { OVERLAY_BYTES, PAD_BYTES, SLICE_BYTES } from "./host/bytes.js";
import { callHost } from "./host/host-function.js";

/** A string; where the last of `arity` arguments is left out, the name shows its default. */
function text(use: Use, sql: string, arity = 0, otherwise = ""): Lowered {
  const lowered = { sql, type: STRING, nullable: anyNullable(use.args) };
  return use.args.length < arity ? { ...lowered, name: nameWithDefault(use, otherwise) } : lowered;
}
const string = (use: Use, index: number): Bound => argOf(use, index, STRING);

const upper = simple([STRING], STRING, (s) => `spark_upper(${s})`);
const lower = simple([STRING], STRING, (s) => `spark_lower(${s})`);
const characters = scalar(1, 1, (use) => lengthOf(use, "length"));

export const STRINGS: Functions = {
  upper,
  ucase: upper,
  lower,
  lcase: lower,
  trim: trimmer("trim"),
  btrim: scalar(1, 2, (use) => trimmed(use, "trim", 0, 1)),
  ltrim: trimmer("ltrim"),
  rtrim: trimmer("rtrim"),
  length: characters,
  len: characters,
  char_length: characters,
  character_length: characters,
  octet_length: scalar(1, 1, (use) => lengthOf(use, "strlen")),
  bit_length: scalar(1, 1, (use) => lengthOf(use, "strlen", " * 8")),
  concat: scalar(0, 64, concat),
  concat_ws: scalar(1, 64, concatWith),
  substring: scalar(2, 3, substring),
  substr: scalar(2, 3, substring),
  left: scalar(2, 2, left),
  right: simple([STRING, INT], STRING, (s, n) => `right(${s}, ${atLeastZero(n)})`),
  lpad: scalar(2, 3, (use) => pad(use, "lpad")),
  rpad: scalar(2, 3, (use) => pad(use, "rpad")),
  replace: simple([STRING, STRING, STRING], STRING, (s, search, by = "''") => `replace(${s}, ${search}, ${by})`, {
    least: 2,
    defaults: [""],
  }),
  repeat: simple([STRING, INT], STRING, (s, n) => `repeat(${s}, ${n})`),
  space: simple([INT], STRING, (n) => `repeat(' ', ${n})`),
  overlay: scalar(3, 4, overlay),
};

const SIDES: Readonly<Record<string, string>> = { trim: "BOTH", ltrim: "LEADING", rtrim: "TRAILING" };

/** `trim(s)` takes spaces off, `trim(characters, s)` any of the characters. */
function trimmer(name: string): SparkFunction {
  return scalar(1, 2, (use) => {
    if (use.args.length === 1) return trimmed(use, name, 0);
    const spelt = joinNames(use.args, ([set, s]) => `TRIM(${SIDES[name]} ${set} FROM ${s})`);
    return { ...trimmed(use, name, 1, 0), name: spelt };
  });
}

function trimmed(use: Use, name: string, value: number, set?: number): Lowered {
  const chars = set === undefined || use.args.length < 2 ? "' '" : string(use, set).sql;
  return text(use, `${name}(${string(use, value).sql}, ${chars})`);
}

/** Characters of a string, bytes of binary. */
function lengthOf(use: Use, ofString: string, factor = ""): Lowered {
  const value = argOf(use, 0, STRING, (t) => t.kind === "binary");
  const length = value.type.kind === "binary" ? "octet_length" : ofString;
  return { sql: castTo(`${length}(${value.sql})${factor}`, INT), type: INT, nullable: value.nullable };
}

/** `greatest` would pass over NULL. */
const atLeastZero = (n: string) => `CASE WHEN ${n} < 0 THEN 0 ELSE ${n} END`;

/** The first characters of a string, bytes of binary. */
function left(use: Use): Lowered {
  const value = argOf(use, 0, STRING, (t) => t.kind === "binary");
  const count = argOf(use, 1, INT);
  const sql =
    value.type.kind === "binary"
      ? callHost(SLICE_BYTES, value.sql, "1", count.sql)
      : `left(${value.sql}, ${atLeastZero(count.sql)})`;
  return { sql, type: value.type, nullable: anyNullable(use.args), throws: value.throws || count.throws };
}

/** Places count from 1, from the end when negative; characters are code points. */
function substring(use: Use): Lowered {
  const value = argOf(use, 0, STRING, (t) => t.kind === "binary");
  const length = use.args.length > 2 ? argOf(use, 2, INT).sql : castTo("2147483647", INT);
  if (value.type.kind === "binary") {
    const sql = callHost(SLICE_BYTES, value.sql, argOf(use, 1, INT).sql, length);
    return { ...text(use, sql, 3, "2147483647"), type: value.type };
  }
  const plain = (constantOf(use, 1) ?? 0) > 0 && (use.args.length < 3 || (constantOf(use, 2) ?? 0) > 0);
  const name = plain ? "substring" : "spark_substring";
  return text(use, `${name}(${value.sql}, ${argOf(use, 1, INT).sql}, ${length})`, 3, "2147483647");
}

/** To a number of characters, or of bytes. */
function pad(use: Use, name: "lpad" | "rpad"): Lowered {
  const value = argOf(use, 0, STRING, (t) => t.kind === "binary");
  const width = argOf(use, 1, INT);
  const isBytes = value.type.kind === "binary" && (use.args.length < 3 || use.args[2]?.type.kind === "binary");
  if (isBytes) {
    const filler = use.args.length > 2 ? argOf(use, 2, { kind: "binary" }).sql : "from_hex('00')";
    const sql = callHost(PAD_BYTES, value.sql, width.sql, filler, String(name === "lpad"));
    return {
      sql,
      type: value.type,
      nullable: anyNullable(use.args),
      ...(use.args.length > 2 ? {} : { name: nameWithDefault(use, "X'00'") }),
    };
  }
  const padded = string(use, 0);
  const filler = use.args.length > 2 ? string(use, 2).sql : "' '";
  const literal = use.args.length > 2 ? use.args[2]?.literal?.value : " ";
  const isPlain = (constantOf(use, 1) ?? -1) > 0 && literal !== undefined && literal !== "";
  return text(use, `${isPlain ? name : `spark_${name}`}(${padded.sql}, ${width.sql}, ${filler})`, 3, " ");
}

/** NULL parts are left out, of lists too; only a NULL separator makes NULL. */
function concatWith(use: Use): Lowered {
  const separator = string(use, 0);
  const parts = use.args.slice(1).map((part, i) => {
    if (part.type.kind !== "array") return `[${string(use, i + 1).sql}]`;
    if (part.type.element.kind !== "string") throw mismatch(use, part, "a STRING or an ARRAY of STRING");
    return `coalesce(${part.sql}, [])`;
  });
  const isPlain = use.args.slice(1).every((part) => part.type.kind !== "array");
  const nullable = separator.nullable;
  if (parts.length === 0) return { sql: `CASE WHEN ${separator.sql} IS NOT NULL THEN '' END`, type: STRING, nullable };
  const sql = isPlain
    ? `concat_ws(${use.args.map((_, i) => string(use, i).sql).join(", ")})`
    : `CASE WHEN ${separator.sql} IS NOT NULL THEN coalesce(array_to_string(list_concat(${parts.join(", ")}), ${separator.sql}), '') END`;
  return { sql, type: STRING, nullable };
}

/** Without a length, as many characters (bytes of binary) give way as come. */
function overlay(use: Use): Lowered {
  if (use.args[0]?.type.kind === "binary" && use.args[1]?.type.kind === "binary") return overlayBytes(use);
  const value = string(use, 0).sql;
  const by = string(use, 1).sql;
  const from = castTo(argOf(use, 2, INT).sql, BIGINT);
  const given = use.args.length > 3 ? argOf(use, 3, INT).sql : undefined;
  const length =
    given === undefined ? `length(${by})` : `(CASE WHEN ${given} < 0 THEN length(${by}) ELSE ${given} END)`;
  const all = castTo("2147483647", INT);
  const sql = `(spark_substring(${value}, 1, ${from} - 1) || ${by} || spark_substring(${value}, ${from} + ${length}, ${all}))`;
  return text(use, sql, 4, "-1");
}

function overlayBytes(use: Use): Lowered {
  const binary = { kind: "binary" } as const;
  const [value, by] = [argOf(use, 0, binary).sql, argOf(use, 1, binary).sql];
  const length = use.args.length > 3 ? argOf(use, 3, INT).sql : "-1";
  return { ...text(use, callHost(OVERLAY_BYTES, value, by, argOf(use, 2, INT).sql, length), 4, "-1"), type: binary };
}
