-- Pattern 1: everything as it came, deletes included, with a change feed. Nothing here is ever changed or decided.

CREATE STREAMING TABLE bronze.vbak TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/VBAK*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.vbap TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/VBAP*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.vbpa TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/VBPA*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.vbkd TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/VBKD*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.vbfa TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/VBFA*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.vbuk TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/VBUK*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.vbup TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/VBUP*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.makt TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/MAKT*', format => 'csv', header => true, multiLine => true);

CREATE STREAMING TABLE bronze.kna1 TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')
AS SELECT *, _metadata.file_path AS source_file
FROM STREAM read_files('${landing}/{initial,cdc}/KNA1*', format => 'csv', header => true, multiLine => true);
