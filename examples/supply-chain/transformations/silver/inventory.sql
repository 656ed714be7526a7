-- Stock as it is: section 3.13. Of a batch material MCHB counts, of others MARD; the two are never added.

-- What one unit costs now, in the currency of the valuation area's company, as SAP stores amounts.
CREATE TEMPORARY VIEW valuation_areas AS
SELECT k.client, k.bwkey, c.bukrs AS company_code, c.waers AS currency, coalesce(x.currdec, 2) AS decimals,
  coalesce(c.periv, 'K4') LIKE 'K%' AS is_calendar_period
FROM extract.t001k AS k
JOIN extract.t001 AS c ON c.client = k.client AND c.bukrs = k.bukrs
LEFT JOIN extract.tcurx AS x ON x.currkey = c.waers;

CREATE TEMPORARY VIEW stock_rows AS
SELECT s.client, s.matnr AS material, s.werks AS plant, s.lgort AS storage_location, s.charg AS batch,
  'batch' AS stock_category, '' AS owner, s.clabs AS unrestricted, s.cinsm AS quality, s.cspem AS blocked,
  s.ceinm AS restricted, s.cumlm AS in_transfer, CAST(0 AS DECIMAL(13,3)) AS transit, s.cretm AS returns,
  s._load_ts, s._file_row, s._file_name
FROM extract.mchb AS s
UNION ALL
SELECT s.client, s.matnr, s.werks, s.lgort, '', 'non_batch', '', s.labst, s.insme, s.speme, s.einme, s.umlme, 0, s.retme,
  s._load_ts, s._file_row, s._file_name
FROM extract.mard AS s
LEFT JOIN extract.marc AS p ON p.client = s.client AND p.matnr = s.matnr AND p.werks = s.werks
LEFT JOIN extract.mara AS m ON m.client = s.client AND m.matnr = s.matnr
WHERE NOT coalesce(p.xchar, m.xchpf, false)
UNION ALL
SELECT client, matnr, werks, '', charg, 'vendor', lifnr, lblab, lbins, 0, lbein, lbuml, 0, 0,
  _load_ts, _file_row, _file_name
FROM extract.mslb
WHERE sobkz = 'O'
UNION ALL
SELECT client, matnr, werks, '', '', 'transit', '', 0, 0, 0, 0, 0, CAST(umlmc + trame AS DECIMAL(13,3)), 0,
  _load_ts, _file_row, _file_name
FROM extract.marc
WHERE umlmc <> 0 OR trame <> 0;

-- MARD has the sum of a material's batches too: what both say must be the same.
CREATE TEMPORARY VIEW batch_totals AS
SELECT b.client, b.matnr, b.werks, b.lgort,
  sum(b.clabs + b.cinsm + b.cspem + b.ceinm + b.cumlm) = max(d.labst + d.insme + d.speme + d.einme + d.umlme) AS batches_match
FROM extract.mchb AS b
JOIN extract.mard AS d ON d.client = b.client AND d.matnr = b.matnr AND d.werks = b.werks AND d.lgort = b.lgort
GROUP BY b.client, b.matnr, b.werks, b.lgort;

CREATE TEMPORARY VIEW valued_stock AS
SELECT s.*, w.name1 AS plant_description, w.bwkey, a.company_code, a.currency, coalesce(a.decimals, 2) AS decimals,
  CAST(coalesce(nullif(v.peinh, 0), 1) AS DECIMAL(5,0)) AS price_per,
  CASE v.vprsv WHEN 'S' THEN v.stprs ELSE v.verpr END AS price, v.salk3,
  s.unrestricted + s.quality + s.blocked + s.restricted + s.in_transfer + s.transit AS total
FROM stock_rows AS s
LEFT JOIN extract.t001w AS w ON w.client = s.client AND w.werks = s.plant
LEFT JOIN valuation_areas AS a ON a.client = w.client AND a.bwkey = w.bwkey
-- Of split valuation the row without a type is the average.
LEFT JOIN extract.mbew AS v ON v.client = s.client AND v.matnr = s.material AND v.bwkey = w.bwkey AND v.bwtar = '';

-- What all own stock of a valuation area is worth, against MBEW-SALK3: a cent a row may be lost to rounding.
CREATE TEMPORARY VIEW area_totals AS
SELECT client, material, bwkey, abs(sum(round(total * price / price_per, 2)) - max(salk3)) <= 0.01 * count(*) AS value_matches
FROM valued_stock
GROUP BY client, material, bwkey;

CREATE MATERIALIZED VIEW silver.inventory (
  CONSTRAINT one_stock EXPECT UNIQUE (client, material, plant, storage_location, batch, stock_category, owner) ON VIOLATION FAIL UPDATE,
  CONSTRAINT not_negative EXPECT (least(unrestricted_qty, quality_inspection_qty, blocked_qty, restricted_qty, in_transfer_qty, transit_qty, returns_qty) >= 0),
  CONSTRAINT batches_match EXPECT (batches_match),
  CONSTRAINT value_matches EXPECT (value_matches)
) AS
SELECT s.client, s.material, s.plant, s.storage_location, s.batch, s.stock_category, s.owner,
  t.maktx AS material_description, m.bismt AS old_material_number, m.matkl AS product_group, m.mtart AS product_type,
  m.meins AS base_unit, s.plant_description, s.company_code, s.currency AS display_currency,
  if('${batch_level}' = 'plant', s.plant, '') AS batch_plant, b.licha AS supplier_batch, b.lifnr AS supplier,
  l.name1 AS supplier_name, b.hsdat AS manufacture_date,
  b.vfdat AS shelf_life_expiration_date, p.plifz AS mrp_lead_time, p.webaz AS gr_processing_time,
  CAST(p.eisbe AS DECIMAL(18,3)) AS safety_stock, -- of the plant: never a sum over its rows
  CAST(s.unrestricted AS DECIMAL(18,3)) AS unrestricted_qty,
  CAST(s.quality AS DECIMAL(18,3)) AS quality_inspection_qty,
  CAST(s.blocked AS DECIMAL(18,3)) AS blocked_qty,
  CAST(s.restricted AS DECIMAL(18,3)) AS restricted_qty,
  CAST(s.in_transfer AS DECIMAL(18,3)) AS in_transfer_qty,
  CAST(s.transit AS DECIMAL(18,3)) AS transit_qty,
  CAST(s.returns AS DECIMAL(18,3)) AS returns_qty,
  CAST(s.unrestricted + s.quality AS DECIMAL(18,3)) AS available_stock_qty,
  CAST(s.unrestricted AS DECIMAL(18,3)) AS usable_stock_qty,
  CAST(s.total AS DECIMAL(18,3)) AS total_stock_qty,
  CAST(sap_curr(CAST(s.price / s.price_per AS DECIMAL(18,5)), s.decimals) AS DECIMAL(18,5)) AS unit_cost,
  CAST(sap_curr(CAST(round(s.unrestricted * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS unrestricted_value,
  CAST(sap_curr(CAST(round(s.quality * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS quality_inspection_value,
  CAST(sap_curr(CAST(round(s.blocked * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS blocked_value,
  CAST(sap_curr(CAST(round(s.restricted * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS restricted_value,
  CAST(sap_curr(CAST(round(s.in_transfer * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS in_transfer_value,
  CAST(sap_curr(CAST(round(s.transit * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS transit_value,
  CAST(sap_curr(CAST(round(s.returns * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS returns_value,
  CAST(sap_curr(CAST(round(s.total * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS total_stock_value,
  CAST(sap_curr(CAST(round((s.unrestricted + s.quality) * s.price / s.price_per, 2) AS DECIMAL(15,2)), s.decimals,
    scale => ${amount_scale}) AS DECIMAL(18,${amount_scale})) AS available_stock_value,
  coalesce(m.lvorm, false) OR coalesce(p.lvorm, false) AS is_deleted,
  coalesce(bt.batches_match, true) OR s.stock_category <> 'batch' AS batches_match,
  coalesce(at.value_matches, true) AS value_matches,
  s._load_ts, s._file_row AS _source_seq, s._file_name AS _source_file
FROM valued_stock AS s
LEFT JOIN extract.mara AS m ON m.client = s.client AND m.matnr = s.material
LEFT JOIN makt_text AS t ON t.client = s.client AND t.matnr = s.material
LEFT JOIN batches AS b ON b.client = s.client AND b.matnr = s.material AND b.charg = s.batch
  AND b.plant = if('${batch_level}' = 'plant', s.plant, '')
LEFT JOIN extract.lfa1 AS l ON l.client = b.client AND l.lifnr = b.lifnr
LEFT JOIN extract.marc AS p ON p.client = s.client AND p.matnr = s.material AND p.werks = s.plant
LEFT JOIN batch_totals AS bt ON bt.client = s.client AND bt.matnr = s.material AND bt.werks = s.plant AND bt.lgort = s.storage_location
LEFT JOIN area_totals AS at ON at.client = s.client AND at.material = s.material AND at.bwkey = s.bwkey;
