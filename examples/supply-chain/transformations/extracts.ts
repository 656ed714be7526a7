import { config, expect, expectOrQuarantine, expectUnique, materializedView, sql, temporaryView } from "ingot";
import { decode, noRows } from "../lib/decode";
import { type Extract, readFields } from "../lib/extract";
import { EXTRACTS } from "../lib/fields";
import { areThere } from "../lib/settings";

const language = config("language");

// Each extract that silver reads.
for (const [name, extract] of Object.entries(EXTRACTS)) {
  const hasRows = extract.optional !== true || (await areThere([name]));
  decoded(name.toLowerCase(), extract, hasRows);
  if (extract.language !== undefined) texts(name.toLowerCase(), extract);
}

/** A private table: one row a key, every value in its type, the rest set aside. */
function decoded(name: string, extract: Extract, hasRows: boolean): void {
  const { select, keys, rules } = decode(extract, hasRows ? `bronze.${name}` : noRows(extract), config("client"));
  materializedView(`extract.${name}`, {
    private: true,
    expectations: [
      ...rules.map((rule) => expectOrQuarantine(rule.name, rule.condition, { status: rule.status })),
      expect("one_row_a_key", "NOT _is_contested"),
      expectUnique(keys),
    ],
    quarantine: `quarantine.${name}`,
    gate: { maxFailedShare: 0.2 },
    query: sql`${sql.raw(select)}`,
  });
}

/** `<table>_text`: one text a key, in the wanted language, else English, else the company's, else the first there is. */
function texts(name: string, { key, language: field = "spras" }: Extract): void {
  const others = ["client", ...readFields(key).flatMap(({ name: column }) => (column === field ? [] : [column]))];
  const [spras, keys] = [sql.id("t", field), sql.join(others.map((column) => sql.id("t", column)))];
  temporaryView(`${name}_text`, {
    query: sql`
      SELECT t.*, ${spras} AS text_language
      FROM ${sql.id("extract", name)} AS t
      LEFT JOIN (SELECT client, min_by(spras, bukrs) AS spras FROM extract.t001 GROUP BY client) AS c ON c.client = t.client
      QUALIFY row_number() OVER (
        PARTITION BY ${keys}
        ORDER BY CASE ${spras} WHEN ${language} THEN 1 WHEN 'E' THEN 2 WHEN c.spras THEN 3 ELSE 4 END, ${spras}) = 1`,
  });
}
