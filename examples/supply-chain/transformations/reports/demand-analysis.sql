-- The Demand Analysis report: section 4.3. Its parameters name the forecast version and the grain; show both on each visual.

-- Its detail, at the grain of the parameters: what was demanded and what was forecast. In a closed period a missing side is 0.
CREATE VIEW report.demand_comparison AS
WITH sides AS (
  SELECT coalesce(a.client, f.client) AS client, coalesce(a.period_id, f.period_id) AS period_id,
    coalesce(a.material, f.material) AS material, coalesce(a.market, f.market) AS market,
    coalesce(nullif(a.uom, ''), f.uom) AS uom, a.actual_qty, a.net_actual_qty, f.statistical_forecast,
    f.ibp_consensus_forecast, f.budget_volumes, f.fcst_snapshot_1, f.fcst_snapshot_2, f.fcst_snapshot_3, f.fcst_snapshot_4, f.fcst_snapshot_5, f.fcst_snapshot_6, f.fcst_snapshot_7, f.fcst_snapshot_8, f.fcst_snapshot_9, f.fcst_snapshot_10, f.fcst_snapshot_11, f.fcst_snapshot_12
  FROM gold.fact_demand_actual AS a
  FULL JOIN gold.fact_demand_forecast AS f
    ON f.client = a.client AND f.period_id = a.period_id AND f.material = a.material AND f.market = a.market),
chosen AS (
  SELECT f.client, f.period_id, f.material, CASE p.grain WHEN 'material' THEN '' ELSE f.market END AS market, f.uom,
    p.as_of_date, p.forecast_version, p.grain, p.quantity_measure,
    last_day(make_date(f.period_id DIV 100, f.period_id % 100, 1)) < p.as_of_date AS is_closed,
    coalesce(CASE p.quantity_measure WHEN 'actual_qty' THEN f.actual_qty ELSE f.net_actual_qty END, 0) AS actual,
    coalesce(CASE p.forecast_version
      WHEN 'fcst_snapshot_1' THEN f.fcst_snapshot_1
      WHEN 'fcst_snapshot_2' THEN f.fcst_snapshot_2
      WHEN 'fcst_snapshot_3' THEN f.fcst_snapshot_3
      WHEN 'fcst_snapshot_4' THEN f.fcst_snapshot_4
      WHEN 'fcst_snapshot_5' THEN f.fcst_snapshot_5
      WHEN 'fcst_snapshot_6' THEN f.fcst_snapshot_6
      WHEN 'fcst_snapshot_7' THEN f.fcst_snapshot_7
      WHEN 'fcst_snapshot_8' THEN f.fcst_snapshot_8
      WHEN 'fcst_snapshot_9' THEN f.fcst_snapshot_9
      WHEN 'fcst_snapshot_10' THEN f.fcst_snapshot_10
      WHEN 'fcst_snapshot_11' THEN f.fcst_snapshot_11
      WHEN 'fcst_snapshot_12' THEN f.fcst_snapshot_12
      WHEN 'ibp_consensus_forecast' THEN f.ibp_consensus_forecast
      WHEN 'statistical_forecast' THEN f.statistical_forecast
      WHEN 'budget_volumes' THEN f.budget_volumes END, 0) AS forecast,
    coalesce(f.statistical_forecast, 0) AS statistical, coalesce(f.ibp_consensus_forecast, 0) AS consensus,
    coalesce(f.budget_volumes, 0) AS budget
  FROM sides AS f
  JOIN report.parameters AS p ON p.client = f.client AND p.report = 'demand_analysis')
SELECT client, period_id, material, market, uom, as_of_date, forecast_version, grain, quantity_measure, is_closed,
  CAST(sum(actual) AS DECIMAL(18,3)) AS actual, CAST(sum(forecast) AS DECIMAL(18,3)) AS forecast,
  CAST(sum(statistical) AS DECIMAL(18,3)) AS statistical, CAST(sum(consensus) AS DECIMAL(18,3)) AS consensus,
  CAST(sum(budget) AS DECIMAL(18,3)) AS budget, CAST(sum(forecast) - sum(actual) AS DECIMAL(18,3)) AS error
FROM chosen
GROUP BY client, period_id, material, market, uom, as_of_date, forecast_version, grain, quantity_measure, is_closed;

-- Accuracy over closed periods, errors taken at the grain and then added. A row for each group of a level: total; market; period;
-- market_period (the heat map); material (the Pareto, by absolute_error).
CREATE VIEW report.demand_accuracy AS
SELECT client, forecast_version, grain, quantity_measure,
  CASE WHEN grouping(market) = 0 AND grouping(period_id) = 0 THEN 'market_period' WHEN grouping(market) = 0 THEN 'market'
    WHEN grouping(period_id) = 0 THEN 'period' WHEN grouping(material) = 0 THEN 'material' ELSE 'total' END AS level,
  market, period_id, material,
  -- Quantities have one unit, or there is no sum of them: the shares below stand alone.
  CASE WHEN count(DISTINCT uom) = 1 THEN max(uom) END AS uom,
  CASE WHEN count(DISTINCT uom) = 1 THEN sum(actual) END AS actual,
  CASE WHEN count(DISTINCT uom) = 1 THEN sum(forecast) END AS forecast,
  CASE WHEN count(DISTINCT uom) = 1 THEN sum(error) END AS bias,
  CASE WHEN count(DISTINCT uom) = 1 THEN sum(abs(error)) END AS absolute_error,
  round(sum(error) / nullif(sum(actual), 0), 4) AS bias_share,
  round(avg(CASE WHEN actual > 0 THEN abs(error) / actual END), 4) AS mape,
  count_if(actual = 0) AS rows_without_demand,
  round(sum(abs(error)) / nullif(sum(actual), 0), 4) AS wmape,
  CASE WHEN sum(actual) <> 0 THEN round(greatest(0, 1 - sum(abs(error)) / sum(actual)), 4) END AS accuracy,
  round(sum(error) / nullif(sum(abs(error)) / count(*), 0), 2) AS tracking_signal,
  round((sum(abs(statistical - actual)) - sum(abs(consensus - actual))) / nullif(sum(actual), 0), 4) AS forecast_value_added
FROM report.demand_comparison
WHERE is_closed
GROUP BY GROUPING SETS (
  (client, forecast_version, grain, quantity_measure),
  (client, forecast_version, grain, quantity_measure, market),
  (client, forecast_version, grain, quantity_measure, period_id),
  (client, forecast_version, grain, quantity_measure, market, period_id),
  (client, forecast_version, grain, quantity_measure, material));

-- Lines of demand and forecasts over all periods, open ones marked, with their trend. Levels: total, market, material.
CREATE VIEW report.demand_trend AS
WITH periods AS (
  SELECT client, CASE WHEN grouping(market) = 0 THEN 'market' WHEN grouping(material) = 0 THEN 'material' ELSE 'total' END AS level,
    coalesce(market, '') AS market, coalesce(material, '') AS material, period_id, is_closed,
    period_id DIV 100 * 12 + period_id % 100 AS number, max(uom) AS uom, sum(actual) AS actual, sum(forecast) AS forecast,
    sum(budget) AS budget
  FROM report.demand_comparison
  GROUP BY GROUPING SETS ((client, period_id, is_closed), (client, market, period_id, is_closed), (client, material, period_id, is_closed))
  HAVING count(DISTINCT uom) = 1)
SELECT p.client, p.level, p.market, p.material, p.period_id, p.is_closed, p.uom, p.actual, p.forecast, p.budget,
  round((p.actual - b.actual) / nullif(b.actual, 0), 3) AS change_to_previous,
  round((p.actual - y.actual) / nullif(y.actual, 0), 3) AS change_to_last_year,
  round(avg(p.actual) OVER (PARTITION BY p.client, p.level, p.market, p.material ORDER BY p.number RANGE BETWEEN 2 PRECEDING AND CURRENT ROW), 3) AS moving_average,
  round(p.actual / nullif(t.actual, 0), 4) AS share
FROM periods AS p
LEFT JOIN periods AS b ON b.client = p.client AND b.level = p.level AND b.market = p.market AND b.material = p.material AND b.number = p.number - 1
LEFT JOIN periods AS y ON y.client = p.client AND y.level = p.level AND y.market = p.market AND y.material = p.material AND y.number = p.number - 12
LEFT JOIN periods AS t ON t.client = p.client AND t.level = 'total' AND t.number = p.number;

-- From revenue to final revenue (the waterfall), and ratios of sums, by market and in total.
CREATE VIEW report.demand_revenue AS
SELECT client, report_currency, market, grouping(market) = 1 AS is_total,
  sum(revenue) AS actual_revenue, sum(revenue) - sum(net) AS returns_value, sum(discounts) AS discounts, sum(final) AS final_revenue,
  round(sum(delivered_qty) / nullif(sum(actual_qty), 0), 4) AS service_level,
  round(sum(returns_qty) / nullif(sum(delivered_qty), 0), 4) AS return_rate,
  CASE WHEN count(DISTINCT uom) = 1 THEN round(sum(final) / nullif(sum(net_actual_qty), 0), 4) END AS average_price,
  count_if(is_without_rate) AS rows_without_rate
FROM (
  SELECT d.client, d.market, d.uom, p.currency AS report_currency, d.delivered_qty, d.actual_qty, d.returns_qty, d.net_actual_qty,
    sap_convert(CAST(d.actual_revenue AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS revenue,
    sap_convert(CAST(d.net_revenue AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS net,
    sap_convert(CAST(d.discounts AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS discounts,
    sap_convert(CAST(d.final_revenue AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS final,
    r.rate IS NULL AS is_without_rate
  FROM gold.fact_demand_actual AS d
  JOIN report.parameters AS p ON p.client = d.client AND p.report = 'demand_analysis'
  LEFT JOIN report.exchange_rate AS r ON r.client = d.client AND r.report = p.report AND r.from_currency = d.currency
    AND last_day(make_date(d.period_id DIV 100, d.period_id % 100, 1)) BETWEEN r.valid_from AND r.valid_to
  WHERE last_day(make_date(d.period_id DIV 100, d.period_id % 100, 1)) < p.as_of_date)
GROUP BY GROUPING SETS ((client, report_currency), (client, report_currency, market));
