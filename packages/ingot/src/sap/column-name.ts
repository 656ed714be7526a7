import { quoteIdentifier } from "../model/name.js";

/** Words that mean something where a column may stand. */
const WORDS: ReadonlySet<string> = new Set(
  "ALL AND ANY ARRAY AS BETWEEN BY CASE CAST CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DATE DISTINCT ELSE END EXCEPT EXISTS EXTRACT FALSE FILTER FROM GROUP HAVING IN INTERVAL IS JOIN LIKE LIMIT MAP NOT NULL ON OR ORDER OVER POSITION SELECT STREAM STRUCT SUBSTRING THEN TIME TIMESTAMP TRIM TRUE UNION USING WHEN WHERE WITH".split(
    " ",
  ),
);

/** A column in a query that people read: in back-ticks only where it needs them. */
export function columnName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !WORDS.has(name.toUpperCase()) ? name : quoteIdentifier(name);
}
