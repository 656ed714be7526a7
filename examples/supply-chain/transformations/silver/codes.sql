-- Units, currencies, rates, days: sections 3.9 to 3.11.

-- All units that a fact may have, whether the material has it or not.
CREATE MATERIALIZED VIEW silver.uom (
  CONSTRAINT one_unit EXPECT UNIQUE (client, uom) ON VIOLATION FAIL UPDATE
) AS
SELECT u.client, u.unit AS uom, t.mseh3 AS uom_external, t.msehl AS uom_text, d.dimid AS dimension, d.isocode AS iso_code,
  d.andec AS decimals
FROM used_unit AS u
LEFT JOIN t006a_text AS t ON t.client = u.client AND t.msehi = u.unit
LEFT JOIN extract.t006 AS d ON d.client = u.client AND d.msehi = u.unit;

CREATE MATERIALIZED VIEW silver.currency (
  CONSTRAINT one_currency EXPECT UNIQUE (client, currency) ON VIOLATION FAIL UPDATE
) AS
SELECT c.client, c.currency, coalesce(x.currdec, 2) AS decimals, t.ltext AS name
FROM used_currency AS c
LEFT JOIN extract.tcurx AS x ON x.currkey = c.currency -- without a client, as in SAP
LEFT JOIN tcurt_text AS t ON t.client = c.client AND t.waers = c.currency;

-- TCURR and TCURF have dates of their own from which they hold: each of them begins an interval.
CREATE TEMPORARY VIEW rate_intervals AS
SELECT client, kurst, fcurr, tcurr, valid_from,
  coalesce(date_sub(lead(valid_from) OVER pair, 1), DATE'9999-12-31') AS valid_to,
  last_value(ukurs, true) OVER pair AS rate,
  coalesce(nullif(last_value(ffact, true) OVER pair, 0), 1) AS ffact,
  coalesce(nullif(last_value(tfact, true) OVER pair, 0), 1) AS tfact
FROM (
  SELECT client, kurst, fcurr, tcurr, valid_from, max(ukurs) AS ukurs, max(ffact) AS ffact, max(tfact) AS tfact
  FROM (
    SELECT client, kurst, fcurr, tcurr, sap_gdatu(gdatu) AS valid_from, ukurs, NULL AS ffact, NULL AS tfact
    FROM extract.tcurr
    UNION ALL
    SELECT client, kurst, fcurr, tcurr, sap_gdatu(gdatu), NULL, ffact, tfact FROM extract.tcurf)
  GROUP BY client, kurst, fcurr, tcurr, valid_from)
WINDOW pair AS (PARTITION BY client, kurst, fcurr, tcurr ORDER BY valid_from);

-- A rate below 0 divides, as in SAP. A pair that has no rate goes by its inverse.
CREATE MATERIALIZED VIEW silver.exchange_rate (
  CONSTRAINT one_rate EXPECT UNIQUE (client, rate_type, from_currency, to_currency, valid_from) ON VIOLATION FAIL UPDATE
) AS
SELECT client, kurst AS rate_type, fcurr AS from_currency, tcurr AS to_currency, valid_from, valid_to, rate, ffact, tfact,
  false AS is_inverse
FROM rate_intervals
WHERE rate IS NOT NULL AND rate <> 0
UNION ALL
SELECT i.client, i.kurst, i.tcurr, i.fcurr, i.valid_from, i.valid_to, CAST(-i.rate AS DECIMAL(9,5)), i.tfact, i.ffact, true
FROM rate_intervals AS i
LEFT ANTI JOIN extract.tcurr AS direct
  ON direct.client = i.client AND direct.kurst = i.kurst AND direct.fcurr = i.tcurr AND direct.tcurr = i.fcurr
WHERE i.rate IS NOT NULL AND i.rate <> 0
UNION ALL
SELECT client, '${rate_type}', currency, currency, DATE'1900-01-01', DATE'9999-12-31', CAST(1 AS DECIMAL(9,5)), 1, 1, false
FROM silver.currency;

-- TCURF alone: what a document's own rate is quoted for.
CREATE TEMPORARY VIEW rate_factors AS
SELECT client, fcurr, tcurr, ffact, tfact, sap_gdatu(gdatu) AS valid_from,
  coalesce(date_sub(lead(sap_gdatu(gdatu)) OVER (PARTITION BY client, fcurr, tcurr ORDER BY sap_gdatu(gdatu)), 1),
    DATE'9999-12-31') AS valid_to
FROM extract.tcurf
WHERE kurst = '${rate_type}';

CREATE MATERIALIZED VIEW silver.date (
  CONSTRAINT one_day EXPECT UNIQUE (client, calendar_date) ON VIOLATION FAIL UPDATE
) AS
WITH days AS (
  SELECT explode(sequence(trunc(first_day, 'YEAR'), make_date(year(last_day) + 2, 12, 31))) AS day FROM fact_days),
companies AS (
  SELECT client, bool_and(coalesce(periv, 'K4') LIKE 'K%') AS is_calendar_year FROM extract.t001 GROUP BY client)
SELECT c.client, day AS calendar_date, year(day) AS year, quarter(day) AS quarter, month(day) AS month,
  dayofmonth(day) AS day, weekofyear(day) AS week,
  year(date_add(day, 3 - weekday(day))) AS iso_year, -- of the week's Thursday
  dayofweek(day) AS day_of_week, weekday(day) + 1 AS iso_day_of_week,
  element_at(array('January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
    'November', 'December'), month(day)) AS month_name,
  element_at(array('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'), weekday(day) + 1) AS day_name,
  year(day) * 100 + month(day) AS period_id, last_day(day) AS month_end_date,
  -- Of a variant that is no calendar year the periods are in T009B, which is not loaded: the calendar stands in, and says so.
  year(day) AS fiscal_year, month(day) AS fiscal_period, c.is_calendar_year AS is_fiscal_calendar
FROM days CROSS JOIN companies AS c;
