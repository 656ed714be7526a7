import { argumentAt, type Decoder, DecoderFault } from "./decoder.js";
import { ISO_LANGUAGES } from "./languages.js";
import { matches } from "./pattern.js";

/** Letters other than X are values (LOEKZ has L and S), not truth. */
export const FLAG: Decoder = {
  values: [{ name: "value", takes: ["text", "whole", "boolean"] }],
  constants: [],
  reason: "INVALID_FLAG",
  does: "XFLAG to BOOLEAN: X is true, blank is false",
  decode: (use) => {
    const { sql } = argumentAt(use);
    const text = `lower(trim(CAST(${sql} AS STRING)))`;
    return {
      value: `CASE WHEN ${text} IN ('x', 'true', '1') THEN true WHEN ${text} IN ('', 'false', '0') THEN false END`,
      nothing: `${sql} IS NULL`,
    };
  },
};

const choices = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([from, to]) => `WHEN '${from}' THEN '${to}'`).join(" ");

/** SPRAS is one character, and its case counts: `e` is another language than `E`. */
export const LANGUAGE: Decoder = {
  values: [{ name: "value", takes: ["text", "digits"] }],
  constants: [],
  reason: "INVALID_LANGUAGE",
  does: "a language, also by its ISO code, to SPRAS",
  decode: (use) => {
    const { sql } = argumentAt(use);
    const text = `trim(${sql})`;
    const ofIso = choices(ISO_LANGUAGES.map(([spras, iso]) => [iso, spras]));
    return {
      value: `CASE WHEN length(${text}) < 2 THEN ${text} ELSE CASE upper(${text}) ${ofIso} END END`,
      nothing: `${sql} IS NULL`,
    };
  },
};

export const LANGUAGE_ISO: Decoder = {
  values: [{ name: "value", takes: ["text", "digits"] }],
  constants: [],
  reason: "INVALID_LANGUAGE",
  does: "SPRAS, or an ISO code in any case, to the ISO code of T002",
  decode: (use) => {
    const text = `trim(${argumentAt(use).sql})`;
    const known = ISO_LANGUAGES.map(([, iso]) => `'${iso}'`).join(", ");
    return {
      value: `CASE WHEN upper(${text}) IN (${known}) THEN upper(${text}) ELSE CASE ${text} ${choices(ISO_LANGUAGES)} END END`,
      nothing: `coalesce(${text} = '', true)`,
    };
  },
};

/** Bytes as one text each, so that they can be a key. Hexadecimal and Base64 look alike: which it is, is declared. */
export const RAW: Decoder = {
  values: [{ name: "value", takes: ["text", "binary"] }],
  constants: [{ name: "format", type: "text" }],
  reason: "INVALID_RAW",
  does: "RAW, as BINARY or as text (format hex or base64), to hexadecimal digits in capitals",
  decode: (use) => {
    const { sql, type } = argumentAt(use);
    if (type.kind === "binary") return { value: `hex(${sql})`, nothing: `${sql} IS NULL` };
    const text = `trim(${sql})`;
    return {
      value: rawSql(text, use.texts["format"] ?? "hex"),
      nothing: `coalesce(${text} = '', true)`,
    };
  },
};

/** @throws DecoderFault */
function rawSql(text: string, format: string): string {
  if (format === "hex") {
    const digits = `CASE WHEN upper(left(${text}, 2)) = '0X' THEN substr(upper(${text}), 3) ELSE upper(${text}) END`;
    return `CASE WHEN ${matches(digits, "(?:[0-9A-F]{2})+")} THEN ${digits} END`;
  }
  if (format === "base64") {
    const four = "[A-Za-z0-9+/]{4}";
    const fits = matches(text, `(?:${four})*(?:${four}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)`);
    return `CASE WHEN ${fits} THEN hex(unbase64(${text})) END`;
  }
  throw new DecoderFault(`${format} is no format of bytes`, "Write hex or base64.", "format");
}
