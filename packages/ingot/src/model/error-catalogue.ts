/** Exit codes of the command line; part of its contract. */
export const EXIT = {
  ok: 0,
  runFailed: 1,
  usage: 2,
  projectInvalid: 3,
  qualityFailed: 4,
  planHasChanges: 5,
  unreachable: 6,
  locked: 7,
  bug: 70,
  interrupted: 130,
} as const;

export type Exit = keyof typeof EXIT;

interface Entry {
  /** Which exit code of the command line it leads to. */
  readonly exit: Exit;
  /** SQLSTATE, where Spark gives one. */
  readonly sqlState?: string;
  /** One sentence for the reference: when it happens. */
  readonly when: string;
}

const entry = (exit: Exit, when: string, sqlState?: string): Entry =>
  sqlState === undefined ? { exit, when } : { exit, when, sqlState };

/**
 * All error codes of the product. Names that Spark has are Spark's (pyspark 4.2 `error-conditions.json`, with its
 * SQLSTATE); the rest are ours. A code never changes its meaning. Those of the Delta library stand in its own catalogue
 * and come as `Fault`s.
 */
export const CATALOGUE = {
  // the command line
  USAGE: entry("usage", "The command line has an unknown command, option or value."),
  CONFLICTING_PIPELINE_REFRESH_OPTIONS: entry(
    "usage",
    "--full-refresh-all together with a list, or one table in both lists.",
  ),
  PROJECT_EXISTS: entry("usage", "`ingot init` was given a folder that exists."),
  EXPORT_EXISTS: entry("usage", "`ingot export` was given a folder that exists."),
  TYPES_OUT_OF_DATE: entry(
    "projectInvalid",
    "`ingot-env.d.ts` is not what the definitions give (`ingot types --check`).",
  ),
  TYPESCRIPT_NOT_FOUND: entry("projectInvalid", "`ingot check` finds no TypeScript compiler to run."),
  TYPE_ERROR: entry("projectInvalid", "The TypeScript compiler finds a fault in the project (`ingot check`)."),

  // the spec
  PIPELINE_SPEC_FILE_NOT_FOUND: entry("projectInvalid", "No spec in the working folder or above it."),
  PIPELINE_SPEC_FILE_DOES_NOT_EXIST: entry("projectInvalid", "The file named by --spec is not there."),
  MULTIPLE_PIPELINE_SPEC_FILES_FOUND: entry("projectInvalid", "Two specs stand in one folder."),
  PIPELINE_SPEC_INVALID_YAML: entry("projectInvalid", "The spec is not YAML."),
  PIPELINE_SPEC_UNEXPECTED_FIELD: entry("projectInvalid", "The spec has a key that nobody knows."),
  PIPELINE_SPEC_MISSING_REQUIRED_FIELD: entry("projectInvalid", "The spec lacks a key."),
  PIPELINE_SPEC_INVALID_VALUE: entry("projectInvalid", "A value of the spec has the wrong form."),
  PIPELINE_SPEC_INVALID_GLOB_PATTERN: entry("projectInvalid", "A glob under `libraries` has an unsupported form."),
  PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION: entry(
    "projectInvalid",
    "A file under `libraries` is neither .sql nor .ts.",
  ),
  PIPELINE_STORAGE_ROOT_INVALID: entry("projectInvalid", "`storage` or `warehouse` is no usable location.", "42K03"),
  CONFIG_MISSING: entry("projectInvalid", "A definition asks for a configuration key that is not set."),

  // definitions
  RUN_EMPTY_PIPELINE: entry("projectInvalid", "The project declares no table.", "42617"),
  DEFINITIONS_FILE_FAILED: entry("projectInvalid", "A definitions file threw an error, or could not be compiled."),
  DECLARED_OUTSIDE_LIBRARIES: entry(
    "projectInvalid",
    "A module that is no definitions file declares at its top level.",
  ),
  DECLARED_AFTER_LOAD: entry("projectInvalid", "A declaring call was made after the load, e.g. by a timer."),
  OUTSIDE_LOAD: entry("projectInvalid", "readJson, fileExists, listFiles or notice was called while no project loads."),
  UNKNOWN_OPTION: entry("projectInvalid", "An option that the function or clause does not have."),
  BAD_OPTION: entry("projectInvalid", "An option with a value that it cannot take."),
  BAD_SQL_VALUE: entry("projectInvalid", "A value in a sql template that has no SQL form."),
  INEXACT_NUMBER: entry("projectInvalid", "A number in a sql template that is no safe integer."),
  BAD_SCHEMA: entry("projectInvalid", "A schema that cannot be read."),
  NOT_DETERMINISTIC: entry("projectInvalid", "Two evaluations of the definitions differ (a warning of dry-run)."),
  "PIPELINE_DUPLICATE_IDENTIFIERS.DATASET": entry("projectInvalid", "Two datasets of one name.", "42710"),
  "PIPELINE_DUPLICATE_IDENTIFIERS.FLOW": entry("projectInvalid", "Two flows of one name.", "42710"),
  PIPELINE_DATASET_WITHOUT_FLOW: entry("projectInvalid", "A table that nothing fills.", "0A000"),
  PIPELINE_SQL_GRAPH_ELEMENT_REGISTRATION_ERROR: entry(
    "projectInvalid",
    "A statement that a pipeline file cannot hold.",
    "42000",
  ),
  MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES: entry("projectInvalid", "Two queries for one materialized view.", "42000"),
  MULTIPART_TEMPORARY_VIEW_NAME_NOT_SUPPORTED: entry(
    "projectInvalid",
    "A temporary view with a qualified name.",
    "0A000",
  ),
  MULTIPART_FLOW_NAME_NOT_SUPPORTED: entry("projectInvalid", "A flow with a qualified name.", "0A000"),
  INVALID_IDENTIFIER: entry("projectInvalid", "A name that is empty or has more than three parts.", "42602"),
  AUTOCDC_EMPTY_KEYS: entry("projectInvalid", "AUTO CDC without a key.", "22023"),
  AUTOCDC_MISSING_SEQUENCE_BY: entry("projectInvalid", "AUTO CDC without SEQUENCE BY.", "22023"),
  AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST: entry("projectInvalid", "AUTO CDC with both column lists.", "42613"),
  AUTOCDC_KEY_NOT_IN_SELECTED_SCHEMA: entry(
    "projectInvalid",
    "A key of AUTO CDC that its column list leaves out.",
    "22023",
  ),
  AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA: entry(
    "projectInvalid",
    "A list of AUTO CDC names a column that the source lacks.",
    "42703",
  ),
  AUTOCDC_RESERVED_COLUMN_NAME_PREFIX_CONFLICT: entry(
    "projectInvalid",
    "A source of AUTO CDC has a column whose name is kept for Ingot.",
    "42710",
  ),
  AUTOCDC_ARCHIVE_DELETES_NOT_TOLD: entry(
    "projectInvalid",
    "AUTO CDC that keeps archived rows, of a source that does not tell their deletes from others.",
  ),
  AUTOCDC_MULTIPLE_FLOWS_TO_TARGET: entry(
    "projectInvalid",
    "Flows into one table that cannot share it: AUTO CDC beside other flows, or by other keys and columns.",
    "42000",
  ),
  "AUTOCDC_MICROBATCH_VALIDATION.NON_ORDERABLE_SEQUENCE": entry(
    "projectInvalid",
    "SEQUENCE BY has a type without an order.",
    "22000",
  ),
  "AUTOCDC_MICROBATCH_VALIDATION.NULL_SEQUENCE": entry("runFailed", "A change without a sequence.", "22000"),
  "AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY": entry("runFailed", "A change without a key.", "22000"),
  "AUTOCDC_MICROBATCH_VALIDATION.NULL_COLUMNS_TO_UPDATE": entry(
    "runFailed",
    "A change whose list of COLUMNS TO UPDATE is NULL.",
    "22000",
  ),
  "AUTOCDC_MICROBATCH_VALIDATION.UNKNOWN_COLUMN_TO_UPDATE": entry(
    "runFailed",
    "COLUMNS TO UPDATE of a change names a column that the source lacks.",
    "22000",
  ),
  "AUTOCDC_INVALID_STATE.KEY_SCHEMA_DRIFT": entry(
    "projectInvalid",
    "The keys of AUTO CDC are not those that its table was made with.",
    "42000",
  ),
  "AUTOCDC_INVALID_STATE.SEQUENCING_TYPE_DRIFT": entry(
    "projectInvalid",
    "The type or the place of the sequence is not what the table of AUTO CDC was made with.",
    "42000",
  ),
  AUTOCDC_BATCH_PENDING: entry(
    "runFailed",
    "Another flow into the table has begun a batch that is not committed: its sequences are there and its rows are not.",
  ),
  "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.DUPLICATE_KEY_VIOLATION": entry(
    "runFailed",
    "A snapshot has several rows for one key.",
    "22000",
  ),
  "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.NULL_KEY": entry("runFailed", "A snapshot has a row without a key.", "22000"),
  "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.NULL_SNAPSHOT_VERSION": entry(
    "runFailed",
    "The version of a snapshot is NULL.",
    "22000",
  ),
  "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.DYNAMIC_SNAPSHOT_VERSION": entry(
    "runFailed",
    "The rows of a snapshot have several versions.",
    "22000",
  ),
  "APPLY_CHANGES_FROM_SNAPSHOT_ERROR.SNAPSHOT_VERSION_NOT_SORTABLE": entry(
    "projectInvalid",
    "The version of a snapshot has a type without an order.",
    "22000",
  ),
  APPLY_CHANGES_FROM_SNAPSHOT_EXPECTATIONS_NOT_SUPPORTED: entry(
    "projectInvalid",
    "The target of snapshots has expectations.",
    "0A000",
  ),
  EMPTY_SNAPSHOT: entry("runFailed", "A snapshot has no row: it would take away all rows of its table."),
  SMALL_SNAPSHOT: entry("runFailed", "A snapshot has fewer rows than its `minRowShare` allows."),
  MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE: entry(
    "projectInvalid",
    "A materialized view with REFRESH POLICY INCREMENTAL whose query cannot follow changes, or one with INCREMENTAL STRICT that cannot do so in this run.",
  ),
  MASS_DELETE: entry("runFailed", "A batch would take away more of a table than its `maxDeleteShare` allows."),
  SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED: entry(
    "projectInvalid",
    "PARTITIONED BY and CLUSTER BY together.",
    "42908",
  ),
  CANNOT_UPDATE_PARTITION_COLUMNS: entry(
    "projectInvalid",
    "A table is declared with other partition columns than it has.",
    "42000",
  ),
  NOT_SUPPORTED: entry("projectInvalid", "A feature that Ingot knows by name and cannot do yet.", "0A000"),

  // graph
  UNKNOWN_TABLE: entry("projectInvalid", "A query names a table that nobody declares and no warehouse holds.", "42P01"),
  UNKNOWN_CATALOG: entry("projectInvalid", "A name begins with a catalog that the spec does not map.", "42P08"),
  LOCATION_ALREADY_EXISTS: entry("projectInvalid", "Two datasets of one folder.", "42710"),
  UNKNOWN_TARGET: entry("projectInvalid", "A flow writes into a table that nobody declares.", "42P01"),
  UNKNOWN_SELECTION: entry("usage", "--refresh or --full-refresh names a dataset that the project does not have."),
  CYCLE: entry("projectInvalid", "Datasets that need each other."),
  INVALID_RESETTABLE_DEPENDENCY: entry(
    "projectInvalid",
    "A table that must not be fully refreshed streams from one that may be.",
    "42000",
  ),
  NO_BACKFILL: entry("usage", "`ingot backfill` of a table that declares none."),
  BAD_CHUNKS: entry("usage", "`--chunks` is no list of values of the column that the backfill declares."),
  BACKFILL_UNORDERED: entry(
    "projectInvalid",
    "A flow of changes would take the rows of a backfill for newer than the changes that were there before, or for rows without a sequence.",
  ),
  BACKFILL_SOURCE_CHANGED: entry("runFailed", "A file that a chunk was staged from has other content now, or is gone."),
  NO_CHECKPOINT: entry("usage", "--reset-checkpoint of a materialized view, which has none."),
  TABLE_NOT_RESETTABLE: entry("usage", "A full refresh of a table with pipelines.reset.allowed=false."),
  "INVALID_FLOW_QUERY_TYPE.BATCH_RELATION_FOR_STREAMING_TABLE": entry(
    "projectInvalid",
    "A batch query fills a streaming table.",
    "42000",
  ),
  "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_MATERIALIZED_VIEW": entry(
    "projectInvalid",
    "A streaming query fills a materialized view.",
    "42000",
  ),
  "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_ONCE_FLOW": entry(
    "projectInvalid",
    "A streaming query in a once flow.",
    "42000",
  ),
  "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_SNAPSHOT_FLOW": entry(
    "projectInvalid",
    "A flow that takes its whole source each time reads a stream.",
    "42000",
  ),
  "INVALID_FLOW_QUERY_TYPE.STREAMING_RELATION_FOR_PERSISTED_VIEW": entry(
    "projectInvalid",
    "A streaming query in a persisted view.",
    "42000",
  ),
  INCOMPATIBLE_BATCH_VIEW_READ: entry("projectInvalid", "A batch read of a view that is streaming.", "42000"),
  INCOMPATIBLE_STREAMING_VIEW_READ: entry(
    "projectInvalid",
    "A streaming read of a view that is not streaming.",
    "42000",
  ),
  INVALID_TEMP_OBJ_REFERENCE: entry("projectInvalid", "A persisted view reads a temporary view.", "42K0F"),
  USER_SPECIFIED_AND_INFERRED_SCHEMA_NOT_COMPATIBLE: entry(
    "projectInvalid",
    "The declared columns are not those of the query.",
    "42KD9",
  ),
  CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE: entry(
    "projectInvalid",
    "A column of a streaming table changed its type.",
    "42825",
  ),

  // queries: Spark's own conditions
  PARSE_SYNTAX_ERROR: entry("projectInvalid", "The text is not Spark SQL.", "42601"),
  "UNRESOLVED_COLUMN.WITH_SUGGESTION": entry("projectInvalid", "A column that no input has.", "42703"),
  "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION": entry("projectInvalid", "A column that no input has.", "42703"),
  AMBIGUOUS_REFERENCE: entry("projectInvalid", "A column that two inputs have.", "42704"),
  FIELD_NOT_FOUND: entry("projectInvalid", "A struct has no such field.", "42704"),
  UNRESOLVED_ROUTINE: entry("projectInvalid", "A function that nobody knows.", "42883"),
  UNSUPPORTED_FUNCTION: entry("projectInvalid", "A function of Spark that Ingot does not translate yet."),
  UNSUPPORTED_CLAUSE: entry("projectInvalid", "A clause or operator of Spark SQL that Ingot does not translate yet."),
  "WRONG_NUM_ARGS.WITHOUT_SUGGESTION": entry(
    "projectInvalid",
    "A function with too many or too few arguments.",
    "42605",
  ),
  "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE": entry("projectInvalid", "An argument of the wrong type.", "42K09"),
  "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES": entry("projectInvalid", "Two sides that have no common type.", "42K09"),
  "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE": entry("projectInvalid", "Arithmetic with two strings.", "42K09"),
  INVALID_NON_DETERMINISTIC_EXPRESSIONS: entry(
    "projectInvalid",
    "A clock or a random number where the same row must give the same answer.",
    "42K0E",
  ),
  MISSING_AGGREGATION: entry("projectInvalid", "A column that is neither grouped nor aggregated.", "42803"),
  INVALID_SAP_ARGUMENT: entry("projectInvalid", "A constant argument of a `sap_…` function that it does not take."),
  SAP_EXTRACT_INVALID: entry(
    "projectInvalid",
    "An extract that the spec names is not there, or none of the tables it stands for.",
  ),
  FOLDER_NOT_EMPTY: entry("usage", "`ingot sap generate` was given a folder with files in it."),
  SAP_TABLE_NOT_FOUND: entry("usage", "A table that no dictionary describes (`ingot sap`)."),
  SAP_SOURCE_NOT_FOUND: entry(
    "projectInvalid",
    "A `sap_…` function names a source that the spec does not declare, or none where there are several.",
  ),
  INVALID_LAMBDA_FUNCTION_CALL: entry("projectInvalid", "A lambda with too many or too few parameters.", "42K0D"),
  EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE: entry("projectInvalid", "A watermark on what is no TIMESTAMP.", "42K09"),
  UNPIVOT_VALUE_DATA_TYPE_MISMATCH: entry("projectInvalid", "Columns of UNPIVOT that have no common type.", "42K09"),
  "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS": entry(
    "projectInvalid",
    "A generator such as explode within an expression.",
    "42K0E",
  ),
  GROUPING_COLUMN_MISMATCH: entry("projectInvalid", "grouping() of what is no grouping expression.", "42803"),
  GROUPING_ID_COLUMN_MISMATCH: entry(
    "projectInvalid",
    "grouping_id() of other than the grouping expressions.",
    "42803",
  ),
  UNSUPPORTED_GROUPING_EXPRESSION: entry(
    "projectInvalid",
    "grouping() in a query without ROLLUP, CUBE or GROUPING SETS.",
    "42K0E",
  ),
  MISSING_WINDOW_SPECIFICATION: entry("projectInvalid", "OVER names a window that WINDOW does not define.", "42P20"),
  NUM_COLUMNS_MISMATCH: entry("projectInvalid", "The sides of a set operation differ in columns.", "42826"),
  COLUMN_ALREADY_EXISTS: entry("projectInvalid", "A table with one column name twice.", "42711"),
  DIALECT_QUERY_INVALID: entry("projectInvalid", "The engine refuses a query in its own SQL (option `dialect`)."),

  // files
  PATH_NOT_FOUND: entry("unreachable", "A path of read_files holds nothing.", "42K03"),
  UNABLE_TO_INFER_SCHEMA: entry(
    "unreachable",
    "No schema is declared, and no file is there that names columns.",
    "42KD9",
  ),
  FILE_NOT_READABLE: entry("unreachable", "A file or folder cannot be opened."),
  FILE_BAD_ENCODING: entry("runFailed", "A file has a byte that its encoding does not know."),
  FILE_HEADER_MISMATCH: entry("runFailed", "A header does not name the columns of the schema."),
  FILE_CORRUPT: entry("runFailed", "A file is not what its format says: cut short, or damaged."),
  FILE_EMPTY: entry("runFailed", "A file of 0 bytes, where onEmpty => 'fail' is asked for."),
  UNKNOWN_FIELD_EXCEPTION: entry(
    "runFailed",
    "A file has a column that its stream has not had, and the stream takes none.",
  ),
  FILE_CHANGED: entry("runFailed", "A file of a batch is not what the manifest recorded."),
  MALFORMED_RECORD: entry("runFailed", "A record that does not fit the schema, and no column to keep it.", "22023"),
  EXPECTATION_VIOLATION: entry("qualityFailed", "Rows fail an expectation that fails the update.", "22000"),
  QUALITY_GATE_CLOSED: entry("qualityFailed", "More rows fail their expectations than the dataset's gate lets pass."),
  SCHEMA_DRIFT: entry("qualityFailed", "A column of a source changed so that the dataset's `drift` is to stop."),
  BALANCE: entry("runFailed", "Records read and rows written do not add up: the batch is not committed."),

  // extracts
  UNKNOWN_EXTRACT: entry("usage", "`ingot extract` names an extract that the spec does not declare."),
  EXTRACT_NOT_AUTHORIZED: entry("unreachable", "An OData service refuses the login of its reader (HTTP 401, 403)."),
  EXTRACT_REQUEST_FAILED: entry(
    "unreachable",
    "An OData service does not answer, or with an error, after the attempts that may help.",
  ),
  EXTRACT_PAGE_INVALID: entry(
    "runFailed",
    "An answer of an OData service that no rows can be taken from: cut off, no OData, too large, pages without an end.",
  ),
  EXTRACT_LINK_REFUSED: entry(
    "runFailed",
    "A link or a redirect of an OData service that leads to another host, where credentials must not follow.",
  ),
  EXTRACT_TOKEN_EXPIRED: entry("runFailed", "An OData service no longer knows the token from which changes are read."),
  EXTRACT_DELTA_LOST: entry(
    "runFailed",
    "A read of a set with tracked changes ends without a token, and the service lists none: changes could not go on.",
  ),
  EXTRACT_SELECTION_CHANGED: entry(
    "projectInvalid",
    "Service, user, columns, filter or landing folder of an extract are not those that its position belongs to.",
  ),
  EXTRACT_COUNT_DIFFERS: entry("runFailed", "A set that has other rows than it counts: one may be lost between pages."),
  EXTRACT_DUPLICATE_KEY: entry("runFailed", "A load of a set that has a key twice."),
  EXTRACT_KEY_MISSING: entry("runFailed", "A row of a set that lacks a column of the key."),
  EXTRACT_LANDING_CHANGED: entry(
    "runFailed",
    "Files of an extract are gone from its landing folder, or others have their names.",
  ),

  // tables and storage
  TABLE_OWNED_BY_OTHER_PIPELINE: entry("projectInvalid", "A table that belongs to another pipeline."),
  DELTA_SOURCE_TABLE_IGNORE_CHANGES: entry(
    "runFailed",
    "A streaming read of a table that had rows changed or deleted.",
    "0A000",
  ),
  DELTA_SOURCE_IGNORE_DELETE: entry("runFailed", "A streaming read of a table that had rows deleted.", "0A000"),
  STORAGE_FAILED: entry("unreachable", "Storage refused a read or a write: disk full, no permission, vanished."),
  DATASET_KIND_CHANGED: entry(
    "projectInvalid",
    "A streaming table was declared a materialized view, or the other way round.",
  ),
  CHECKPOINT_DAMAGED: entry("runFailed", "A file of a checkpoint cannot be read."),

  // Spark Connect
  INVALID_CONNECT_URL: entry("usage", "The connection string of a Spark server (`--remote`) cannot be read."),
  SPARK_UNREACHABLE: entry("unreachable", "No Spark Connect server answers, or it fell silent for half a minute."),
  SPARK_ACCESS_DENIED: entry("unreachable", "A Spark Connect server refuses the token."),
  SPARK_TOO_OLD: entry("unreachable", "A Spark Connect server is older than Spark 4.0."),
  SPARK_WITHOUT_DELTA: entry("unreachable", "A Spark Connect server has no Delta Lake."),
  SPARK_STORAGE_NOT_SHARED: entry("unreachable", "A Spark server does not see the folders of the project."),
  SPARK_NOT_SUPPORTED: entry("projectInvalid", "What the Spark engine does not do yet; DuckDB does.", "0A000"),
  SPARK_TYPE_MISMATCH: entry("projectInvalid", "Spark types a query otherwise than Ingot does.", "42804"),
  "INVALID_HANDLE.SESSION_NOT_FOUND": entry("unreachable", "A Spark server was started anew during a run.", "HY000"),
  "INVALID_HANDLE.SESSION_CHANGED": entry("unreachable", "A Spark server was started anew during a run.", "HY000"),

  // runs
  RUN_LOCKED: entry("locked", "Another run of the pipeline is under way."),
  QUERY_FAILED: entry("runFailed", "A query failed while it ran."),
  DIVIDE_BY_ZERO: entry("runFailed", "A division by zero.", "22012"),
  INTERVAL_DIVIDED_BY_ZERO: entry("runFailed", "An interval divided by zero.", "22012"),
  INVALID_UTF8_STRING: entry("runFailed", "Bytes that are no text in UTF-8.", "22029"),
  ARITHMETIC_OVERFLOW: entry("runFailed", "A result beyond the type's range.", "22003"),
  BINARY_ARITHMETIC_OVERFLOW: entry("runFailed", "A result beyond the range of TINYINT or SMALLINT.", "22003"),
  CAST_INVALID_INPUT: entry("runFailed", "A value that cannot be cast.", "22018"),
  REMAINDER_BY_ZERO: entry("runFailed", "A remainder by zero.", "22012"),
  CAST_OVERFLOW: entry("runFailed", "A value beyond the range of the type it is cast to.", "22003"),
  CANNOT_PARSE_TIMESTAMP: entry("runFailed", "A text that does not fit its date pattern.", "22007"),
  INVALID_FORMAT: entry("runFailed", "A pattern or format that Spark does not take.", "42601"),
  INVALID_ARRAY_INDEX: entry("runFailed", "An index outside of an array.", "22003"),
  INVALID_ARRAY_INDEX_IN_ELEMENT_AT: entry("runFailed", "An index outside of an array, in element_at.", "22003"),
  INVALID_INDEX_OF_ZERO: entry("runFailed", "The index 0 in element_at, which counts from 1.", "22003"),
  MALFORMED_CHARACTER_CODING: entry("runFailed", "Bytes or characters that a charset does not know.", "22000"),
  INVALID_PARAMETER_VALUE: entry("runFailed", "An argument of a function beyond what it takes.", "22023"),
  CANNOT_DECODE_URL: entry("runFailed", "A text that is no encoded URL.", "22546"),
  CONVERSION_INVALID_INPUT: entry("runFailed", "A text that cannot be read as binary or a number.", "22018"),
  INVALID_REGEXP_REPLACE: entry("runFailed", "A replacement that names a group which its pattern lacks.", "22023"),
  // what the strict decoders of SAP's values raise
  CURRENCY_ANOMALY: entry(
    "runFailed",
    "An amount whose currency has decimals that the amount does not fit (`sap_curr`).",
  ),
  INVALID_DATE: entry("runFailed", "A text that is no date in the format of its source (`sap_date`, `sap_gdatu`)."),
  INVALID_FLAG: entry("runFailed", "A value other than X and blank (`sap_flag`)."),
  INVALID_LANGUAGE: entry("runFailed", "A code that is no language (`sap_language`)."),
  INVALID_POSTING_DATE: entry("runFailed", "No date where every document has one (`sap_posting_date`)."),
  INVALID_PRIMARY_KEY: entry(
    "runFailed",
    "A key that is too long, or has lost its last digits (`sap_alpha`, `sap_matn1`).",
  ),
  INVALID_RAW: entry("runFailed", "A text that is no bytes in its format (`sap_raw`)."),
  INVALID_TIME: entry("runFailed", "A text that is no time of a day (`sap_time`)."),
  INVALID_TIMESTAMP: entry("runFailed", "A date and time that are no moment (`sap_timestamp`, `sap_utc`)."),
  INVALID_UNIT: entry("runFailed", "A code that is no unit of T006A (`sap_unit`, `sap_unit_external`)."),
  MALFORMED_AMOUNT: entry(
    "runFailed",
    "A text or bytes that are no number of the type (`sap_number`, `sap_packed`, `sap_zoned`).",
  ),
  MALFORMED_NUMC: entry("runFailed", "A value that is not digits alone, or too long (`sap_numc`)."),
  UNIT_ANOMALY: entry(
    "runFailed",
    "A quantity whose unit is missing, unknown or of another dimension, or that has too many digits (`sap_convert_unit`).",
  ),
  USER_RAISED_EXCEPTION: entry("runFailed", "raise_error or assert_true stopped the query.", "P0001"),
  DATETIME_FIELD_OUT_OF_BOUNDS: entry("runFailed", "A date or time that does not exist.", "22023"),
  INVALID_FRACTION_OF_SECOND: entry("runFailed", "A fraction behind 60 seconds.", "22023"),
  ILLEGAL_DAY_OF_WEEK: entry("runFailed", "A name of no day of the week.", "22009"),
  DUPLICATED_MAP_KEY: entry("runFailed", "A map with one key twice.", "23505"),
  NULL_MAP_KEY: entry("runFailed", "A map with NULL as a key.", "2200E"),
  ILLEGAL_SEQUENCE_BOUNDARIES: entry("runFailed", "A sequence whose step leads away from its end.", "22023"),
  RECURSION_LEVEL_LIMIT_EXCEEDED: entry("runFailed", "A recursive CTE that goes beyond 100 levels.", "42836"),
  COMPARATOR_RETURNS_NULL: entry("runFailed", "A comparator of array_sort gave NULL.", "22004"),
  INVALID_URL: entry("runFailed", "A text that is no URL.", "22P02"),
  SCALAR_SUBQUERY_TOO_MANY_ROWS: entry("runFailed", "A subquery that is a value gave several rows.", "21000"),
  NUMERIC_VALUE_OUT_OF_RANGE: entry("runFailed", "A value beyond the decimal's precision.", "22003"),
  INTERNAL_ERROR: entry("bug", "A fault of Ingot itself.", "XX000"),
  INTERRUPTED: entry("interrupted", "The user stopped the run."),
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof CATALOGUE;

/** What an error is, where its code is one of a library's catalogue. */
export interface Fault {
  readonly code: string;
  readonly exit: Exit;
  readonly sqlState?: string | undefined;
}

/** Codes of the Delta library that parts above the engine raise, too. */
export const NO_DELTA_TABLE: Fault = { code: "NO_DELTA_TABLE", exit: "projectInvalid" };
export const MISSING_CHANGE_DATA: Fault = {
  code: "DELTA_MISSING_CHANGE_DATA",
  exit: "runFailed",
  sqlState: "KD002",
};
