-- Pattern 2: the newest state of each key, the client always in it. A change counts by transaction, unit and record of the
-- queue, and not by ODQ_ENTITYCNTR, which is a counter; before images (U with -1) say nothing new, and what is no known
-- operation is never taken for an update.

-- Sales order headers
CREATE TEMPORARY VIEW vbak_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (mandt IS NOT NULL AND vbeln IS NOT NULL) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, vbeln, kunnr, sap_date(vdatu) AS vdatu, sap_curr(sap_number(netwr, 15, 2), waerk) AS netwr, waerk,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.vbak
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE vbak_cur CLUSTER BY (mandt, vbeln);

CREATE FLOW vbak_cur AS AUTO CDC INTO vbak_cur FROM STREAM(vbak_cdf)
KEYS (mandt, vbeln) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- Sales order items
CREATE TEMPORARY VIEW vbap_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (
    mandt IS NOT NULL AND vbeln IS NOT NULL AND posnr IS NOT NULL
  ) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, vbeln, posnr, matnr, werks, abgru, sap_number(kwmeng, 15, 3) AS kwmeng, meins,
  sap_number(umvkz, 5, 0) AS umvkz, sap_number(umvkn, 5, 0) AS umvkn,
  sap_curr(sap_number(netwr, 15, 2), waerk) AS netwr, waerk,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.vbap
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE vbap_cur CLUSTER BY (mandt, vbeln, posnr);

CREATE FLOW vbap_cur AS AUTO CDC INTO vbap_cur FROM STREAM(vbap_cdf)
KEYS (mandt, vbeln, posnr) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- Partners of sales orders
CREATE TEMPORARY VIEW vbpa_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (
    mandt IS NOT NULL AND vbeln IS NOT NULL AND posnr IS NOT NULL AND parvw IS NOT NULL
  ) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, vbeln, posnr, parvw, kunnr,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.vbpa
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE vbpa_cur CLUSTER BY (mandt, vbeln, posnr, parvw);

CREATE FLOW vbpa_cur AS AUTO CDC INTO vbpa_cur FROM STREAM(vbpa_cdf)
KEYS (mandt, vbeln, posnr, parvw) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- Business data of sales orders
CREATE TEMPORARY VIEW vbkd_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (
    mandt IS NOT NULL AND vbeln IS NOT NULL AND posnr IS NOT NULL
  ) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, vbeln, posnr, zterm, inco1,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.vbkd
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE vbkd_cur CLUSTER BY (mandt, vbeln, posnr);

CREATE FLOW vbkd_cur AS AUTO CDC INTO vbkd_cur FROM STREAM(vbkd_cdf)
KEYS (mandt, vbeln, posnr) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- What followed sales orders and deliveries
CREATE TEMPORARY VIEW vbfa_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (
    mandt IS NOT NULL AND vbelv IS NOT NULL AND posnv IS NOT NULL AND vbeln IS NOT NULL AND posnn IS NOT NULL AND vbtyp_n IS NOT NULL
  ) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, vbelv, posnv, vbeln, posnn, vbtyp_n, sap_number(rfmng, 15, 3) AS rfmng, meins, plmin, stufe,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.vbfa
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE vbfa_cur CLUSTER BY (mandt, vbelv, posnv, vbeln);

CREATE FLOW vbfa_cur AS AUTO CDC INTO vbfa_cur FROM STREAM(vbfa_cdf)
KEYS (mandt, vbelv, posnv, vbeln, posnn, vbtyp_n) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- Statuses of documents
CREATE TEMPORARY VIEW vbuk_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (mandt IS NOT NULL AND vbeln IS NOT NULL) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, vbeln, gbstk,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.vbuk
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE vbuk_cur CLUSTER BY (mandt, vbeln);

CREATE FLOW vbuk_cur AS AUTO CDC INTO vbuk_cur FROM STREAM(vbuk_cdf)
KEYS (mandt, vbeln) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- Statuses of items
CREATE TEMPORARY VIEW vbup_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (
    mandt IS NOT NULL AND vbeln IS NOT NULL AND posnr IS NOT NULL
  ) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, vbeln, posnr, gbsta,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.vbup
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE vbup_cur CLUSTER BY (mandt, vbeln, posnr);

CREATE FLOW vbup_cur AS AUTO CDC INTO vbup_cur FROM STREAM(vbup_cdf)
KEYS (mandt, vbeln, posnr) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- Names of materials, by language
CREATE TEMPORARY VIEW makt_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (
    mandt IS NOT NULL AND matnr IS NOT NULL AND spras IS NOT NULL
  ) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, matnr, spras, maktx, maktg,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.makt
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE makt_cur CLUSTER BY (mandt, matnr, spras);

CREATE FLOW makt_cur AS AUTO CDC INTO makt_cur FROM STREAM(makt_cdf)
KEYS (mandt, matnr, spras) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;

-- Customers
CREATE TEMPORARY VIEW kna1_cdf (
  CONSTRAINT known_operation EXPECT (coalesce(odq_changemode, '') IN ('', 'C', 'U', 'D')) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (mandt IS NOT NULL AND kunnr IS NOT NULL) ON VIOLATION QUARANTINE ROW
)
AS SELECT
  mandt, kunnr, name1, land1,
  odq_changemode, struct(odq_tsn, CAST(odq_unitno AS INT), CAST(odq_recordno AS INT)) AS changed,
  try_to_timestamp(substr(odq_tsn, 1, 14), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM bronze.kna1
WHERE NOT (coalesce(odq_changemode, '') = 'U' AND odq_entitycntr = '-1');

CREATE STREAMING TABLE kna1_cur CLUSTER BY (mandt, kunnr);

CREATE FLOW kna1_cur AS AUTO CDC INTO kna1_cur FROM STREAM(kna1_cdf)
KEYS (mandt, kunnr) APPLY AS DELETE WHEN odq_changemode = 'D' SEQUENCE BY changed
COLUMNS * EXCEPT (odq_changemode, changed) STORED AS SCD TYPE 1;
