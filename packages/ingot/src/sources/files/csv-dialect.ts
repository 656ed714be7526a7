/** Characters that structure a record. Each is one UTF-16 unit; quote and escape may be empty, which means NUL, as in Spark. */
export interface CsvDialect {
  readonly sep: string;
  readonly quote: string;
  readonly escape: string;
  /** Blanks around a field, outside its quotes, are dropped. */
  readonly ignoreLeadingWhiteSpace?: boolean;
  readonly ignoreTrailingWhiteSpace?: boolean;
}
