import type { CsvRecord } from "../../../../sources/files/split-record.js";

/** Stands for the quote where quoting is off. DuckDB's reader gives no line that holds it. */
const OTHER_QUOTE = "\x1c";

export function quoteOf({ quote }: { readonly quote: string }): string {
  return quote === "" ? OTHER_QUOTE : quote;
}

/**
 * A record's fields as a list that keeps apart what is empty and what is quoted and empty: an element that begins with
 * the quote is the text between its first and its last character, one of no character is null, others are as they are.
 */
export function quotedList(
  { fields, quotedEmpty }: Pick<CsvRecord, "fields" | "quotedEmpty">,
  quote: string,
): string[] {
  const list = fields.map((field) => (field.startsWith(quote) ? quote + field + quote : field));
  for (const place of quotedEmpty) list[place] = quote + quote;
  return list;
}
