import { DecoderFault } from "./decoder.js";
import { matches } from "./pattern.js";

/** How the text of a date is taken apart, as Spark SQL over the trimmed text. */
export interface DateFormat {
  /** The condition that the text has the format's form. */
  readonly fits: string;
  /** The date of a text that fits; NULL where the calendar has none. */
  readonly date: string;
  /** Texts that stand for "no end". */
  readonly open: readonly string[];
}

const PART = /YYYY|YY|MM|M|DD|D/g;
const DIGITS: Readonly<Record<string, string>> = {
  // Spark knows a year 0; SAP does not.
  YYYY: "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)",
  YY: "[0-9]{2}",
  MM: "[0-9]{2}",
  M: "[0-9]{1,2}",
  DD: "[0-9]{2}",
  D: "[0-9]{1,2}",
};
const SEPARATORS = ["-", ".", "/", " "];

/**
 * A format made of YYYY or YY, MM or M, DD or D, each once, and one separator between them or none (`YYYYMMDD`,
 * `DD.MM.YYYY`, `M/D/YY`). M and D take one digit or two. YY means 1950 to 2049.
 *
 * @throws DecoderFault for other formats
 */
export function dateFormat(text: string, format: string): DateFormat {
  const parts: readonly string[] = format.match(PART) ?? [];
  const separator = format.replace(PART, "").charAt(0);
  const known =
    parts.join(separator) === format &&
    parts
      .map((part) => part.charAt(0))
      .sort()
      .join("") === "DMY";
  const variable = parts.some((part) => part.length === 1);
  if (!known || (separator !== "" && !SEPARATORS.includes(separator)) || (separator === "" && variable))
    throw new DecoderFault(
      `${format} is no format of dates`,
      "Write one such as YYYYMMDD, YYYY-MM-DD, DD.MM.YYYY or M/D/YY, or odata2 or excel.",
      "format",
    );
  const sign = separator === "" ? "" : `[${separator}]`;
  const short = parts.indexOf("YY");
  return {
    fits: matches(text, parts.map((part) => DIGITS[part]).join(sign)),
    date:
      short === -1
        ? parse(text, format)
        : parse(withCentury(text, parts, separator), parts.join("-").replace("YY", "YYYY")),
    open: short === -1 ? [format.replace(/[YMD]/g, "9")] : [],
  };
}

function parse(text: string, format: string): string {
  return `try_to_date(${text}, '${format.replaceAll("Y", "y").replaceAll("D", "d")}')`;
}

/** The text with `-` between its parts and a year of four digits. */
function withCentury(text: string, parts: readonly string[], separator: string): string {
  const pieces = parts.map((part, i) => {
    const piece =
      separator === "" ? `substr(${text}, ${2 * i + 1}, 2)` : `split_part(${text}, '${separator}', ${i + 1})`;
    return part === "YY" ? `CASE WHEN ${piece} < '50' THEN '20' ELSE '19' END, ${piece}` : piece;
  });
  return `concat(${pieces.join(", '-', ")})`;
}
