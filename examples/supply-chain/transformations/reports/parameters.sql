-- What each report asks for, per client: settings/report_parameters.csv. Without a currency it is that of all companies, where
-- they have one; else the run says that one has to be named. Without a date it is the extracts'.

CREATE MATERIALIZED VIEW report.parameters (
  CONSTRAINT report_currency_is_known EXPECT (currency IS NOT NULL) ON VIOLATION FAIL UPDATE,
  CONSTRAINT known_forecast EXPECT (forecast_version IS NULL OR forecast_version RLIKE '^(fcst_snapshot_([1-9]|1[0-2])|ibp_consensus_forecast|statistical_forecast|budget_volumes)$') ON VIOLATION FAIL UPDATE,
  CONSTRAINT known_grain EXPECT (grain IN ('material_market', 'material')) ON VIOLATION FAIL UPDATE,
  CONSTRAINT known_quantity EXPECT (quantity_measure IN ('actual_qty', 'net_actual_qty')) ON VIOLATION FAIL UPDATE
) AS
SELECT c.client, p.report, coalesce(p.as_of_date, e.extracted_on) AS as_of_date, coalesce(p.currency, c.currency) AS currency,
  coalesce(x.currdec, 2) AS decimals, p.forecast_version, coalesce(p.grain, 'material_market') AS grain,
  coalesce(p.quantity_measure, 'actual_qty') AS quantity_measure, coalesce(p.risk_days, 30) AS risk_days
FROM read_files('${settings}/report_parameters.csv', format => 'csv', header => true, schema =>
  'report STRING, as_of_date DATE, currency STRING, forecast_version STRING, grain STRING, quantity_measure STRING, risk_days INT') AS p
CROSS JOIN (
  SELECT client, CASE WHEN count(DISTINCT waers) = 1 THEN min(waers) END AS currency FROM extract.t001 GROUP BY client) AS c
CROSS JOIN (SELECT max(CAST(_load_ts AS DATE)) AS extracted_on FROM extract.t001) AS e
LEFT JOIN extract.tcurx AS x ON x.currkey = coalesce(p.currency, c.currency);

-- Rates into the currency of each report, and its decimals. A missing rate is a missing row: the value is NULL, and counted.
CREATE VIEW report.exchange_rate AS
SELECT p.client, p.report, r.from_currency, r.valid_from, r.valid_to, r.rate,
  r.ffact, r.tfact, p.decimals
FROM report.parameters AS p
JOIN silver.exchange_rate AS r ON r.client = p.client AND r.to_currency = p.currency AND r.rate_type = '${rate_type}';
