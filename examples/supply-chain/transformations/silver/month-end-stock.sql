-- Stock at the end of each month: section 3.14. SAP writes the history row of a period when the first movement of a later
-- one is posted, so a row tells the stock from behind the row before it until its own period: an interval that looks back.

CREATE TEMPORARY VIEW current_stock AS
SELECT client, material, plant, storage_location, batch, stock_category, owner, period_id, created_period,
  unrestricted, quality, blocked, restricted, in_transfer, transit
FROM (
  SELECT client, matnr AS material, werks AS plant, lgort AS storage_location, charg AS batch, 'batch' AS stock_category,
    '' AS owner, CAST(concat(lfgja, lfmon) AS INT) AS period_id, year(ersda) * 100 + month(ersda) AS created_period,
    clabs AS unrestricted, cinsm AS quality, cspem AS blocked, ceinm AS restricted, cumlm AS in_transfer,
    CAST(0 AS DECIMAL(13,3)) AS transit
  FROM extract.mchb
  UNION ALL
  SELECT client, matnr, werks, lgort, '', 'non_batch', '', CAST(concat(lfgja, lfmon) AS INT),
    year(ersda) * 100 + month(ersda), labst, insme, speme, einme, umlme, 0
  FROM extract.mard
  UNION ALL
  SELECT client, matnr, werks, '', charg, 'vendor', lifnr, CAST(concat(lfgja, lfmon) AS INT),
    year(ersda) * 100 + month(ersda), lblab, lbins, 0, lbein, lbuml, 0
  FROM extract.mslb WHERE sobkz = 'O'
  UNION ALL
  SELECT client, matnr, werks, '', '', 'transit', '', CAST(concat(lfgja, lfmon) AS INT), NULL, 0, 0, 0, 0, 0,
    CAST(umlmc + trame AS DECIMAL(13,3))
  FROM extract.marc);

CREATE TEMPORARY VIEW history_stock AS
SELECT client, matnr AS material, werks AS plant, lgort AS storage_location, charg AS batch, 'batch' AS stock_category,
  '' AS owner, CAST(concat(lfgja, lfmon) AS INT) AS period_id, clabs AS unrestricted, cinsm AS quality, cspem AS blocked,
  ceinm AS restricted, cumlm AS in_transfer, CAST(0 AS DECIMAL(13,3)) AS transit
FROM extract.mchbh
UNION ALL
SELECT client, matnr, werks, lgort, '', 'non_batch', '', CAST(concat(lfgja, lfmon) AS INT), labst, insme, speme, einme,
  umlme, 0
FROM extract.mardh
UNION ALL
SELECT client, matnr, werks, '', charg, 'vendor', lifnr, CAST(concat(lfgja, lfmon) AS INT), lblab, lbins, 0, lbein, lbuml, 0
FROM extract.mslbh WHERE sobkz = 'O'
UNION ALL
SELECT client, matnr, werks, '', '', 'transit', '', CAST(concat(lfgja, lfmon) AS INT), 0, 0, 0, 0, 0,
  CAST(umlmc + trame AS DECIMAL(13,3))
FROM extract.march;

-- Every period of a client, from the earliest in the history to the current one.
CREATE TEMPORARY VIEW periods AS
SELECT client, explode(sequence(make_date(first_period DIV 100, first_period % 100, 1),
  make_date(current_period DIV 100, current_period % 100, 1), INTERVAL 1 MONTH)) AS month, current_period
FROM (
  SELECT client, min(period_id) AS first_period, max(current_period) AS current_period
  FROM (
    SELECT client, period_id, period_id AS current_period FROM current_stock
    UNION ALL SELECT client, period_id, NULL FROM history_stock)
  WHERE period_id % 100 BETWEEN 1 AND 12 -- of a stock that never moved there is no period
  GROUP BY client);

-- For which periods a row tells the stock: behind `after_period`, until `until_period`. Before its creation there was none,
-- but what has a row of its own was there.
CREATE TEMPORARY VIEW stock_intervals AS
WITH history AS (
  SELECT h.*, lag(h.period_id, 1, 0) OVER (
      PARTITION BY h.client, h.material, h.plant, h.storage_location, h.batch, h.stock_category, h.owner
      ORDER BY h.period_id) AS after_period
  FROM history_stock AS h)
SELECT h.*, least(h.period_id, coalesce(c.period_id - 1, 999912)) AS until_period,
  c.created_period, h.after_period = 0 AND c.created_period IS NULL AS is_start_unknown
FROM history AS h
LEFT JOIN current_stock AS c ON c.client = h.client
  AND c.material = h.material
  AND c.plant = h.plant
  AND c.storage_location = h.storage_location
  AND c.batch = h.batch
  AND c.stock_category = h.stock_category
  AND c.owner = h.owner
UNION ALL
SELECT c.client, c.material, c.plant, c.storage_location, c.batch, c.stock_category, c.owner, c.period_id, c.unrestricted,
  c.quality, c.blocked, c.restricted, c.in_transfer, c.transit, c.period_id - 1, 999912, NULL, false
FROM current_stock AS c;

CREATE TEMPORARY VIEW price_intervals AS
WITH prices AS (
  SELECT client, matnr, bwkey, CAST(concat(lfgja, lfmon) AS INT) AS period_id, false AS is_current,
    CASE vprsv WHEN 'S' THEN stprs ELSE verpr END AS price, peinh
  FROM extract.mbewh WHERE bwtar = ''
  UNION ALL
  SELECT client, matnr, bwkey, CAST(concat(lfgja, lfmon) AS INT), true, CASE vprsv WHEN 'S' THEN stprs ELSE verpr END, peinh
  FROM extract.mbew WHERE bwtar = '')
SELECT client, matnr, bwkey, CASE WHEN is_current THEN period_id - 1
    ELSE lag(period_id, 1, 0) OVER (PARTITION BY client, matnr, bwkey, is_current ORDER BY period_id) END AS after_period,
  CASE WHEN is_current THEN 999912
    ELSE least(period_id, max(CASE WHEN is_current THEN period_id - 1 END) OVER (PARTITION BY client, matnr, bwkey)) END AS until_period,
  price, CAST(coalesce(nullif(peinh, 0), 1) AS DECIMAL(5,0)) AS price_per
FROM prices;

CREATE TEMPORARY VIEW month_end_rows AS
SELECT s.client, s.material, s.plant, s.storage_location, s.batch, s.stock_category, s.owner, p.month,
  year(p.month) * 100 + month(p.month) AS period_id, p.current_period, s.unrestricted, s.quality, s.blocked,
  s.restricted, s.in_transfer, s.transit,
  s.is_start_unknown AND year(p.month) * 100 + month(p.month) < s.period_id AS is_start_unknown
FROM stock_intervals AS s
JOIN periods AS p ON p.client = s.client
  AND year(p.month) * 100 + month(p.month) > s.after_period
  AND year(p.month) * 100 + month(p.month) <= s.until_period
  AND (year(p.month) * 100 + month(p.month) = s.period_id
    OR year(p.month) * 100 + month(p.month) >= coalesce(s.created_period, 0))
LEFT JOIN extract.marc AS m ON m.client = s.client AND m.matnr = s.material AND m.werks = s.plant
LEFT JOIN extract.mara AS a ON a.client = s.client AND a.matnr = s.material
-- MARD has the batches too.
WHERE (s.stock_category <> 'non_batch' OR NOT coalesce(m.xchar, a.xchpf, false))
  AND (s.unrestricted <> 0 OR s.quality <> 0 OR s.blocked <> 0 OR s.restricted <> 0 OR s.in_transfer <> 0 OR s.transit <> 0);

CREATE MATERIALIZED VIEW silver.inventory_month_end_stock (
  CONSTRAINT one_stock EXPECT UNIQUE (client, material, plant, storage_location, batch, stock_category, owner, period_id) ON VIOLATION FAIL UPDATE,
  CONSTRAINT start_known EXPECT (NOT is_start_unknown)
) AS
SELECT s.client, s.material, s.plant, s.storage_location, s.batch, s.stock_category, s.owner, s.period_id,
  if('${batch_level}' = 'plant', s.plant, '') AS batch_plant, year(s.month) AS year, month(s.month) AS month, s.period_id = s.current_period AS is_current_period,
  CAST(s.unrestricted AS DECIMAL(18,3)) AS unrestricted_qty,
  CAST(s.quality AS DECIMAL(18,3)) AS quality_qty,
  CAST(s.blocked AS DECIMAL(18,3)) AS blocked_qty,
  CAST(s.restricted AS DECIMAL(18,3)) AS restricted_qty,
  CAST(s.in_transfer AS DECIMAL(18,3)) AS in_transfer_qty,
  CAST(s.transit AS DECIMAL(18,3)) AS transit_qty,
  CAST(s.unrestricted + s.quality + s.transit AS DECIMAL(18,3)) AS available_stock_qty,
  CAST(s.unrestricted + s.quality + s.blocked + s.restricted + s.in_transfer + s.transit AS DECIMAL(18,3)) AS total_stock_qty,
  CAST(sap_curr(CAST(v.price / v.price_per AS DECIMAL(18,5)), coalesce(a.decimals, 2)) AS DECIMAL(18,5)) AS unit_cost,
  CAST(sap_curr(CAST(round(s.unrestricted * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS unrestricted_value,
  CAST(sap_curr(CAST(round(s.quality * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS quality_value,
  CAST(sap_curr(CAST(round(s.blocked * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS blocked_value,
  CAST(sap_curr(CAST(round(s.restricted * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS restricted_value,
  CAST(sap_curr(CAST(round(s.in_transfer * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS in_transfer_value,
  CAST(sap_curr(CAST(round(s.transit * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS transit_value,
  CAST(sap_curr(CAST(round((s.unrestricted + s.quality + s.transit) * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS available_stock_value,
  CAST(sap_curr(CAST(round((s.unrestricted + s.quality + s.blocked + s.restricted + s.in_transfer + s.transit) * v.price / v.price_per, 2) AS DECIMAL(15,2)), coalesce(a.decimals, 2),
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS total_stock_value,
  m.meins AS base_unit, a.currency, NOT coalesce(a.is_calendar_period, true) AS is_fiscal_period, s.is_start_unknown
FROM month_end_rows AS s
LEFT JOIN extract.mara AS m ON m.client = s.client AND m.matnr = s.material
LEFT JOIN extract.t001w AS w ON w.client = s.client AND w.werks = s.plant
LEFT JOIN valuation_areas AS a ON a.client = w.client AND a.bwkey = w.bwkey
LEFT JOIN price_intervals AS v ON v.client = s.client AND v.matnr = s.material AND v.bwkey = w.bwkey
  AND s.period_id > v.after_period AND s.period_id <= v.until_period;
