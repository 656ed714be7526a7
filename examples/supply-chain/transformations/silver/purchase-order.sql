-- One row per item of a purchasing document: section 3.12. Each side is aggregated to the item before it is joined.

CREATE TEMPORARY VIEW schedule_totals AS
SELECT client, ebeln, ebelp, CAST(sum(menge) AS DECIMAL(13,3)) AS scheduled,
  CAST(sum(wemng) AS DECIMAL(13,3)) AS received, min(CASE WHEN menge > coalesce(wemng, 0) THEN eindt END) AS next_date,
  min(eindt) AS first_date, max(eindt) AS last_date
FROM extract.eket
GROUP BY client, ebeln, ebelp;

-- VGABE 1 goods receipts, 2 invoices, 3 subsequent debits and credits, which have a value and no quantity.
CREATE TEMPORARY VIEW history_totals AS
SELECT client, ebeln, ebelp,
  CAST(sum(CASE WHEN vgabe = '1' THEN sign * menge ELSE 0 END) AS DECIMAL(13,3)) AS received,
  CAST(sum(CASE WHEN vgabe = '1' THEN sign * wesbs ELSE 0 END) AS DECIMAL(13,3)) AS receipt_blocked,
  CAST(sum(CASE WHEN vgabe = '2' THEN sign * menge ELSE 0 END) AS DECIMAL(13,3)) AS invoiced,
  CAST(sum(CASE WHEN vgabe = '1' THEN sign * wrbtr ELSE 0 END) AS DECIMAL(15,2)) AS received_value,
  CAST(sum(CASE WHEN vgabe IN ('2', '3') THEN sign * wrbtr ELSE 0 END) AS DECIMAL(15,2)) AS invoiced_value,
  max(CASE WHEN vgabe = '1' AND sign = 1 THEN budat END) AS last_receipt_date
FROM (SELECT *, CASE shkzg WHEN 'H' THEN -1 ELSE 1 END AS sign FROM extract.ekbe)
GROUP BY client, ebeln, ebelp;

CREATE TEMPORARY VIEW purchase_order_items AS
SELECT i.*, coalesce(nullif(i.peinh, 0), 1) AS price_per,
  coalesce(nullif(i.bpumz, 0), 1) AS price_units, coalesce(nullif(i.bpumn, 0), 1) AS order_units,
  h.ebeln IS NOT NULL AS has_header, h.bstyp, h.bsart, h.statu, h.aedat, h.ernam, h.lifnr, h.ekorg, h.ekgrp, h.waers,
  h.wkurs, h.bedat, h.reswk, h.procstat, coalesce(x.currdec, 2) AS decimals,
  h.loekz IS NOT NULL OR coalesce(i.loekz = 'L', false) AS is_deleted,
  coalesce(i.loekz = 'S', false) AS is_blocked,
  s.ebeln IS NOT NULL AS has_schedule, coalesce(s.scheduled, 0) AS scheduled, s.next_date, s.first_date, s.last_date,
  -- A return is received with the opposite sign: SAP's schedule line has it positive, its history does not.
  coalesce(s.received, CASE WHEN i.retpo THEN -e.received ELSE e.received END, 0) AS delivered,
  coalesce(CASE WHEN i.retpo THEN -e.received ELSE e.received END, 0) AS received_by_history, coalesce(e.receipt_blocked, 0) AS receipt_blocked,
  coalesce(e.invoiced, 0) AS invoiced, coalesce(e.received_value, 0) AS received_value,
  coalesce(e.invoiced_value, 0) AS invoiced_value, e.last_receipt_date
FROM extract.ekpo AS i
LEFT JOIN extract.ekko AS h ON h.client = i.client AND h.ebeln = i.ebeln
LEFT JOIN extract.tcurx AS x ON x.currkey = h.waers
LEFT JOIN schedule_totals AS s ON s.client = i.client AND s.ebeln = i.ebeln AND s.ebelp = i.ebelp
LEFT JOIN history_totals AS e ON e.client = i.client AND e.ebeln = i.ebeln AND e.ebelp = i.ebelp;

CREATE TEMPORARY VIEW open_quantities AS
SELECT *,
  CASE WHEN is_deleted OR is_blocked OR elikz OR retpo OR NOT wepos THEN 0
    ELSE greatest(menge - delivered, 0) END AS to_be_delivered,
  CASE WHEN is_deleted OR is_blocked OR elikz OR NOT retpo THEN 0 ELSE greatest(menge - delivered, 0) END AS to_be_returned,
  CASE WHEN is_deleted OR erekz OR NOT repos THEN 0
    ELSE greatest(CASE WHEN elikz AND wepos THEN delivered ELSE menge END - invoiced, 0) END AS to_be_invoiced,
  CASE WHEN is_deleted OR erekz OR NOT repos THEN 0
    ELSE greatest(delivered - invoiced, 0) END AS received_not_invoiced,
  -- What one order unit is worth, as a fraction: NETWR / MENGE or, of an item without a quantity, its price.
  CASE WHEN menge <> 0 THEN netwr ELSE CAST(netpr * price_units AS DECIMAL(15,2)) END AS worth,
  CASE WHEN menge <> 0 THEN menge ELSE CAST(price_per * order_units AS DECIMAL(13,3)) END AS worth_per
FROM purchase_order_items;

-- Amounts are computed as SAP stores them, where 0.01 is the smallest unit of every currency: so they are rounded once, to
-- the decimals of their currency, and then shifted once.
CREATE MATERIALIZED VIEW silver.purchase_order (
  CONSTRAINT one_item EXPECT UNIQUE (client, purchase_order, item) ON VIOLATION FAIL UPDATE,
  CONSTRAINT has_header EXPECT (has_header),
  CONSTRAINT has_currency EXPECT (order_currency IS NOT NULL),
  CONSTRAINT schedule_matches EXPECT (schedule_matches),
  CONSTRAINT value_matches EXPECT (value_matches),
  CONSTRAINT receipts_match EXPECT (receipts_match)
) AS
SELECT i.client, i.ebeln AS purchase_order, i.ebelp AS item, i.ebelp AS purchase_order_item,
  i.bstyp AS document_category, i.werks AS plant, w.name1 AS plant_name,
  i.matnr AS material, CASE WHEN i.matnr IS NULL THEN i.txz01 ELSE t.maktx END AS material_name, t.text_language,
  i.matkl AS material_group, g.wgbez AS material_group_description,

  CAST(i.menge AS DECIMAL(18,3)) AS order_quantity,
  CAST(i.scheduled AS DECIMAL(18,3)) AS scheduled_quantity,
  CAST(i.delivered AS DECIMAL(18,3)) AS delivered_quantity,
  CAST(i.to_be_delivered AS DECIMAL(18,3)) AS quantity_to_be_delivered,
  CAST(i.to_be_returned AS DECIMAL(18,3)) AS quantity_to_be_returned,
  CAST(greatest(i.delivered - i.menge, 0) AS DECIMAL(18,3)) AS over_delivered_quantity,
  CAST(i.receipt_blocked AS DECIMAL(18,3)) AS receipt_blocked_quantity,
  CAST(i.invoiced AS DECIMAL(18,3)) AS invoiced_quantity,
  CAST(i.to_be_invoiced AS DECIMAL(18,3)) AS quantity_to_be_invoiced,
  CAST(i.received_not_invoiced AS DECIMAL(18,3)) AS received_not_invoiced_quantity,
  i.next_date AS next_schedule_line_date, i.first_date AS first_schedule_line_date,
  i.last_date AS last_schedule_line_date, i.last_receipt_date AS last_goods_receipt_date,

  CAST(sap_curr(CAST(i.netpr AS DECIMAL(18,5)), i.decimals) AS DECIMAL(18,5)) AS net_order_price, i.price_per,
  i.meins AS order_unit, i.bprme AS price_unit,
  CAST(sap_curr(i.netwr, i.decimals, scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS net_order_value,
  CAST(sap_curr(CAST(i.worth / i.worth_per AS DECIMAL(18,9)), i.decimals) AS DECIMAL(18,9)) AS unit_value,
  CAST(sap_curr(CAST(round(i.to_be_delivered * i.worth / i.worth_per, 2) AS DECIMAL(15,2)), i.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS value_to_be_delivered,
  CAST(sap_curr(CAST(round(i.to_be_invoiced * i.worth / i.worth_per, 2) AS DECIMAL(15,2)), i.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS value_to_be_invoiced,
  CAST(sap_curr(CAST(round(i.received_not_invoiced * i.worth / i.worth_per, 2) AS DECIMAL(15,2)), i.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS received_not_invoiced_value,
  CAST(sap_curr(i.received_value, i.decimals, scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS received_value,
  CAST(sap_curr(i.invoiced_value, i.decimals, scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS invoiced_value,
  i.waers AS order_currency, c.waers AS local_currency,
  i.wkurs AS document_rate, -- below 0 where it divides
  CAST(CASE WHEN i.wkurs < 0 THEN 1 / abs(i.wkurs) ELSE i.wkurs END AS DECIMAL(18,9)) AS exchange_rate,

  i.bedat AS order_date, i.aedat AS created_on, i.ernam AS created_by, i.statu AS order_status,
  i.procstat AS release_status,
  CASE WHEN i.is_deleted THEN 'deleted' WHEN i.is_blocked THEN 'blocked' WHEN i.to_be_delivered > 0 THEN 'open'
    ELSE 'closed' END AS po_status,
  CASE WHEN NOT i.wepos THEN 'not_relevant'
    WHEN i.delivered < i.menge AND i.elikz THEN 'short_closed'
    WHEN i.delivered = 0 THEN 'not_delivered'
    WHEN i.delivered < i.menge THEN 'partial'
    WHEN i.delivered = i.menge THEN 'complete'
    ELSE 'over_delivered' END AS delivery_status,
  CASE WHEN NOT i.repos THEN 'not_relevant' WHEN i.erekz OR i.to_be_invoiced = 0 THEN 'complete'
    WHEN i.invoiced > 0 THEN 'partial' ELSE 'none' END AS invoice_status,
  upper(i.bsart) AS order_type, ty.batxt AS order_type_text,
  coalesce(pt.po_type, 'other') AS po_type, coalesce(ps.po_sub_type, 'other') AS po_sub_type,
  CASE WHEN pt.po_type = 'sto' OR i.reswk IS NOT NULL THEN 'Internal Mfg' ELSE 'External Mfg' END AS sourcing_type,
  i.ekgrp AS purchasing_group, pg.eknam AS purchasing_group_name,
  i.ekorg AS purchasing_organization, po.ekotx AS purchasing_organization_name,
  i.infnr AS purchasing_info_record, i.lgort AS storage_location, i.lifnr AS supplier_id, s.name1 AS supplier_name,
  i.reswk AS supplying_plant, sw.name1 AS supplying_plant_name, i.bukrs AS company_code, c.butxt AS company_name,
  i.is_deleted, i.retpo AS is_return, i.netwr = 0 AS is_free,

  i.has_header,
  coalesce(i.bstyp, '') <> 'F' OR NOT i.has_schedule OR i.scheduled = i.menge AS schedule_matches,
  i.netwr = 0 OR coalesce(i.pstyp IN ('1', '9'), false)
    OR abs(i.netwr - CAST(i.menge * i.price_units AS DECIMAL(18,3)) * i.netpr / (i.order_units * i.price_per)) <= 0.01 AS value_matches,
  NOT i.has_schedule OR i.delivered = i.received_by_history AS receipts_match,
  i._load_ts, i._file_row AS _source_seq, i._file_name AS _source_file
FROM open_quantities AS i
LEFT JOIN extract.t001 AS c ON c.client = i.client AND c.bukrs = i.bukrs
LEFT JOIN extract.t001w AS w ON w.client = i.client AND w.werks = i.werks
LEFT JOIN extract.t001w AS sw ON sw.client = i.client AND sw.werks = i.reswk
LEFT JOIN extract.lfa1 AS s ON s.client = i.client AND s.lifnr = i.lifnr
LEFT JOIN extract.t024 AS pg ON pg.client = i.client AND pg.ekgrp = i.ekgrp
LEFT JOIN extract.t024e AS po ON po.client = i.client AND po.ekorg = i.ekorg
LEFT JOIN makt_text AS t ON t.client = i.client AND t.matnr = i.matnr
LEFT JOIN t023t_text AS g ON g.client = i.client AND g.matkl = i.matkl
LEFT JOIN t161t_text AS ty ON ty.client = i.client AND ty.bsart = upper(i.bsart) AND ty.bstyp = i.bstyp
LEFT JOIN settings.po_type_map AS pt ON pt.bsart = upper(i.bsart)
LEFT JOIN settings.po_sub_type_map AS ps ON ps.pstyp = coalesce(i.pstyp, '0');

-- Schedule lines with what was there by their date, for on time in full: lines of an item in order of date, receipts counted
-- over the item.
CREATE TEMPORARY VIEW schedule_lines AS
SELECT client, ebeln, ebelp, etenr, menge, coalesce(${purchase_due_date}, eindt) AS due_date,
  CAST(sum(menge) OVER (PARTITION BY client, ebeln, ebelp ORDER BY coalesce(${purchase_due_date}, eindt), etenr) AS DECIMAL(13,3)) AS scheduled_until
FROM extract.eket;

CREATE TEMPORARY VIEW receipts AS
SELECT client, ebeln, ebelp, budat,
  CAST(sum(sum(CASE shkzg WHEN 'H' THEN -menge ELSE menge END)) OVER (PARTITION BY client, ebeln, ebelp ORDER BY budat) AS DECIMAL(13,3)) AS received_until
FROM extract.ekbe
WHERE vgabe = '1'
GROUP BY client, ebeln, ebelp, budat;

CREATE MATERIALIZED VIEW silver.purchase_schedule_line (
  CONSTRAINT one_line EXPECT UNIQUE (client, purchase_order, item, schedule_line) ON VIOLATION FAIL UPDATE
) AS
SELECT l.client, l.ebeln AS purchase_order, l.ebelp AS item, l.etenr AS schedule_line, l.due_date,
  CAST(l.menge AS DECIMAL(18,3)) AS scheduled_quantity, CAST(l.scheduled_until AS DECIMAL(18,3)) AS scheduled_until,
  CAST(coalesce(max_by(r.received_until, r.budat) FILTER (WHERE r.budat <= date_add(l.due_date, ${purchase_tolerance_days})), 0)
    AS DECIMAL(18,3)) AS received_by_due_date,
  min(r.budat) FILTER (WHERE r.received_until >= l.scheduled_until) AS completed_on
FROM schedule_lines AS l
LEFT JOIN receipts AS r ON r.client = l.client AND r.ebeln = l.ebeln AND r.ebelp = l.ebelp
GROUP BY l.client, l.ebeln, l.ebelp, l.etenr, l.due_date, l.menge, l.scheduled_until;
