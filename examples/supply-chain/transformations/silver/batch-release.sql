-- Inspection lots of supplied and of own goods: sections 3.15 and 3.16. A lot is in one of the two tables or in none, by its origin.
-- Cancelled lots stay in: only their system status (JEST) would tell them, and it is not among the extracts.

CREATE TEMPORARY VIEW lot_decisions AS
SELECT * FROM extract.qave
WHERE kzart = 'L' -- the decision on the lot; others are on parts of it
QUALIFY row_number() OVER (PARTITION BY client, prueflos ORDER BY zaehler DESC) = 1;

CREATE TEMPORARY VIEW released_lots AS
SELECT q.client, q.prueflos AS inspection_lot, q.werk AS plant, w.name1 AS plant_desc,
  q.art AS inspection_type, it.kurztext AS inspection_type_desc,
  q.herkunft AS inspection_type_origin, io.herktxt AS inspection_type_origin_desc,
  q.lagortchrg AS storage_location, l.lgobe AS storage_location_desc, q.matnr AS material, q.charg AS batch,
  if('${batch_level}' = 'plant', q.werk, '') AS batch_plant,
  q.lichn AS supplier_batch, q.lifnr AS supplier_number, s.name1 AS supplier_name, q.ebeln AS purchase_order,
  m.matkl AS material_group, g.wgbez60 AS material_group_description,
  m.mtart AS material_type, mt.mtbez AS material_type_description,
  b.ersda AS batch_creation_date, b.vfdat AS shelf_life_expiration_date, b.hsdat AS date_of_manufacture,
  q.ersteldat AS inspection_lot_created_on, q.aenderdat AS inspection_lot_changed_on,
  p.webaz AS planned_gr_processing_time_in_days, q.pastrterm AS scheduled_start_date, q.paendterm AS scheduled_end_date,
  CAST(q.losmenge AS DECIMAL(18,3)) AS inspection_lot_qty, CAST(q.lmengeist AS DECIMAL(18,3)) AS actual_lot_qty,
  CAST(q.lmengesch AS DECIMAL(18,3)) AS defective_qty, q.mengeneinh AS lot_unit,
  CAST(q.lmengepr AS DECIMAL(18,3)) AS inspected_qty, q.einhprobe AS sample_unit, -- in units of its own
  d.vcode AS ud_code, d.vbewertung AS ud_valuation, d.vname AS ud_made_by, d.vdatum AS ud_made_on,
  datediff(d.vdatum, q.ersteldat) AS release_days, d.vdatum IS NULL AS is_open,
  d.vdatum <= q.paendterm AS released_on_time, o.release,
  q._load_ts, q._file_row AS _source_seq, q._file_name AS _source_file
FROM extract.qals AS q
LEFT JOIN settings.inspection_origin_map AS o ON o.herkunft = q.herkunft
LEFT JOIN extract.t001w AS w ON w.client = q.client AND w.werks = q.werk
LEFT JOIN tq30t_text AS it ON it.client = q.client AND it.art = q.art
LEFT JOIN tq31t_text AS io ON io.client = q.client AND io.herkunft = q.herkunft
LEFT JOIN extract.t001l AS l ON l.client = q.client AND l.werks = q.werk AND l.lgort = q.lagortchrg
LEFT JOIN extract.mara AS m ON m.client = q.client AND m.matnr = q.matnr
LEFT JOIN t023t_text AS g ON g.client = m.client AND g.matkl = m.matkl
LEFT JOIN t134t_text AS mt ON mt.client = m.client AND mt.mtart = m.mtart
LEFT JOIN batches AS b ON b.client = q.client AND b.matnr = q.matnr AND b.charg = q.charg
  AND b.plant = if('${batch_level}' = 'plant', q.werk, '')
LEFT JOIN extract.marc AS p ON p.client = q.client AND p.matnr = q.matnr AND p.werks = q.werk
LEFT JOIN extract.lfa1 AS s ON s.client = q.client AND s.lifnr = q.lifnr
LEFT JOIN lot_decisions AS d ON d.client = q.client AND d.prueflos = q.prueflos;

-- Lots of other origins are in neither table, and counted here.
CREATE TEMPORARY VIEW supplied_lots (
  CONSTRAINT of_an_origin EXPECT (release IS NOT NULL) ON VIOLATION DROP ROW
) AS SELECT * FROM released_lots WHERE release IS NULL OR release = 'external';

CREATE MATERIALIZED VIEW silver.batch_release_external (
  CONSTRAINT one_lot EXPECT UNIQUE (client, inspection_lot) ON VIOLATION FAIL UPDATE
) AS SELECT * EXCEPT (release) FROM supplied_lots;

CREATE MATERIALIZED VIEW silver.batch_release_internal (
  CONSTRAINT one_lot EXPECT UNIQUE (client, inspection_lot) ON VIOLATION FAIL UPDATE
) AS SELECT * EXCEPT (release) FROM released_lots WHERE release = 'internal';
