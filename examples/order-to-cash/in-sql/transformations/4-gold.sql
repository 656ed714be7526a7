-- Pattern 4: the words of the sales office.
CREATE MATERIALIZED VIEW gold_sd_open_order_tracker
CLUSTER BY (client, sales_order)
COMMENT 'Every order item: when it is due, and whether its order is open'
AS SELECT
  o.mandt_vbak AS client,
  o.vbeln_vbak AS sales_order,
  o.posnr_vbap AS item,
  o.matnr_vbap AS material,
  t.maktx AS material_text,
  t.spras AS text_language,
  CAST(o.vdatu_vbak AS TIMESTAMP) AS delivery_date_ts,
  CASE
    WHEN o.gbstk_vbak = 'C' THEN 'CLOSE'
    WHEN o.gbstk_vbak IN ('A', 'B') THEN 'OPEN'
    WHEN o.status_source IS NOT NULL THEN 'NOT_RELEVANT'
  END AS order_status
FROM silver_sd_sales_order AS o
-- One text a material: the reader's language, then E, then D. Languages are one letter, and its case counts.
LEFT JOIN (
  SELECT * FROM (
    SELECT *, row_number() OVER (
      PARTITION BY mandt, matnr ORDER BY CASE spras WHEN '${language}' THEN 1 WHEN 'E' THEN 2 ELSE 3 END
    ) AS choice
    FROM makt_cur
    WHERE spras IN ('${language}', 'E', 'D'))
  WHERE choice = 1
) AS t ON t.mandt = o.mandt_vbak AND t.matnr = o.matnr_vbap;

CREATE MATERIALIZED VIEW gold_sd_fulfilment
CLUSTER BY (client, sales_order)
COMMENT 'Every order item: for whom it is, what was delivered and billed, and what is still to come'
AS SELECT
  client, sales_order, item, ship_to, ship_to_name, payment_terms, incoterms, unit, ordered, delivered, billed,
  CASE WHEN is_rejected OR delivered >= ordered THEN 0 ELSE ordered - delivered END AS to_deliver
FROM (
  SELECT
    o.mandt_vbak AS client,
    o.vbeln_vbak AS sales_order,
    o.posnr_vbap AS item,
    o.kunnr_vbpa AS ship_to,
    c.name1 AS ship_to_name,
    o.zterm_vbkd AS payment_terms,
    o.inco1_vbkd AS incoterms,
    o.meins_vbap AS unit,
    CAST(round(o.kwmeng_vbap * o.umvkz_vbap / o.umvkn_vbap, 3) AS DECIMAL(15,3)) AS ordered,
    o.delivered_vbfa AS delivered,
    o.billed_vbfa AS billed,
    coalesce(o.abgru_vbap, '') <> '' AS is_rejected
  FROM silver_sd_sales_order AS o
  LEFT JOIN kna1_cur AS c ON c.mandt = o.mandt_vbak AND c.kunnr = o.kunnr_vbpa);

CREATE MATERIALIZED VIEW gold_sd_customer_backlog
CLUSTER BY (client, customer)
COMMENT 'What is open, by customer and currency'
AS SELECT
  o.mandt_vbak AS client,
  o.kunnr_vbak AS customer,
  max(c.name1) AS customer_name,
  o.waerk_vbap AS currency,
  count(DISTINCT o.vbeln_vbak) AS orders,
  count(*) AS items,
  sum(o.netwr_vbap) AS open_value,
  min(o.vdatu_vbak) AS first_due
FROM silver_sd_sales_order AS o
LEFT JOIN kna1_cur AS c ON c.mandt = o.mandt_vbak AND c.kunnr = o.kunnr_vbak
WHERE o.gbsta_vbap IN ('A', 'B') AND coalesce(o.abgru_vbap, '') = ''
GROUP BY o.mandt_vbak, o.kunnr_vbak, o.waerk_vbap;
