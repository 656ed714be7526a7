-- Line items of accounting documents with their changes, as an extractor delivers them.
CREATE STREAMING TABLE bronze_bseg
TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true')
AS SELECT * FROM STREAM read_files('landing', format => 'parquet');

CREATE TEMPORARY VIEW bseg_checked (
  CONSTRAINT INVALID_PRIMARY_KEY EXPECT (MANDT IS NOT NULL AND BUKRS IS NOT NULL AND BELNR IS NOT NULL)
    ON VIOLATION QUARANTINE ROW,
  CONSTRAINT MALFORMED_AMOUNT EXPECT (try_cast(DMBTR AS DECIMAL(15,2)) IS NOT NULL) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT INVALID_POSTING_DATE EXPECT (try_to_date(BUDAT, 'yyyyMMdd') IS NOT NULL) ON VIOLATION QUARANTINE ROW
) AS SELECT * FROM STREAM bronze_bseg;

CREATE STREAMING TABLE silver_bseg
CLUSTER BY (MANDT, BUKRS, GJAHR, BELNR)
TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true');

CREATE FLOW silver_bseg AS AUTO CDC INTO silver_bseg
FROM (
  SELECT * EXCEPT (DMBTR, BUDAT), CAST(DMBTR AS DECIMAL(23,2)) AS DMBTR, to_date(BUDAT, 'yyyyMMdd') AS BUDAT
  FROM STREAM bseg_checked
)
KEYS (MANDT, BUKRS, GJAHR, BELNR, BUZEI)
APPLY AS DELETE WHEN op = 'D'
SEQUENCE BY CHG_SEQ
COLUMNS * EXCEPT (op);
