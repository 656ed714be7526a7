import { quoteText } from "../lower/lower-text.js";

/** The letters of Java's date patterns that have one reading: digits, as many as letters. */
const FIELDS: Readonly<
  Record<string, { readonly digits: string; readonly strftime: string; readonly otherwise: string }>
> = {
  yyyy: { digits: "[0-9]{4}", strftime: "%Y", otherwise: "1970" },
  MM: { digits: "[0-9]{2}", strftime: "%m", otherwise: "01" },
  dd: { digits: "[0-9]{2}", strftime: "%d", otherwise: "01" },
  HH: { digits: "[01][0-9]|2[0-3]", strftime: "%H", otherwise: "00" },
  mm: { digits: "[0-5][0-9]", strftime: "%M", otherwise: "00" },
  ss: { digits: "[0-5][0-9]", strftime: "%S", otherwise: "00" },
};

/** Fields and the text between them; undefined for a letter or a width that is not in the table. */
function split(pattern: string): readonly string[] | undefined {
  const parts = pattern.match(/([A-Za-z])\1*|'[^']+'|[^A-Za-z'#{}[\]]/g) ?? [];
  if (parts.join("") !== pattern) return undefined;
  return parts.every((p) => !/^[A-Za-z]/.test(p) || Object.hasOwn(FIELDS, p)) ? parts : undefined;
}

/** Years that Java reads by `yyyy` beside those of four digits: with a sign. */
const SIGNED_YEAR = "([+][0-9]{5,19}|-[0-9]{4,19})";

const plain = (part: string) => (part.startsWith("'") ? part.slice(1, -1) : part);

/** DuckDB's format text for `date_format`. */
export function compileDateFormat(pattern: string): string | undefined {
  if (pattern === "") return undefined;
  return split(pattern)
    ?.map((part) => FIELDS[part]?.strftime ?? plain(part).replaceAll("%", "%%"))
    .join("");
}

/**
 * A function from the text of a string to the text of `yyyy-MM-dd HH:mm:ss`, which is empty where the string does not
 * fit the pattern digit by digit; a year with a sign, which Spark reads, is an error. Undefined unless the pattern has a year and each field once.
 */
export function compileDateParser(pattern: string): ((sql: string) => string) | undefined {
  const parts = split(pattern);
  const fields = parts?.filter((part) => Object.hasOwn(FIELDS, part)) ?? [];
  if (parts === undefined || !fields.includes("yyyy") || new Set(fields).size !== fields.length) return undefined;
  const regex = (year: string) => {
    const texts = parts.map((part) => {
      const field = FIELDS[part];
      if (field === undefined) return escapeRegex(plain(part));
      return part === "yyyy" ? year : `(${field.digits})`;
    });
    return quoteText(`^${texts.join("")}$`);
  };
  const place = (field: string) => {
    const index = fields.indexOf(field);
    return index === -1 ? (FIELDS[field]?.otherwise ?? "") : `\\${index + 1}`;
  };
  const rewrite = `${place("yyyy")}-${place("MM")}-${place("dd")} ${place("HH")}:${place("mm")}:${place("ss")}`;
  const [whole, signed] = [regex("([0-9]{4})"), regex(SIGNED_YEAR)];
  return (sql) =>
    `CASE WHEN regexp_matches(${sql}, ${whole}) THEN regexp_replace(${sql}, ${whole}, ${quoteText(rewrite)})` +
    ` WHEN regexp_matches(${sql}, ${signed}) THEN error('[NOT_SUPPORTED] The year of ' || ${sql} || ' has a sign') END`;
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
