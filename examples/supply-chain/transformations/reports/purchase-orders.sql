-- The Purchase Orders report: section 4.1.

-- Its detail: items of orders (BSTYP F) that are neither deleted nor returns. Open values at the rate of the as-of date, all others
-- at that of the order.
CREATE VIEW report.purchase_order_item AS
SELECT f.*, p.as_of_date, p.currency AS report_currency,
  sap_convert(CAST(f.net_order_value AS DECIMAL(15,${amount_scale})), o.rate, o.ffact, o.tfact, o.decimals, scale => ${amount_scale}) AS ordered_value,
  sap_convert(CAST(f.value_to_be_delivered AS DECIMAL(15,${amount_scale})), d.rate, d.ffact, d.tfact, d.decimals, scale => ${amount_scale}) AS open_value,
  sap_convert(CAST(f.value_to_be_invoiced AS DECIMAL(15,${amount_scale})), o.rate, o.ffact, o.tfact, o.decimals, scale => ${amount_scale}) AS ordered_not_invoiced_value,
  sap_convert(CAST(f.received_not_invoiced_value AS DECIMAL(15,${amount_scale})), o.rate, o.ffact, o.tfact, o.decimals, scale => ${amount_scale}) AS received_not_invoiced_converted_value,
  sap_convert(CAST(f.invoiced_value AS DECIMAL(15,${amount_scale})), o.rate, o.ffact, o.tfact, o.decimals, scale => ${amount_scale}) AS invoiced_converted_value,
  sap_convert(CAST(f.invoiced_quantity * f.unit_value AS DECIMAL(15,${amount_scale})), o.rate, o.ffact, o.tfact, o.decimals, scale => ${amount_scale}) AS invoiced_at_order_price,
  o.rate IS NULL OR d.rate IS NULL AS is_without_rate,
  CASE WHEN f.po_status <> 'open' THEN NULL
    WHEN f.next_schedule_line_date IS NULL THEN 'no_date'
    WHEN f.next_schedule_line_date < p.as_of_date THEN 'overdue'
    WHEN f.next_schedule_line_date <= date_add(p.as_of_date, 7) THEN 'due_7'
    WHEN f.next_schedule_line_date <= date_add(p.as_of_date, 30) THEN 'due_30'
    ELSE 'later' END AS due_status,
  CASE WHEN f.po_status = 'open' AND f.next_schedule_line_date < p.as_of_date
    THEN datediff(p.as_of_date, f.next_schedule_line_date) END AS days_overdue
FROM gold.fact_purchase_order AS f
JOIN report.parameters AS p ON p.client = f.client AND p.report = 'purchase_orders'
LEFT JOIN report.exchange_rate AS o ON o.client = f.client AND o.report = p.report AND o.from_currency = f.order_currency
  AND f.order_date BETWEEN o.valid_from AND o.valid_to
LEFT JOIN report.exchange_rate AS d ON d.client = f.client AND d.report = p.report AND d.from_currency = f.order_currency
  AND p.as_of_date BETWEEN d.valid_from AND d.valid_to
WHERE f.document_category = 'F' AND NOT f.is_deleted AND NOT f.is_return;

-- Schedule lines that were due, and whether they were kept.
CREATE VIEW report.purchase_order_due_line AS
SELECT i.client, i.supplier_id, i.plant, l.purchase_order, l.item, l.schedule_line, l.due_date, l.scheduled_quantity,
  l.received_by_due_date >= l.scheduled_until AS is_on_time_in_full,
  least(greatest(l.received_by_due_date - (l.scheduled_until - l.scheduled_quantity), 0), l.scheduled_quantity) AS on_time_quantity,
  CASE WHEN l.completed_on > l.due_date THEN datediff(l.completed_on, l.due_date) END AS delay_days,
  l.completed_on IS NULL AS is_open
FROM silver.purchase_schedule_line AS l
JOIN report.purchase_order_item AS i ON i.client = l.client AND i.purchase_order = l.purchase_order AND i.item = l.item
WHERE l.due_date <= i.as_of_date;

-- The measures of cards and charts, a row for each group of a level: total; due_month (with due_status); po_type; po_sub_type;
-- plant (with delivery_status); supplier; overdue_days (ageing).
CREATE VIEW report.purchase_order_measures AS
WITH items AS (
  SELECT *, date_format(next_schedule_line_date, 'yyyy-MM') AS due_month,
    CASE WHEN days_overdue <= 7 THEN '1-7' WHEN days_overdue <= 30 THEN '8-30' WHEN days_overdue > 30 THEN '> 30' END AS overdue_days
  FROM report.purchase_order_item)
SELECT client, report_currency, as_of_date,
  CASE WHEN grouping(due_month) = 0 THEN 'due_month' WHEN grouping(po_type) = 0 THEN 'po_type'
    WHEN grouping(po_sub_type) = 0 THEN 'po_sub_type' WHEN grouping(plant) = 0 THEN 'plant'
    WHEN grouping(supplier_id) = 0 THEN 'supplier' WHEN grouping(overdue_days) = 0 THEN 'overdue_days' ELSE 'total' END AS level,
  due_month, due_status, po_type, po_sub_type, plant, delivery_status, supplier_id, overdue_days,
  sum(ordered_value) AS ordered_value, sum(open_value) AS open_value,
  sum(CASE WHEN due_status = 'overdue' THEN open_value ELSE 0 END) AS overdue_value,
  round(sum(CASE WHEN due_status = 'overdue' THEN open_value ELSE 0 END) / nullif(sum(open_value), 0), 4) AS overdue_share,
  count_if(po_status = 'open') AS open_items,
  count(DISTINCT CASE WHEN po_status = 'open' THEN purchase_order END) AS open_orders,
  count_if(po_status = 'blocked') AS blocked_items,
  sum(ordered_not_invoiced_value) AS ordered_not_invoiced_value,
  sum(received_not_invoiced_converted_value) AS received_not_invoiced_value,
  -- Quantities have one unit, or there is no sum of them.
  CASE WHEN count(DISTINCT order_unit) = 1 THEN max(order_unit) END AS order_unit,
  CASE WHEN count(DISTINCT order_unit) = 1 THEN round(sum(delivered_quantity) / nullif(sum(order_quantity), 0), 4) END AS delivery_progress,
  round((sum(invoiced_converted_value) - sum(invoiced_at_order_price)) / nullif(sum(invoiced_at_order_price), 0), 4) AS price_variance,
  count_if(is_without_rate) AS items_without_rate
FROM items
GROUP BY GROUPING SETS (
  (client, report_currency, as_of_date),
  (client, report_currency, as_of_date, due_month, due_status),
  (client, report_currency, as_of_date, po_type),
  (client, report_currency, as_of_date, po_sub_type),
  (client, report_currency, as_of_date, plant, delivery_status),
  (client, report_currency, as_of_date, supplier_id),
  (client, report_currency, as_of_date, overdue_days));

-- Whether suppliers kept their dates: a row for each of them, and one for all (level total).
CREATE VIEW report.purchase_order_punctuality AS
SELECT client, CASE WHEN grouping(supplier_id) = 0 THEN 'supplier' ELSE 'total' END AS level, supplier_id, count(*) AS lines_due,
  round(count_if(is_on_time_in_full) / count(*), 4) AS otif,
  round(sum(on_time_quantity) / nullif(sum(scheduled_quantity), 0), 4) AS on_time_quantity_share,
  round(CAST(avg(delay_days) AS DECIMAL(9,4)), 1) AS average_delay_days, count_if(is_open) AS open_lines
FROM report.purchase_order_due_line
GROUP BY GROUPING SETS ((client), (client, supplier_id));

CREATE VIEW report.purchase_order_cards AS
SELECT m.client, m.report_currency, m.as_of_date, m.open_value, m.overdue_value, m.overdue_share, m.open_items, m.open_orders,
  m.blocked_items, m.ordered_value, m.ordered_not_invoiced_value, m.received_not_invoiced_value, m.items_without_rate,
  k.otif, k.on_time_quantity_share, k.average_delay_days, k.lines_due, k.open_lines
FROM report.purchase_order_measures AS m
LEFT JOIN report.purchase_order_punctuality AS k ON k.client = m.client AND k.level = 'total'
WHERE m.level = 'total';

CREATE VIEW report.purchase_order_supplier AS
WITH lots AS (
  SELECT client, supplier_number, count_if(ud_valuation IS NOT NULL) AS decided, count_if(ud_valuation = 'R') AS rejected
  FROM gold.fact_batch_release_external
  GROUP BY client, supplier_number)
SELECT m.client, m.supplier_id, s.supplier_name, m.report_currency, m.ordered_value, m.open_value, m.overdue_value,
  m.delivery_progress, m.price_variance, k.lines_due, k.otif, k.on_time_quantity_share, k.average_delay_days, k.open_lines,
  round(l.rejected / nullif(l.decided, 0), 4) AS rejection_share, m.items_without_rate
FROM report.purchase_order_measures AS m
JOIN gold.dim_supplier AS s ON s.client = m.client AND s.supplier_number = m.supplier_id
LEFT JOIN report.purchase_order_punctuality AS k ON k.client = m.client AND k.supplier_id = m.supplier_id AND k.level = 'supplier'
LEFT JOIN lots AS l ON l.client = m.client AND l.supplier_number = m.supplier_id
WHERE m.level = 'supplier';
