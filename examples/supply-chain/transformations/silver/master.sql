-- Customers, places, materials, batches, suppliers: sections 3.1 to 3.8.

-- A market is a customer of the planning system.
CREATE MATERIALIZED VIEW silver.customer (
  CONSTRAINT one_market EXPECT UNIQUE (client, market) ON VIOLATION FAIL UPDATE,
  CONSTRAINT latitude EXPECT (latitude IS NULL OR latitude BETWEEN -90 AND 90),
  CONSTRAINT longitude EXPECT (longitude IS NULL OR longitude BETWEEN -180 AND 180)
) AS
SELECT client, customer_id AS market, customer_description AS market_description, customer_region AS market_region,
  customer_country_region AS market_sub_region, demand_type, demand_sub_type, latitude,
  coalesce(longitude, longttitude) AS longitude, -- the source misspells its header
  _load_ts, _file_row AS _source_seq, _file_name AS _source_file
FROM extract.master_customer;

CREATE MATERIALIZED VIEW silver.customer_product (
  CONSTRAINT one_row EXPECT UNIQUE (client, market, material) ON VIOLATION FAIL UPDATE,
  CONSTRAINT known_market EXPECT (is_known_market),
  CONSTRAINT known_material EXPECT (is_known_material)
) AS
SELECT p.client, p.customer_id AS market, p.product_id AS material, p.market_segment,
  p.remaining_shelf_life, -- days
  c.market IS NOT NULL AS is_known_market, m.matnr IS NOT NULL AS is_known_material,
  p._load_ts, p._file_row AS _source_seq, p._file_name AS _source_file
FROM extract.master_customer_product AS p
LEFT JOIN silver.customer AS c ON c.client = p.client AND c.market = p.customer_id
LEFT JOIN extract.mara AS m ON m.client = p.client AND m.matnr = p.product_id;

CREATE TEMPORARY VIEW planned_locations AS
SELECT l.*, coalesce(m.plant, l.location_id) AS plant
FROM extract.master_location AS l
LEFT JOIN settings.location_map AS m ON m.location_id = l.location_id;

-- Plants that the planning system does not know are added, so that no fact loses its plant.
CREATE MATERIALIZED VIEW silver.location (
  CONSTRAINT one_plant EXPECT UNIQUE (client, plant) ON VIOLATION FAIL UPDATE,
  CONSTRAINT latitude EXPECT (latitude IS NULL OR latitude BETWEEN -90 AND 90),
  CONSTRAINT longitude EXPECT (longitude IS NULL OR longitude BETWEEN -180 AND 180)
) AS
SELECT client, plant, location_description AS plant_description, location_region AS plant_region,
  location_type AS plant_type, latitude, coalesce(longitude, longttitude) AS longitude, 'IBP' AS source,
  _load_ts, _file_row AS _source_seq, _file_name AS _source_file
FROM planned_locations
UNION ALL
SELECT w.client, w.werks, w.name1, w.land1, 'plant', NULL, NULL, 'T001W', w._load_ts, w._file_row AS _source_seq, w._file_name AS _source_file
FROM extract.t001w AS w
LEFT ANTI JOIN planned_locations AS l ON l.client = w.client AND l.plant = w.werks;

CREATE MATERIALIZED VIEW silver.location_product (
  CONSTRAINT one_row EXPECT UNIQUE (client, plant, material) ON VIOLATION FAIL UPDATE
) AS
SELECT p.client, coalesce(m.plant, p.location_id) AS plant, p.product_id AS material, p.material_description,
  p.plant_exclusion_x AS plant_exclusion,
  p.market_dc_x AS market_dc, -- the plant is a distribution centre of its market for the material
  p._load_ts, p._file_row AS _source_seq, p._file_name AS _source_file
FROM extract.master_location_product AS p
LEFT JOIN settings.location_map AS m ON m.location_id = p.location_id;

CREATE MATERIALIZED VIEW silver.product (
  CONSTRAINT one_material EXPECT UNIQUE (client, material) ON VIOLATION FAIL UPDATE
) AS
SELECT m.client, m.matnr AS material, t.maktx AS material_description, t.maktg AS material_description_2,
  coalesce(t.maktx, m.matnr) AS material_label, -- what a visual shows
  m.mtart AS material_type, mt.mtbez AS material_type_description,
  m.matkl AS material_group, coalesce(g.wgbez60, g.wgbez) AS material_group_description,
  m.meins AS base_unit_of_measure, m.vpsta AS complete_status, m.pstat AS maintenance_status,
  m.mstae AS xplant_status, m.bismt AS old_material_number, m.xchpf AS is_batch_managed,
  m.mhdhb * d.days AS total_shelf_life_days, m.mhdrz * d.days AS min_remaining_shelf_life_days,
  m.lvorm AS is_deleted, t.text_language, m._load_ts, m._file_row AS _source_seq, m._file_name AS _source_file
FROM extract.mara AS m
LEFT JOIN makt_text AS t ON t.client = m.client AND t.matnr = m.matnr
LEFT JOIN t134t_text AS mt ON mt.client = m.client AND mt.mtart = m.mtart
LEFT JOIN t023t_text AS g ON g.client = m.client AND g.matkl = m.matkl
-- IPRKZ: the unit of both shelf lives
LEFT JOIN (VALUES ('', 1), ('1', 7), ('2', 30), ('3', 365)) AS d (iprkz, days) ON d.iprkz = coalesce(m.iprkz, '');

-- Batch numbers are unique within a material, or as `batch_level` says; `plant` is blank unless they are a plant's.
CREATE MATERIALIZED VIEW silver.batch (
  CONSTRAINT one_batch EXPECT UNIQUE (client, material, plant, batch) ON VIOLATION FAIL UPDATE,
  CONSTRAINT one_in_the_client EXPECT (is_unique_in_client OR '${batch_level}' <> 'client'),
  CONSTRAINT made_before_it_expires EXPECT (expiration_date IS NULL OR manufacturing_date IS NULL OR expiration_date >= manufacturing_date)
) AS
SELECT b.client, b.matnr AS material, b.plant, b.charg AS batch, b.vfdat AS expiration_date, b.hsdat AS manufacturing_date,
  b.qndat AS next_inspection_date, b.lwedt AS last_goods_receipt_date, b.licha AS supplier_batch,
  b.lifnr AS supplier_number, s.name1 AS supplier_name, b.ersda AS created_on, b.ernam AS created_by,
  b.laeda AS changed_on, b.aenam AS changed_by, coalesce(b.zustd = 'X', false) AS is_restricted,
  b.lvorm AS is_deleted, count(*) OVER (PARTITION BY b.client, b.charg) = 1 AS is_unique_in_client,
  b._load_ts, b._file_row AS _source_seq, b._file_name AS _source_file
FROM batches AS b
LEFT JOIN extract.lfa1 AS s ON s.client = b.client AND s.lifnr = b.lifnr;

CREATE MATERIALIZED VIEW silver.supplier (
  CONSTRAINT one_supplier EXPECT UNIQUE (client, supplier_number) ON VIOLATION FAIL UPDATE
) AS
SELECT client, lifnr AS supplier_number, name1 AS supplier_name, land1 AS country_region_key, ort01 AS city,
  pstlz AS postal_code, pstl2 AS po_box_postal_code, pfach AS po_box, stras AS street, adrnr AS address_number,
  erdat AS created_on, ernam AS created_by, ktokk AS account_group, loevm AS is_deleted, sperm OR sperr AS is_blocked,
  _load_ts, _file_row AS _source_seq, _file_name AS _source_file
FROM extract.lfa1;

-- What is agreed with each purchasing organization; a supplier has as many rows as it has roles.
CREATE MATERIALIZED VIEW silver.supplier_purchasing (
  CONSTRAINT one_role EXPECT UNIQUE (client, supplier_number, purchasing_org) ON VIOLATION FAIL UPDATE
) AS
SELECT client, lifnr AS supplier_number, ekorg AS purchasing_org, waers AS order_currency, zterm AS terms_of_payment,
  inco1 AS incoterms, plifz AS planned_delivery_days, loevm AS is_deleted, sperm AS is_blocked,
  _load_ts, _file_row AS _source_seq, _file_name AS _source_file
FROM extract.lfm1;

CREATE MATERIALIZED VIEW silver.supplier_company (
  CONSTRAINT one_role EXPECT UNIQUE (client, supplier_number, company_code) ON VIOLATION FAIL UPDATE
) AS
SELECT client, lifnr AS supplier_number, bukrs AS company_code, intad AS supplier_email, loevm AS is_deleted,
  sperr AS is_blocked, _load_ts, _file_row AS _source_seq, _file_name AS _source_file
FROM extract.lfb1;

CREATE MATERIALIZED VIEW silver.storage (
  CONSTRAINT one_location EXPECT UNIQUE (client, plant, storage_location) ON VIOLATION FAIL UPDATE
) AS
SELECT l.client, l.werks AS plant, l.lgort AS storage_location, l.lgobe AS storage_description, w.name1 AS plant_name,
  l._load_ts, l._file_row AS _source_seq, l._file_name AS _source_file
FROM extract.t001l AS l
LEFT JOIN extract.t001w AS w ON w.client = l.client AND w.werks = l.werks;
