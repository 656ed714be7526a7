import { coerce, describe } from "../bind/bind-place.js";
import type { Bound } from "../bind/bound.js";
import { BOOLEAN, DOUBLE, isDecimal, isFloating, isInteger, STRING } from "../bind/type-rules.js";
import { castTo, quoteText } from "../lower/lower-text.js";
import {
  arg,
  type Functions,
  type Lowered,
  type SparkFunction,
  scalar,
  textOf,
  type Use,
  unsupportedForm,
} from "./function.js";
import { callHost } from "./host/host-function.js";
import { FORMAT_FIXED, FORMAT_FLOATING, FORMAT_RADIX, FORMAT_TEXT, FORMAT_WHOLE } from "./host/java-format.js";

const formatted: SparkFunction = scalar(1, 64, formatString);

export const FORMAT_STRINGS: Functions = { format_string: formatted, printf: formatted };

const CONVERSION = /%(?:([0-9]+)\$)?([-#+ 0,(]*)([0-9]+)?(?:\.([0-9]+))?([a-zA-Z%])/g;

/** A constant format of `java.util.Formatter`, taken apart while the query is translated. */
function formatString(use: Use): Lowered {
  const format = textOf(use, 0);
  if (format === undefined)
    throw unsupportedForm(
      use,
      `${use.call.name} with a computed format`,
      "Write the format as a constant.",
      arg(use, 0).at,
    );
  const parts: string[] = [];
  let next = 1;
  let end = 0;
  for (const match of format.matchAll(CONVERSION)) {
    const [whole, place, flags = "", width = "0", precision = "", letter = ""] = match;
    parts.push(literalPart(use, format.slice(end, match.index)));
    end = match.index + whole.length;
    const spec = `${flags};${width};${precision};${letter}`;
    if (letter === "%" || letter === "n") {
      if (whole.length > 2) throw refusal(use, whole);
      parts.push(quoteText(letter === "n" ? "\n" : "%"));
      continue;
    }
    const index = place === undefined ? next++ : Number(place);
    if (index >= use.args.length) throw refusal(use, `${whole}, for which there is no argument,`);
    parts.push(conversion(use, arg(use, index), spec, letter, whole));
  }
  parts.push(literalPart(use, format.slice(end)));
  const texts = parts.filter((part) => part !== "''");
  const sql = texts.length === 0 ? "''" : `(${texts.join(" || ")})`;
  return { sql, type: STRING, nullable: false };
}

function literalPart(use: Use, text: string): string {
  if (text.includes("%")) throw refusal(use, text);
  return quoteText(text);
}

function refusal(use: Use, what: string) {
  return unsupportedForm(
    use,
    `${what} in a format`,
    "See java.util.Formatter; %s, %d and %.2f are read.",
    arg(use, 0).at,
  );
}

/** NULL is written as `null`. */
function conversion(use: Use, value: Bound, spec: string, letter: string, whole: string): string {
  const { type } = value;
  const quoted = quoteText(spec);
  const orNull = (sql: string) => {
    const text = quoteText(`${spec.split(";").slice(0, 3).join(";")};${/[A-Z]/.test(letter) ? "S" : "s"}`);
    return `coalesce(${sql}, ${callHost(FORMAT_TEXT, text, "'null'")})`;
  };
  if (type.kind === "void") return orNull(castTo("NULL", STRING));
  if ("sS".includes(letter)) {
    if (/[#+ 0,(]/.test(spec.split(";")[0] ?? "")) throw refusal(use, whole);
    if (type.kind === "date" || type.kind === "timestamp" || type.kind === "binary" || type.kind === "timestamp_ntz")
      throw unsupportedForm(use, `%s of ${describe(type)}`, "Cast it to STRING.", value.at);
    if (["array", "map", "struct"].includes(type.kind))
      throw unsupportedForm(use, `%s of ${describe(type)}`, "Cast it to STRING.", value.at);
    return orNull(callHost(FORMAT_TEXT, quoted, coerce(use.place, value, STRING).sql));
  }
  if (letter === "b" && type.kind === BOOLEAN.kind)
    return `coalesce(${callHost(FORMAT_TEXT, quoted, coerce(use.place, value, STRING).sql)}, ${callHost(FORMAT_TEXT, quoted, "'false'")})`;
  if (letter === "d" && isInteger(type)) return orNull(callHost(FORMAT_WHOLE, quoted, castTo(value.sql, STRING)));
  if ("xXo".includes(letter) && isInteger(type)) {
    const bits = { tinyint: "8", smallint: "16", int: "32", bigint: "64" }[type.kind as string] ?? "64";
    return orNull(callHost(FORMAT_RADIX, quoted, castTo(value.sql, STRING), bits));
  }
  if (letter === "f" && isDecimal(type))
    return orNull(callHost(FORMAT_FIXED, quoted, coerce(use.place, value, STRING).sql));
  if ("feE".includes(letter) && isFloating(type))
    return orNull(callHost(FORMAT_FLOATING, quoted, castTo(value.sql, DOUBLE)));
  throw refusal(use, `${whole} of ${describe(type)}`);
}
