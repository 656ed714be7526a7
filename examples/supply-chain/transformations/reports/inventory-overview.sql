-- The Inventory Overview report: section 4.2.

-- Its detail: each stock that is not zero, with its shelf life at the as-of date.
CREATE VIEW report.inventory_stock AS
WITH dated AS (
  SELECT f.*, p.report, p.as_of_date, p.currency AS report_currency, p.risk_days,
    datediff(f.shelf_life_expiration_date, p.as_of_date) AS days_to_expiry
  FROM gold.fact_inventory AS f
  JOIN report.parameters AS p ON p.client = f.client AND p.report = 'inventory_overview'
  WHERE f.total_stock_qty <> 0 OR f.returns_qty <> 0)
SELECT f.* EXCEPT (report), m.material_group, m.material_group_description,
  sap_convert(CAST(f.total_stock_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_stock_value,
  sap_convert(CAST(f.unrestricted_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_unrestricted_value,
  sap_convert(CAST(f.quality_inspection_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_quality_value,
  sap_convert(CAST(f.blocked_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_blocked_value,
  sap_convert(CAST(f.restricted_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_restricted_value,
  sap_convert(CAST(f.in_transfer_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_in_transfer_value,
  sap_convert(CAST(f.transit_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_transit_value,
  sap_convert(CAST(f.returns_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale}) AS report_returns_value,
  f.total_stock_value IS NOT NULL AND r.rate IS NULL AS is_without_rate, f.unit_cost IS NULL AS is_without_price,
  round(f.days_to_expiry / nullif(coalesce(datediff(f.shelf_life_expiration_date, f.manufacture_date), m.total_shelf_life_days), 0), 4)
    AS remaining_shelf_life,
  CASE WHEN f.days_to_expiry IS NULL THEN 'no date' WHEN f.days_to_expiry < 0 THEN 'expired'
    WHEN f.days_to_expiry <= 30 THEN '0-30' WHEN f.days_to_expiry <= 90 THEN '31-90'
    WHEN f.days_to_expiry <= 180 THEN '91-180' WHEN f.days_to_expiry <= 365 THEN '181-365' ELSE '> 365' END AS expiry_bucket
FROM dated AS f
LEFT JOIN gold.dim_product AS m ON m.client = f.client AND m.material = f.material
LEFT JOIN report.exchange_rate AS r ON r.client = f.client AND r.report = f.report AND r.from_currency = f.display_currency
  AND f.as_of_date BETWEEN r.valid_from AND r.valid_to;

-- The measures of cards and charts, a row for each group of a level: total; plant (with stock_category); material; expiry_bucket;
-- plant_group (plant and material group).
CREATE VIEW report.inventory_measures AS
SELECT client, report_currency, as_of_date,
  CASE WHEN grouping(stock_category) = 0 THEN 'plant' WHEN grouping(material) = 0 THEN 'material'
    WHEN grouping(expiry_bucket) = 0 THEN 'expiry_bucket' WHEN grouping(material_group) = 0 THEN 'plant_group' ELSE 'total' END AS level,
  plant, stock_category, material, expiry_bucket, material_group,
  -- Quantities have one unit, or there is no sum of them.
  CASE WHEN count(DISTINCT base_unit) = 1 THEN max(base_unit) END AS base_unit,
  CASE WHEN count(DISTINCT base_unit) = 1 THEN sum(total_stock_qty) END AS stock_quantity,
  CASE WHEN count(DISTINCT base_unit) = 1 THEN sum(usable_stock_qty) END AS usable_quantity,
  CASE WHEN count(DISTINCT base_unit) = 1 THEN sum(available_stock_qty) END AS available_quantity,
  CASE WHEN count(DISTINCT base_unit) = 1 THEN sum(returns_qty) END AS returns_quantity,
  sum(report_stock_value) AS stock_value, sum(report_unrestricted_value) AS unrestricted_value,
  sum(report_quality_value) AS quality_value, sum(report_blocked_value) AS blocked_value,
  sum(report_restricted_value) AS restricted_value, sum(report_in_transfer_value) AS in_transfer_value,
  sum(report_transit_value) AS transit_value,
  sum(CASE WHEN days_to_expiry < 0 THEN report_stock_value ELSE 0 END) AS expired_value,
  sum(CASE WHEN days_to_expiry <= risk_days THEN report_stock_value ELSE 0 END) AS value_at_risk,
  count_if(is_without_rate) AS rows_without_rate, count_if(is_without_price) AS rows_without_price
FROM report.inventory_stock
GROUP BY GROUPING SETS (
  (client, report_currency, as_of_date),
  (client, report_currency, as_of_date, plant, stock_category),
  (client, report_currency, as_of_date, material),
  (client, report_currency, as_of_date, expiry_bucket),
  (client, report_currency, as_of_date, plant, material_group));

CREATE VIEW report.inventory_map AS
SELECT m.client, m.plant, l.plant_description, l.latitude, l.longitude, m.report_currency, sum(m.stock_value) AS stock_value
FROM report.inventory_measures AS m
JOIN gold.dim_location AS l ON l.client = m.client AND l.plant = m.plant
WHERE m.level = 'plant'
GROUP BY m.client, m.plant, l.plant_description, l.latitude, l.longitude, m.report_currency;

-- Stock at month ends, one row a plant and period, converted at the month's end; never a sum over periods.
CREATE VIEW report.inventory_trend AS
WITH months AS (
  SELECT f.client, f.plant, f.period_id, f.year, f.month, f.is_current_period AS is_to_date, p.currency AS report_currency,
    CASE WHEN count(DISTINCT f.base_unit) = 1 THEN sum(f.total_stock_qty) END AS stock_quantity,
    sum(sap_convert(CAST(f.total_stock_value AS DECIMAL(15,${amount_scale})), r.rate, r.ffact, r.tfact, r.decimals, scale => ${amount_scale})) AS stock_value,
    count_if(f.total_stock_value IS NOT NULL AND r.rate IS NULL) AS rows_without_rate,
    count_if(f.unit_cost IS NULL) AS rows_without_price
  FROM gold.fact_inventory_month_end_stock AS f
  JOIN report.parameters AS p ON p.client = f.client AND p.report = 'inventory_overview'
  LEFT JOIN report.exchange_rate AS r ON r.client = f.client AND r.report = p.report AND r.from_currency = f.currency
    AND last_day(make_date(f.year, f.month, 1)) BETWEEN r.valid_from AND r.valid_to
  GROUP BY f.client, f.plant, f.period_id, f.year, f.month, f.is_current_period, p.currency)
SELECT m.*, m.stock_value - b.stock_value AS change_to_previous_month, m.stock_value - y.stock_value AS change_to_last_year
FROM months AS m
LEFT JOIN months AS b ON b.client = m.client AND b.plant = m.plant AND b.year * 12 + b.month = m.year * 12 + m.month - 1
LEFT JOIN months AS y ON y.client = m.client AND y.plant = m.plant AND y.year = m.year - 1 AND y.month = m.month;

-- Unrestricted stock that lives long enough for a market.
CREATE VIEW report.inventory_sellable AS
SELECT s.client, c.market, s.material, s.base_unit, c.remaining_shelf_life AS minimum_days,
  sum(CASE WHEN s.days_to_expiry >= c.remaining_shelf_life THEN s.unrestricted_qty ELSE 0 END) AS sellable_quantity,
  sum(s.unrestricted_qty) AS unrestricted_quantity
FROM report.inventory_stock AS s
JOIN gold.dim_customer_product AS c ON c.client = s.client AND c.material = s.material
WHERE c.remaining_shelf_life IS NOT NULL
GROUP BY s.client, c.market, s.material, s.base_unit, c.remaining_shelf_life;

-- Safety stock is of a material in a plant, once. Demand has no plant: days of supply are the material's, over all plants.
CREATE VIEW report.inventory_coverage AS
WITH plants AS (
  SELECT client, material, plant, base_unit, as_of_date, sum(unrestricted_qty) AS unrestricted_quantity, max(safety_stock) AS safety_stock
  FROM report.inventory_stock
  GROUP BY client, material, plant, base_unit, as_of_date),
demand AS (
  SELECT d.client, d.material, CAST(sum(d.actual_qty) AS DECIMAL(18,3)) AS quantity,
    datediff(trunc(p.as_of_date, 'MM'), add_months(trunc(p.as_of_date, 'MM'), -3)) AS days
  FROM gold.fact_demand_actual AS d
  JOIN report.parameters AS p ON p.client = d.client AND p.report = 'inventory_overview'
  WHERE make_date(d.period_id DIV 100, d.period_id % 100, 1) >= add_months(trunc(p.as_of_date, 'MM'), -3)
    AND make_date(d.period_id DIV 100, d.period_id % 100, 1) < trunc(p.as_of_date, 'MM')
  GROUP BY d.client, d.material, p.as_of_date)
SELECT s.client, s.material, s.plant, s.base_unit, s.unrestricted_quantity, s.safety_stock,
  s.unrestricted_quantity - s.safety_stock AS safety_stock_gap,
  round(CAST(sum(s.unrestricted_quantity) OVER (PARTITION BY s.client, s.material) AS DECIMAL(18,3)) * d.days / nullif(d.quantity, 0), 1) AS material_days_of_supply
FROM plants AS s
LEFT JOIN demand AS d ON d.client = s.client AND d.material = s.material;

CREATE VIEW report.inventory_open_lot AS
SELECT l.client, l.inspection_lot, l.plant, l.material, l.batch, l.inspection_lot_qty, l.lot_unit,
  datediff(p.as_of_date, l.inspection_lot_created_on) AS age_days, s.quality_inspection_qty
FROM (
  SELECT client, inspection_lot, plant, material, batch, storage_location, inspection_lot_qty, lot_unit, inspection_lot_created_on
  FROM gold.fact_batch_release_external WHERE is_open
  UNION ALL
  SELECT client, inspection_lot, plant, material, batch, storage_location, inspection_lot_qty, lot_unit, inspection_lot_created_on
  FROM gold.fact_batch_release_internal WHERE is_open) AS l
JOIN report.parameters AS p ON p.client = l.client AND p.report = 'inventory_overview'
LEFT JOIN (
  SELECT client, plant, material, batch, CAST(sum(quality_inspection_qty) AS DECIMAL(18,3)) AS quality_inspection_qty
  FROM gold.fact_inventory GROUP BY client, plant, material, batch) AS s
  ON s.client = l.client AND s.plant = l.plant AND s.material = l.material AND s.batch = l.batch;
