import { sql, temporaryView } from "ingot";
import { allFields } from "../lib/extract";
import { EXTRACTS } from "../lib/fields";
import { areThere } from "../lib/settings";

// What the extracts use, whether master data has it or not: units, currencies, and the days between which facts lie.
const present: string[] = [];
for (const name of Object.keys(EXTRACTS)) if (await areThere([name])) present.push(name);

const rowsOf = (name: string) => sql.id("extract", name.toLowerCase());

/** One row for each value of all fields of a type. */
function valuesOf(type: "unit" | "currency" | "day") {
  return Object.entries(EXTRACTS).flatMap(([name, extract]) =>
    present.includes(name)
      ? allFields(extract)
          .filter((field) => field.type === type)
          .map((field) => sql`SELECT client, ${sql.id(field.name)} AS value FROM ${rowsOf(name)}`)
      : [],
  );
}

for (const type of ["unit", "currency"] as const)
  temporaryView(
    `used_${type}`,
    sql`SELECT DISTINCT client, value AS ${sql.id(type)} FROM (${sql.join(valuesOf(type), sql` UNION ALL `)}) WHERE value IS NOT NULL`,
  );

/** Periods count from their first day: of the planning system, and of stock's history. */
const periods = [
  ["DEMAND_ACTUAL", sql`make_date(period_id DIV 100, period_id % 100, 1)`],
  ["DEMAND_FORECAST", sql`make_date(period_id DIV 100, period_id % 100, 1)`],
  ...["MCHBH", "MARDH", "MARCH", "MSLBH"].map(
    (name) => [name, sql`try_to_date(concat(lfgja, lfmon), 'yyyyMM')`] as const,
  ),
] as const;
const days = periods.flatMap(([name, day]) =>
  present.includes(name) ? [sql`SELECT client, ${day} AS value FROM ${rowsOf(name)}`] : [],
);
temporaryView(
  "fact_days",
  sql`SELECT min(value) AS first_day, max(value) AS last_day
    FROM (${sql.join([...valuesOf("day"), ...days], sql` UNION ALL `)}) WHERE value < DATE'9999-12-31'`,
);
