-- Codes of one company, and what the reports ask for: small files that people edit, no code.

CREATE PRIVATE MATERIALIZED VIEW settings.po_type_map (
  CONSTRAINT one_type EXPECT UNIQUE (bsart) ON VIOLATION FAIL UPDATE
) AS SELECT * FROM read_files('${settings}/po_type_map.csv', format => 'csv', header => true, schema => 'bsart STRING, po_type STRING');

CREATE PRIVATE MATERIALIZED VIEW settings.po_sub_type_map (
  CONSTRAINT one_sub_type EXPECT UNIQUE (pstyp) ON VIOLATION FAIL UPDATE
) AS SELECT * FROM read_files('${settings}/po_sub_type_map.csv', format => 'csv', header => true, schema => 'pstyp STRING, po_sub_type STRING');

-- Which inspection lots are of supplied goods, and which of own production.
CREATE PRIVATE MATERIALIZED VIEW settings.inspection_origin_map (
  CONSTRAINT one_release EXPECT UNIQUE (herkunft) ON VIOLATION FAIL UPDATE
) AS SELECT * FROM read_files('${settings}/inspection_origin_map.csv', format => 'csv', header => true, schema => 'herkunft STRING, release STRING');

-- Locations of the planning system whose ids are not those of SAP's plants.
CREATE PRIVATE MATERIALIZED VIEW settings.location_map (
  CONSTRAINT one_plant EXPECT UNIQUE (location_id) ON VIOLATION FAIL UPDATE
) AS SELECT * FROM read_files('${settings}/location_map.csv', format => 'csv', header => true, schema => 'location_id STRING, plant STRING');
