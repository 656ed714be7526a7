import { isAbsolute, join } from "node:path";
import { type AddFile, columnMappingMode, physicalSchema, type Snapshot } from "@ingot/delta";
import { formatType } from "../../model/data-type.js";
import { quoteIdentifier } from "../../model/name.js";
import { quoteString } from "../../sql/quote.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { filesRelation } from "./connect/relations.js";
import { notOnSpark } from "./not-supported.js";
import { ddlText, noRows, typeText } from "./spark-sql.js";
import type { TextContext } from "./text-context.js";

/** Reading so many paths, Spark lists them by itself; more it lists by a job. */
const MOST_PATHS = 32;
/** A path in which Spark would find a pattern, or the place of another table. */
const PATTERN_OR_SCHEME = /[*?[\]{}\\:]/;
/** Features of tables by which the bytes of a file are still read as in any other table. */
const PLAIN_FEATURES = ["columnMapping", "deletionVectors", "timestampNtz", "v2Checkpoint", "vacuumProtocolCheck"];

/**
 * Whether the rows of a version are those of its files as they are, and few: then Delta's reader would find out by jobs
 * what the log has told here. Of many files it leaves those out that hold no row of the query.
 */
export function isPlain({ table, files, schema, protocol, metadata }: Snapshot): boolean {
  return (
    files.length <= MOST_PATHS &&
    // Each partition is a read of its own, and Spark 4.2 fails at an EXISTS in the items over a UNION of them.
    metadata.partitionColumns.length === 0 &&
    columnMappingMode(metadata.configuration) !== "id" &&
    (protocol.readerFeatures ?? []).every((name) => PLAIN_FEATURES.includes(name)) &&
    !fromDeltaSchema(schema).some(({ type }) => formatType(type).includes("void")) &&
    files.every(
      ({ path, deletionVector }) => deletionVector === undefined && !PATTERN_OR_SCHEME.test(join(table, path)),
    )
  );
}

/**
 * A relation of the rows of a version.
 *
 * @param named the same to Delta's own reader
 */
export function rowsOf(snapshot: Snapshot, context: TextContext, named: string): string {
  if (snapshot.files.length === 0) return `(${noRows(fromDeltaSchema(snapshot.schema))})`;
  return isPlain(snapshot) ? `(${dataFileRows(snapshot, snapshot.files, context)})` : named;
}

/**
 * SQL of the rows of some files of a table, with its columns. Spark reads a range of versions only through a change feed,
 * which not every table has, or from a checkpoint of its own; so the files that the log names are read as what they are.
 *
 * @throws IngotError SPARK_NOT_SUPPORTED
 */
export function dataFileRows(snapshot: Snapshot, files: readonly AddFile[], context: TextContext): string {
  refuse(snapshot, files);
  const { partitionColumns, configuration } = snapshot.metadata;
  const physical = fromDeltaSchema(physicalSchema(snapshot.schema, columnMappingMode(configuration)));
  const columns = fromDeltaSchema(snapshot.schema).map((logical, i) => ({ logical, physical: physical[i] ?? logical }));
  const inFiles = columns.filter(({ logical }) => !partitionColumns.includes(logical.name));
  const parts = byPartition(files).map((members) => {
    const values = members[0]?.partitionValues ?? {};
    const rows = filesRelation({
      format: "parquet",
      schema: ddlText(inFiles.map((column) => column.physical)),
      // Folders of partitions say in the log what their values are.
      options: { recursiveFileLookup: "true" },
      paths: members.map(({ path }) => (isAbsolute(path) ? path : join(snapshot.table, path))),
    });
    const items = columns.map((column) => {
      const { logical, physical: stored } = column;
      const isSame = formatType(stored.type) === formatType(logical.type);
      const value = inFiles.includes(column)
        ? castTo(quoteIdentifier(stored.name), isSame ? undefined : typeText(logical.type))
        : castTo(partitionValue(values[stored.name]), typeText(logical.type));
      return `${value} AS ${quoteIdentifier(logical.name)}`;
    });
    return `SELECT ${items.join(", ")} FROM ${context.name(rows)}`;
  });
  return parts.join(" UNION ALL ");
}

function refuse({ table, metadata }: Snapshot, files: readonly AddFile[]): void {
  if (columnMappingMode(metadata.configuration) === "id")
    throw notOnSpark("A stream of a table whose columns are found by field ids", "Read it without STREAM.", table);
  if (files.some(({ deletionVector }) => deletionVector !== undefined))
    throw notOnSpark(
      "A stream that begins with a part of a table from which rows were deleted",
      "Leave maxFilesPerTrigger and maxBytesPerTrigger out.",
      table,
    );
}

function castTo(value: string, type: string | undefined): string {
  return type === undefined ? value : `CAST(${value} AS ${type})`;
}

/** An empty text is NULL in the log. */
function partitionValue(value: string | null | undefined): string {
  return value === null || value === undefined || value === "" ? "NULL" : quoteString(value);
}

function byPartition(files: readonly AddFile[]): AddFile[][] {
  const groups = new Map<string, AddFile[]>();
  for (const file of files) {
    const key = JSON.stringify(Object.entries(file.partitionValues).sort());
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()];
}
