/** What an error of the library means for its caller. */
export type DeltaErrorKind =
  /** Another writer was faster. A caller may try again with a new snapshot; no other kind goes away by itself. */
  | "conflict"
  /** A file of the table is missing, damaged or contradicts another. */
  | "damaged"
  /** The table, as it is, does not allow it: its features, its properties, what its commits recorded. */
  | "table"
  /** A schema, a property, a rule or a place that a table cannot have. */
  | "definition"
  /** What was asked of an operation is not there, or makes no sense. */
  | "request"
  /** Rows that break the table's rules, or that an operation cannot tell apart. */
  | "rows"
  /** The program that calls the library is at fault. */
  | "misuse";

export interface DeltaErrorEntry<Kind extends DeltaErrorKind = DeltaErrorKind> {
  readonly kind: Kind;
  /** One sentence: when it happens. */
  readonly when: string;
  /** SQLSTATE, where the Delta project has the condition. */
  readonly sqlState?: string;
}

function errors<Kind extends DeltaErrorKind, Code extends string>(
  kind: Kind,
  entries: Readonly<Record<Code, readonly [sqlState: string, when: string]>>,
): Readonly<Record<Code, DeltaErrorEntry<Kind>>> {
  const list = Object.entries<readonly [string, string]>(entries).map(([code, [sqlState, when]]) => [
    code,
    sqlState === "" ? { kind, when } : { kind, when, sqlState },
  ]);
  return Object.fromEntries(list) as Record<Code, DeltaErrorEntry<Kind>>;
}

/**
 * All errors of the library by their stable codes: the Delta project's own condition names with its SQLSTATE
 * (`delta-error-classes.json` of Delta 4) where it has one, else ours. A code never changes its meaning.
 */
export const DELTA_ERRORS = {
  ...errors("conflict", {
    DELTA_PROTOCOL_CHANGED: ["2D521", "Another writer created the table or raised its protocol first."],
    DELTA_METADATA_CHANGED: ["2D521", "Another writer changed the schema or the properties first."],
    DELTA_CONCURRENT_TRANSACTION: ["2D521", "Another writer committed for the same application first."],
    DELTA_CONCURRENT_APPEND: ["2D521", "Another writer added rows that the commit would have read."],
    DELTA_CONCURRENT_DELETE_READ: ["2D521", "Another writer removed rows that the commit has read."],
    DELTA_CONCURRENT_DELETE_DELETE: ["2D521", "Another writer changed the same files first."],
    DELTA_MAX_COMMIT_RETRIES_EXCEEDED: ["40000", "Other writers were faster too many times in a row."],
  }),
  ...errors("damaged", {
    DELTA_TABLE_UNREADABLE: ["", "A log with a gap, a damaged file or a missing file."],
    DELTA_FILE_NOT_FOUND: ["42K03", "A data file that a version needs is gone."],
  }),
  ...errors("table", {
    DELTA_UNSUPPORTED_FEATURES_FOR_READ: ["56038", "A table with a reader feature that is not known."],
    DELTA_UNSUPPORTED_FEATURES_FOR_WRITE: ["56038", "A table with a writer feature that is not known or not kept."],
    DELTA_UNRECOGNIZED_INVARIANT: ["56038", "An invariant of a column has an unknown form."],
    DELTA_CANNOT_MODIFY_APPEND_ONLY: ["42809", "A table with delta.appendOnly=true was to lose rows."],
    DELTA_MISSING_CHANGE_DATA: ["KD002", "The change feed of versions in which the table recorded none."],
    DELTA_CHANGE_DATA_FILE_NOT_FOUND: ["42K03", "A file of the change feed that the log names is gone."],
    DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_SCHEMA_CHANGE: [
      "0AKDC",
      "The change feed of versions whose columns do not fit the schema of the newest one.",
    ],
    DELTA_DELETION_VECTOR_MISSING_NUM_RECORDS: [
      "2D521",
      "Rows of a file were to be deleted by a vector, and its statistics do not tell how many it holds.",
    ],
    DELTA_ROW_ID_ASSIGNMENT_WITHOUT_STATS: [
      "22000",
      "Row tracking for a file whose statistics do not tell how many rows it holds.",
    ],
    DELTA_CLONE_WITH_ROW_TRACKING_WITHOUT_STATS: [
      "22000",
      "A clone with row tracking of a table whose statistics do not tell how many rows a file holds.",
    ],
    DELTA_CLUSTERING_COLUMN_MISSING_STATS: ["22000", "A file without statistics of a clustering column."],
  }),
  ...errors("definition", {
    NO_DELTA_TABLE: ["", "A folder that holds no Delta table."],
    DELTA_TABLE_ALREADY_EXISTS: ["42P07", "A table was to be made where one is."],

    // properties and features
    DELTA_UNKNOWN_CONFIGURATION: ["F0000", "A table property with the prefix delta. that Delta does not have."],
    DELTA_VIOLATE_TABLE_PROPERTY_VALIDATION_FAILED: ["0A000", "A table property with a value that it cannot take."],
    DELTA_CANNOT_MODIFY_TABLE_PROPERTY: ["42939", "A table property that only commits may set."],
    DELTA_UNSET_NON_EXISTENT_PROPERTY: ["42616", "UNSET of a table property that the table does not have."],
    DELTA_INVALID_INTERVAL: ["22006", "A table property that is no interval."],
    DELTA_INVALID_ISOLATION_LEVEL: ["25000", "delta.isolationLevel has an unknown value."],
    DELTA_UNSUPPORTED_FEATURES_IN_CONFIG: ["56038", "A table property names a table feature that is not known."],
    DELTA_UNSUPPORTED_FEATURE_STATUS: ["0AKDE", "A table property delta.feature.… that is not `supported`."],
    DELTA_INVALID_PROTOCOL_VERSION: ["KD004", "A table property asks for a protocol version that is not there."],
    DELTA_ROW_TRACKING_ILLEGAL_PROPERTY_COMBINATION: ["55000", "Row tracking is both enabled and suspended."],
    DELTA_ADD_CONSTRAINTS: ["0A000", "A CHECK constraint was to be set as a table property."],
    DELTA_ALTER_TABLE_SET_CLUSTERING_TABLE_FEATURE_NOT_ALLOWED: [
      "42000",
      "The feature clustering was to be set as a table property.",
    ],

    // columns
    DELTA_COLUMN_NOT_FOUND_IN_SCHEMA: ["42703", "A column that the table does not have."],
    DELTA_MERGE_UNRESOLVED_EXPRESSION: ["42601", "A change of rows names a column that is not there."],
    DELTA_DUPLICATE_COLUMNS_FOUND: ["42711", "Two columns whose names differ at most in case."],
    DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES: [
      "42K05",
      "A column name with blanks, commas, brackets or = in a table without column mapping.",
    ],
    DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS: ["42711", "A column with a name that the change data feed needs."],
    DELTA_NON_PARTITION_COLUMN_ABSENT: ["KD005", "A table of partition columns alone."],
    DELTA_FAILED_TO_MERGE_FIELDS: ["22005", "Two types of one column that have no common type."],
    DELTA_UNSUPPORTED_DATA_TYPES: ["0AKDC", "A column of a type that Delta does not have."],
    DELTA_ADD_COLUMN_PARENT_NOT_STRUCT: ["42KD3", "A field was to be added to something other than a struct."],
    DELTA_NOT_NULL_NESTED_FIELD: ["0A000", "A NOT NULL field in a struct that may be NULL."],
    DELTA_NESTED_NOT_NULL_CONSTRAINT: ["0AKDC", "A NOT NULL field within a list or a map."],
    DELTA_UNSUPPORTED_RENAME_COLUMN: ["0AKDC", "RENAME COLUMN of a table without column mapping."],
    DELTA_UNSUPPORTED_DROP_COLUMN: ["0AKDC", "DROP COLUMN of a table without column mapping."],
    DELTA_UNSUPPORTED_DROP_PARTITION_COLUMN: ["0AKDC", "DROP COLUMN of a partition column."],
    DELTA_UNSUPPORTED_DROP_CLUSTERING_COLUMN: ["0AKDC", "DROP COLUMN of a clustering column."],
    DELTA_UNSUPPORTED_DROP_NESTED_COLUMN_FROM_NON_STRUCT_TYPE: ["0AKDC", "DROP COLUMN of a field outside of a struct."],
    DELTA_DROP_COLUMN_ON_SINGLE_FIELD_SCHEMA: ["0AKDC", "DROP COLUMN of the only column."],
    DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP: ["0AKDC", "CHANGE COLUMN to something that the column cannot become."],
    DELTA_CANNOT_UPDATE_STRUCT_FIELD: ["429BQ", "CHANGE COLUMN of a whole struct."],
    DELTA_CANNOT_UPDATE_ARRAY_FIELD: ["429BQ", "CHANGE COLUMN of a whole list."],
    DELTA_CANNOT_UPDATE_MAP_FIELD: ["429BQ", "CHANGE COLUMN of a whole map."],
    DELTA_IDENTITY_COLUMNS_ALTER_COLUMN_NOT_SUPPORTED: ["429BQ", "CHANGE COLUMN of an identity column."],
    DELTA_OPERATION_NOT_ALLOWED: ["0AKDC", "A change of the definition that Delta does not have."],

    // column mapping
    DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE: [
      "0AKDC",
      "Column mapping from one mode to another, for files that stay.",
    ],
    DELTA_UNSUPPORTED_COLUMN_MAPPING_SCHEMA_CHANGE: ["0AKDC", "Column mapping and columns change in one commit."],
    DELTA_ENABLING_COLUMN_MAPPING_DISALLOWED_WHEN_COLUMN_MAPPING_METADATA_ALREADY_EXISTS: [
      "XXKDS",
      "Column mapping for a schema that has ids or physical names of an earlier mapping.",
    ],
    DELTA_CONVERSION_UNSUPPORTED_COLUMN_MAPPING: [
      "0AKDC",
      "CONVERT with a mode of column mapping that files cannot have.",
    ],

    // rules
    WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED: [
      "0AKDE",
      "A default of a column in a table without the feature allowColumnDefaults.",
    ],
    DELTA_CONSTRAINT_ALREADY_EXISTS: ["42710", "ADD CONSTRAINT with the name of another one."],
    DELTA_CONSTRAINT_DOES_NOT_EXIST: ["42704", "DROP CONSTRAINT of one that is not there."],
    DELTA_INVALID_CONSTRAINT_NAME: ["42939", "A constraint with a name that Delta keeps for itself."],
    DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE: ["42K09", "A column that a CHECK constraint reads was to change."],
    DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE: ["42K09", "A column that a generated column reads was to change."],

    // clustering
    DELTA_CLUSTER_BY_WITH_PARTITIONED_BY: ["42613", "A table with both clustering and partitions."],
    DELTA_ALTER_TABLE_CLUSTER_BY_ON_PARTITIONED_TABLE_NOT_ALLOWED: ["42000", "CLUSTER BY of a partitioned table."],
    DELTA_CLUSTER_BY_INVALID_NUM_COLUMNS: ["54000", "CLUSTER BY with too many columns."],
    DELTA_CLUSTERING_COLUMNS_DATATYPE_NOT_SUPPORTED: ["0A000", "CLUSTER BY a column whose type has no order."],
  }),
  ...errors("request", {
    DELTA_VERSION_NOT_FOUND: ["22003", "A version or a moment that the table does not have."],
    DELTA_CDC_START_VERSION_AFTER_LATEST: ["22003", "Changes from a version on that the table has not reached."],
    DELTA_INVALID_CDC_RANGE: ["22003", "A range of changes that ends before it begins."],
    DELTA_TIMESTAMP_GREATER_THAN_COMMIT: ["42816", "A range of changes with a moment after the newest version."],
    DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION: [
      "42816",
      "A range of changes that ends before the first version that can be read.",
    ],
    DELTA_TIMESTAMP_INVALID: ["42816", "Text that is no timestamp was given as one."],
    DELTA_CANNOT_RESTORE_TABLE_VERSION: ["22003", "RESTORE to a version that the table does not have."],
    DELTA_NON_PARTITION_COLUMN_REFERENCE: ["42P10", "A condition on partitions names a column that is none."],
    DELTA_CLUSTERING_WITH_PARTITION_PREDICATE: ["0A000", "OPTIMIZE of a part of a clustered table."],
    DELTA_CLUSTERING_WITH_ZORDER_BY: ["42613", "OPTIMIZE of a clustered table with ZORDER BY."],
    DELTA_OPTIMIZE_FULL_NOT_SUPPORTED: ["42601", "OPTIMIZE FULL of a table that is not clustered."],
    DELTA_ZORDERING_ON_PARTITION_COLUMN: ["42P10", "ZORDER BY a partition column."],
    DELTA_ZORDERING_COLUMN_DOES_NOT_EXIST: ["42703", "ZORDER BY a column that the table does not have."],
    DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS: ["KD00D", "ZORDER BY a column that has no statistics."],
    DELTA_VACUUM_RETENTION_PERIOD_TOO_SHORT: ["22003", "VACUUM of files that a running query or write may need."],
    DELTA_VACUUM_RETENTION_PERIOD_NEGATIVE: ["22003", "VACUUM with a retention below zero."],
    DELTA_EMPTY_DIRECTORY: ["42K03", "CONVERT of a folder without a file."],
    DELTA_CONVERT_NON_PARQUET_TABLE: ["0AKDC", "CONVERT of files that are not Parquet."],
    DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME: [
      "KD009",
      "CONVERT of a file with too many or too few partitions.",
    ],
    DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME: ["KD009", "CONVERT of a file with other partition columns."],
    DELTA_FAILED_CAST_PARTITION_VALUE: [
      "22018",
      "A partition value in a file's path that is not of the column's type.",
    ],
  }),
  ...errors("rows", {
    DELTA_NOT_NULL_CONSTRAINT_VIOLATED: ["23502", "A NULL in a column that is declared NOT NULL."],
    DELTA_VIOLATE_CONSTRAINT_WITH_VALUES: ["23001", "A row for which a CHECK constraint is not true."],
    DELTA_NEW_CHECK_CONSTRAINT_VIOLATION: ["23512", "ADD CONSTRAINT that rows of the table violate."],
    DELTA_EXCEED_CHAR_VARCHAR_LIMIT: ["22001", "Text that is longer than its CHAR or VARCHAR column."],
    DELTA_CAST_OVERFLOW_IN_TABLE_WRITE: ["22003", "A value beyond the range of its column's type."],
    DELTA_REPLACE_WHERE_MISMATCH: ["44000", "A new row for which the condition of replaceWhere is not true."],
    DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE: [
      "21506",
      "Two rows of a MERGE's source for one row of the table.",
    ],
  }),
  ...errors("misuse", {
    DELTA_INVALID_COMMIT: ["", "A commit that would break the Delta protocol; nothing was written."],
    DELTA_DOMAIN_METADATA_NOT_SUPPORTED: ["0A000", "A metadata domain that only a table feature may set."],
  }),
} as const;

/** Stable codes of the library's errors. */
export type DeltaErrorCode = keyof typeof DELTA_ERRORS;

/** Codes of a commit that lost against another one. */
export type ConflictCode = {
  [Code in DeltaErrorCode]: (typeof DELTA_ERRORS)[Code]["kind"] extends "conflict" ? Code : never;
}[DeltaErrorCode];
