import type { DataType } from "../../model/data-type.js";
import { bindComparison } from "../bind/bind-operators.js";
import { coerce, noCommonType } from "../bind/bind-place.js";
import { anyNullable, type Bound } from "../bind/bound.js";
import { atomic, BIGINT, BOOLEAN, commonTypeOf, INT, isNumeric, STRING } from "../bind/type-rules.js";
import { castTo, raise } from "../lower/lower-text.js";
import {
  arg,
  argOf,
  type Functions,
  type Lowered,
  type SparkFunction,
  scalar,
  simple,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { IS_UTF8, MAKE_UTF8 } from "./host/bytes.js";
import { CRC32, DECODE, ENCODE, SHA2, UNBASE64, URL_DECODE, URL_ENCODE } from "./host/encoding.js";
import { callHost } from "./host/host-function.js";
import { PARSE_URL, URL_PARAMETER } from "./host/url.js";

const BINARY = atomic("binary");
const sha1 = digest((bytes) => `sha1(${bytes})`);

/** Bytes as text, text as bytes, digests. */
export const ENCODINGS: Functions = {
  base64: simple([BINARY], STRING, (bytes) => `to_base64(${bytes})`),
  unbase64: simple([STRING], BINARY, (s) => callHost(UNBASE64, s), { throws: true }),
  hex: scalar(1, 1, hex),
  unhex: simple([STRING], BINARY, unhexText, { nullable: true }),
  bin: simple([BIGINT], STRING, (n) => `bin(${n})`),
  encode: simple([STRING, STRING], BINARY, (s, charset) => callHost(ENCODE, s, charset), { throws: true }),
  decode: scalar(2, 64, decode),
  to_binary: scalar(1, 2, (use) => toBinary(use, false)),
  try_to_binary: scalar(1, 2, (use) => toBinary(use, true)),
  url_encode: simple([STRING], STRING, (s) => callHost(URL_ENCODE, s)),
  url_decode: simple([STRING], STRING, (s) => callHost(URL_DECODE, s, "false"), { throws: true }),
  try_url_decode: simple([STRING], STRING, (s) => callHost(URL_DECODE, s, "true"), { nullable: true }),
  parse_url: scalar(2, 3, (use) => urlPart(use, false)),
  try_parse_url: scalar(2, 3, (use) => urlPart(use, true)),
  md5: digest((bytes) => `md5(${bytes})`),
  sha: sha1,
  sha1,
  sha2: simple([BINARY, INT], STRING, (bytes, bits) => callHost(SHA2, bytes, bits), { nullable: true }),
  crc32: simple([BINARY], BIGINT, (bytes) => callHost(CRC32, bytes)),
  // DuckDB has no texts but valid ones: only bytes are in doubt.
  is_valid_utf8: scalar(1, 1, (use) => ({ ...ofUtf8(use, (b) => callHost(IS_UTF8, b), isPresent), type: BOOLEAN })),
  validate_utf8: scalar(1, 1, (use) => ({ ...ofUtf8(use, validUtf8), throws: true })),
  make_valid_utf8: scalar(1, 1, (use) => ofUtf8(use, (b) => callHost(MAKE_UTF8, b))),
  try_validate_utf8: scalar(1, 1, (use) => ({
    ...ofUtf8(use, (b) => `CASE WHEN ${callHost(IS_UTF8, b)} THEN decode(${b}) END`),
    nullable: true,
  })),
};

const isPresent = (s: string) => `(${s} IS NOT NULL OR NULL)`;

function validUtf8(bytes: string): string {
  const error = castTo(raise("INVALID_UTF8_STRING", "Invalid UTF8 byte sequence found in string."), STRING);
  return `CASE WHEN NOT ${callHost(IS_UTF8, bytes)} THEN ${error} ELSE decode(${bytes}) END`;
}

function ofUtf8(use: Use, ofBytes: (bytes: string) => string, ofText = (s: string) => s): Lowered {
  const value = argOf(use, 0, STRING, (t) => t.kind === "binary");
  const lower = value.type.kind === "binary" ? ofBytes : ofText;
  return { sql: lower(value.sql), type: STRING, nullable: value.nullable, throws: value.throws };
}

function digest(lower: (bytes: string) => string): SparkFunction {
  return simple([BINARY], STRING, lower);
}

/** A part of a URL, or with a third argument the value of a key in its query. */
function urlPart(use: Use, lenient: boolean): Lowered {
  const [url, part] = [argOf(use, 0, STRING), argOf(use, 1, STRING)];
  const whole = callHost(PARSE_URL, url.sql, part.sql, String(lenient));
  const lowered = { type: STRING, nullable: true, throws: !lenient };
  if (use.args.length === 2) return { ...lowered, sql: whole };
  const key = textOf(use, 2);
  if (key === undefined || !/^[A-Za-z0-9_-]+$/.test(key))
    throw unsupportedForm(
      use,
      `${use.call.name} with such a key`,
      "Write a key of letters and digits.",
      arg(use, 2).at,
    );
  const sql = `CASE WHEN ${part.sql} = 'QUERY' THEN ${callHost(URL_PARAMETER, whole, argOf(use, 2, STRING).sql)} END`;
  return { ...lowered, sql };
}

/** Of a number the digits of its 64 bits, of a text its UTF-8. */
function hex(use: Use): Lowered {
  const type: DataType = isNumeric(arg(use, 0).type) ? BIGINT : BINARY;
  const value = argOf(use, 0, type, (t) => t.kind === "binary");
  return { sql: `hex(${value.sql})`, type: STRING, nullable: value.nullable };
}

/** NULL for other signs than hexadecimal digits; a digit alone at the front counts. */
function unhexText(s: string): string {
  return `CASE WHEN regexp_full_match(${s}, '[0-9A-Fa-f]*') THEN from_hex(repeat('0', length(${s}) % 2) || ${s}) END`;
}

function toBinary(use: Use, lenient: boolean): Lowered {
  const value = argOf(use, 0, STRING);
  const format = use.args.length > 1 ? textOf(use, 1)?.toLowerCase() : "hex";
  const nullable = lenient || value.nullable;
  switch (format) {
    case "utf-8":
    case "utf8":
      return { sql: `encode(${value.sql})`, type: BINARY, nullable };
    case "hex": {
      const bytes = unhexText(value.sql);
      const error = castTo(
        raise("CONVERSION_INVALID_INPUT", "The value cannot be read as hexadecimal digits."),
        BINARY,
      );
      const sql = `CASE WHEN ${value.sql} IS NULL THEN NULL ELSE coalesce(${bytes}, ${error}) END`;
      return { sql: lenient ? bytes : sql, type: BINARY, nullable, throws: !lenient };
    }
    default:
      throw unsupportedForm(use, `${use.call.name} of this format`, "Use 'hex' or 'utf-8', or unbase64(x).");
  }
}

/** `decode(bytes, charset)`, or a choice: `decode(x, search, result, …, otherwise)`, where NULL equals NULL. */
function decode(use: Use): Lowered {
  if (use.args.length === 2) {
    const [bytes, charset] = [argOf(use, 0, BINARY), argOf(use, 1, STRING)];
    return {
      sql: callHost(DECODE, bytes.sql, charset.sql),
      type: STRING,
      nullable: anyNullable([bytes, charset]),
      throws: true,
    };
  }
  const pairs = Array.from(
    { length: Math.floor((use.args.length - 1) / 2) },
    (_, i) => [arg(use, 2 * i + 1), arg(use, 2 * i + 2)] as const,
  );
  const otherwise = use.args.length % 2 === 0 ? use.args.at(-1) : undefined;
  const results: Bound[] = [...pairs.map(([, result]) => result), ...(otherwise === undefined ? [] : [otherwise])];
  const types = results.map((r) => r.type);
  const type = commonTypeOf(types);
  if (type === undefined) throw noCommonType(use.place, use.call.at, "decode", types);
  const tests = pairs.map(([search, result]) => {
    const test = bindComparison(use.place, "<=>", arg(use, 0), search, use.call.at);
    return { test, sql: `WHEN ${test.sql} THEN ${coerce(use.place, result, type).sql}` };
  });
  const last = otherwise === undefined ? castTo("NULL", type) : coerce(use.place, otherwise, type).sql;
  return {
    sql: `CASE ${tests.map((t) => t.sql).join(" ")} ELSE ${last} END`,
    type,
    nullable: otherwise === undefined || anyNullable(results),
    throws: tests.some((t) => t.test.throws) || results.some((r) => r.throws),
  };
}
