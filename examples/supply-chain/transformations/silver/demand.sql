-- Demand of the markets, and what was forecast: sections 3.17 and 3.18.

CREATE MATERIALIZED VIEW silver.demand_actual (
  CONSTRAINT one_row EXPECT UNIQUE (client, period_id, material, market) ON VIOLATION FAIL UPDATE,
  CONSTRAINT known_material EXPECT (is_known_material),
  CONSTRAINT known_market EXPECT (is_known_market),
  CONSTRAINT shipped EXPECT (shipped_qty <= actual_qty AND delivered_qty <= shipped_qty AND returns_qty <= delivered_qty),
  CONSTRAINT net_quantity EXPECT (net_actual_qty = actual_qty - returns_qty),
  CONSTRAINT final_revenue EXPECT (discounts >= 0 AND final_revenue = net_revenue - discounts)
) AS
SELECT d.client, d.period_id, d.material, d.market, d.period,
  CAST(d.actual_qty AS DECIMAL(18,3)) AS actual_qty,
  CAST(d.actual_revenue AS DECIMAL(18,2)) AS actual_revenue, d.actual_orders,
  CAST(d.shipped_qty AS DECIMAL(18,3)) AS shipped_qty,
  CAST(d.delivered_qty AS DECIMAL(18,3)) AS delivered_qty,
  CAST(d.returns_qty AS DECIMAL(18,3)) AS returns_qty,
  CAST(d.net_actual_qty AS DECIMAL(18,3)) AS net_actual_qty,
  CAST(d.net_revenue AS DECIMAL(18,2)) AS net_revenue, CAST(d.discounts AS DECIMAL(18,2)) AS discounts,
  CAST(d.final_revenue AS DECIMAL(18,2)) AS final_revenue, d.service_level,
  coalesce(d.currency, nullif('${planning_currency}', '')) AS currency, coalesce(d.uom, m.meins) AS uom,
  m.matnr IS NOT NULL AS is_known_material, c.market IS NOT NULL AS is_known_market,
  d._load_ts, d._file_row AS _source_seq, d._file_name AS _source_file
FROM extract.demand_actual AS d
LEFT JOIN extract.mara AS m ON m.client = d.client AND m.matnr = d.material
LEFT JOIN silver.customer AS c ON c.client = d.client AND c.market = d.market;

CREATE MATERIALIZED VIEW silver.demand_forecast (
  CONSTRAINT one_row EXPECT UNIQUE (client, period_id, material, market) ON VIOLATION FAIL UPDATE,
  CONSTRAINT known_material EXPECT (is_known_material),
  CONSTRAINT known_market EXPECT (is_known_market)
) AS
SELECT d.client, d.period_id, d.material, d.market, d.period,
  CAST(d.consensus_demand AS DECIMAL(18,3)) AS consensus_demand,
  CAST(d.ibp_consensus_forecast AS DECIMAL(18,3)) AS ibp_consensus_forecast,
  CAST(d.budget_volumes AS DECIMAL(18,3)) AS budget_volumes,
  CAST(d.sc_forecast_override AS DECIMAL(18,3)) AS sc_forecast_override,
  CAST(d.statistical_forecast AS DECIMAL(18,3)) AS statistical_forecast,
  CAST(d.upside AS DECIMAL(18,3)) AS upside,
  CAST(d.ibp_forecast AS DECIMAL(18,3)) AS ibp_forecast,
  CAST(d.ibp_consensus_forecast_prior AS DECIMAL(18,3)) AS ibp_consensus_forecast_prior,
  CAST(d.fcst_snapshot_1 AS DECIMAL(18,3)) AS fcst_snapshot_1,
  CAST(d.fcst_snapshot_2 AS DECIMAL(18,3)) AS fcst_snapshot_2,
  CAST(d.fcst_snapshot_3 AS DECIMAL(18,3)) AS fcst_snapshot_3,
  CAST(d.fcst_snapshot_4 AS DECIMAL(18,3)) AS fcst_snapshot_4,
  CAST(d.fcst_snapshot_5 AS DECIMAL(18,3)) AS fcst_snapshot_5,
  CAST(d.fcst_snapshot_6 AS DECIMAL(18,3)) AS fcst_snapshot_6,
  CAST(d.fcst_snapshot_7 AS DECIMAL(18,3)) AS fcst_snapshot_7,
  CAST(d.fcst_snapshot_8 AS DECIMAL(18,3)) AS fcst_snapshot_8,
  CAST(d.fcst_snapshot_9 AS DECIMAL(18,3)) AS fcst_snapshot_9,
  CAST(d.fcst_snapshot_10 AS DECIMAL(18,3)) AS fcst_snapshot_10,
  CAST(d.fcst_snapshot_11 AS DECIMAL(18,3)) AS fcst_snapshot_11,
  CAST(d.fcst_snapshot_12 AS DECIMAL(18,3)) AS fcst_snapshot_12,
  d.forecast_selector,
  CAST(d.fcst_variance_snapshot_1 AS DECIMAL(18,3)) AS fcst_variance_snapshot_1,
  CAST(d.fcst_variance_snapshot_2 AS DECIMAL(18,3)) AS fcst_variance_snapshot_2,
  CAST(d.fcst_variance_snapshot_3 AS DECIMAL(18,3)) AS fcst_variance_snapshot_3,
  d.fcst_variance_perc_snapshot_1, d.fcst_variance_perc_snapshot_2, d.fcst_variance_perc_snapshot_3,
  coalesce(d.uom, m.meins) AS uom,
  m.matnr IS NOT NULL AS is_known_material, c.market IS NOT NULL AS is_known_market,
  d._load_ts, d._file_row AS _source_seq, d._file_name AS _source_file
FROM extract.demand_forecast AS d
LEFT JOIN extract.mara AS m ON m.client = d.client AND m.matnr = d.material
LEFT JOIN silver.customer AS c ON c.client = d.client AND c.market = d.market;
