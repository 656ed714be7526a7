/**
 * Rows of a row group: DuckDB's own default. Groups half as large make reading single recent rows a third cheaper, and
 * joining keys and reading scattered rows more than that dearer; greater ones cost memory.
 */
export const ROW_GROUP = 122_880;
