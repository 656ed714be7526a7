import { decodedOf, type Part } from "./part.js";

const PAIR = "mandt, fcurr, tcurr";
/** FFACT and TFACT where nothing says them. */
const ONE = "CAST(1 AS DECIMAL(9,0))";
const NONE = "CAST(NULL AS DECIMAL(9,0))";

/**
 * A subquery of Spark SQL with the exchange rates of one type and the days on which each holds, ends included: of a pair of
 * currencies and a day one row at most. Rates and ratios have days of their own, and each of them begins an interval. A
 * pair that TCURR does not have goes by its inverse, and a currency to itself by 1.
 *
 * @param rates TCURR
 * @param factors TCURF; without it the ratios that TCURR has itself
 * @param type KURST
 * @throws DocumentFault
 */
export function exchangeRates(rates: Part, factors: Part | undefined, type: string): string {
  const ofType = `kurst = '${type}'`;
  const own = factors === undefined ? ratioOf(rates) : `${NONE} AS ffact, ${NONE} AS tfact`;
  const noted = [
    `SELECT ${PAIR}, sap_gdatu(gdatu) AS valid_from, true AS is_rate, ${decodedOf(rates, "ukurs").sql} AS ukurs, ${factors === undefined} AS is_ratio, ${own}
    FROM ${rates.relation} WHERE ${ofType}`,
    ...(factors === undefined
      ? []
      : [
          `SELECT ${PAIR}, sap_gdatu(gdatu), false, CAST(NULL AS DECIMAL(9,5)), true, ${ratioOf(factors)}
    FROM ${factors.relation} WHERE ${ofType}`,
        ]),
  ];
  return `(WITH noted AS (
    ${noted.join("\n    UNION ALL ")}),
  days AS (
    SELECT ${PAIR}, valid_from, bool_or(is_rate) AS is_rate, max(ukurs) AS ukurs, bool_or(is_ratio) AS is_ratio, max(ffact) AS ffact, max(tfact) AS tfact
    FROM noted GROUP BY ${PAIR}, valid_from),
  held AS (
    SELECT ${PAIR}, valid_from, coalesce(date_sub(lead(valid_from) OVER pair, 1), DATE'9999-12-31') AS valid_to,
      last_value(CASE WHEN is_rate THEN struct(ukurs AS value) END, true) OVER pair AS rate,
      last_value(CASE WHEN is_ratio THEN struct(ffact, tfact) END, true) OVER pair AS ratio
    FROM days WINDOW pair AS (PARTITION BY ${PAIR} ORDER BY valid_from)),
  direct AS (
    SELECT ${PAIR}, valid_from, valid_to, rate.value AS ukurs, coalesce(nullif(ratio.ffact, 0), ${ONE}) AS ffact,
      coalesce(nullif(ratio.tfact, 0), ${ONE}) AS tfact, ratio IS NOT NULL AS has_ratio
    FROM held WHERE rate.value <> 0)
  SELECT *, false AS is_inverse FROM direct
  UNION ALL
  SELECT mandt, tcurr, fcurr, valid_from, valid_to, CAST(-ukurs AS DECIMAL(9,5)), tfact, ffact, has_ratio, true FROM direct AS other
  WHERE NOT EXISTS (SELECT 1 FROM noted WHERE noted.is_rate AND noted.mandt = other.mandt AND noted.fcurr = other.tcurr AND noted.tcurr = other.fcurr)
  UNION ALL
  SELECT mandt, currency, currency, DATE'0001-01-01', DATE'9999-12-31', CAST(1 AS DECIMAL(9,5)), ${ONE}, ${ONE}, true, false
  FROM (SELECT mandt, fcurr AS currency FROM noted UNION SELECT mandt, tcurr FROM noted))`;
}

function ratioOf(part: Part): string {
  return ["ffact", "tfact"].map((name) => `${decodedOf(part, name).sql} AS ${name}`).join(", ");
}
