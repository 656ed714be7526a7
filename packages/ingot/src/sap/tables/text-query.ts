import { columnName } from "../column-name.js";
import { functionName } from "../decoders/forms.js";
import { type DictionaryTable, keyOf, languageOf } from "../dictionary/table.js";

/**
 * What stands around the name of a text table in a subquery of Spark SQL that has one row a key at most: the text in the
 * first of the languages that has one. Its language column tells which; a key without a text in any of them has no row.
 *
 * @param languages SPRAS or ISO codes, the wanted one first
 * @returns undefined where the table's key has no language beside other columns, so that it holds no texts
 */
export function textQuery(
  table: DictionaryTable,
  languages: readonly string[],
  hasHistory: boolean,
): { readonly before: string; readonly after: string } | undefined {
  const language = languageOf(table);
  const key = keyOf(table).filter((name) => name !== language);
  if (language === undefined || key.length === 0) return undefined;
  const column = columnName(language.toLowerCase());
  const spras = (sql: string) => `${functionName("language", "lenient")}(${sql})`;
  const wanted = languages.map((code) => spras(`'${code}'`));
  const rank = wanted.map((code, i) => `WHEN ${spras(column)} = ${code} THEN ${i + 1}`).join(" ");
  const partition = key.map((name) => columnName(name.toLowerCase())).join(", ");
  return {
    before: `(SELECT * EXCEPT (_rank) FROM (
  SELECT *, row_number() OVER (PARTITION BY ${partition} ORDER BY CASE ${rank} END, ${column}) AS _rank
  FROM `,
    after: `
  WHERE ${spras(column)} IN (${wanted.join(", ")})${hasHistory ? " AND __END_AT IS NULL" : ""}
) WHERE _rank = 1)`,
  };
}
