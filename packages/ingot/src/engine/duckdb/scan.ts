import { isAbsolute, join } from "node:path";
import type { AddFile, Snapshot } from "@ingot/delta";
import type { Field } from "../../model/data-type.js";
import { fromDeltaSchema } from "./delta-schema.js";
import { quoteName, quotePath, quoteText } from "./quote.js";
import { duckdbType, emptyRelation } from "./types.js";

/** SQL that gives the rows of a snapshot, with the columns and types of its schema. */
export function scanSnapshot(snapshot: Snapshot): string {
  return scanFiles(snapshot, snapshot.files);
}

/**
 * SQL that gives the rows of some files of a table. Partition columns are not in the files: their values stand in the
 * log. A column that a file lacks (it was added later) is NULL.
 */
export function scanFiles(snapshot: Snapshot, files: readonly AddFile[]): string {
  const schema = fromDeltaSchema(snapshot.schema);
  if (files.length === 0) return emptyRelation(schema);
  const partitionBy = snapshot.metadata.partitionColumns;
  const inFiles = schema.filter((f) => !partitionBy.includes(f.name));
  const parts = [...groupByPartition(files)].map(([values, group]) => {
    const constants = partitionBy.map((name) => partitionValue(schema, name, values[name]));
    const paths = group.map((file) => quotePath(fileOf(snapshot.table, file))).join(", ");
    const rows = `SELECT * FROM read_parquet([${paths}], union_by_name = true, hive_partitioning = false)`;
    const columns = [...inFiles.map((f) => quoteName(f.name)), ...constants].join(", ");
    return `SELECT ${columns} FROM (${emptyRelation(inFiles)} UNION ALL BY NAME ${rows})`;
  });
  const columns = schema.map((f) => `${quoteName(f.name)}::${duckdbType(f.type)} AS ${quoteName(f.name)}`).join(", ");
  return `SELECT ${columns} FROM (${parts.join(" UNION ALL ")})`;
}

function groupByPartition(files: readonly AddFile[]): Map<AddFile["partitionValues"], AddFile[]> {
  const groups = new Map<string, { values: AddFile["partitionValues"]; files: AddFile[] }>();
  for (const file of files) {
    const key = JSON.stringify(Object.entries(file.partitionValues).sort());
    const group = groups.get(key) ?? { values: file.partitionValues, files: [] };
    group.files.push(file);
    groups.set(key, group);
  }
  return new Map([...groups.values()].map((g) => [g.values, g.files]));
}

/** Partition values are text in the log; the empty text means NULL (Delta protocol, "Partition Value Serialization"). */
function partitionValue(schema: readonly Field[], name: string, value: string | null | undefined): string {
  const field = schema.find((f) => f.name === name);
  const type = field === undefined ? "VARCHAR" : duckdbType(field.type);
  const text = value === null || value === undefined || value === "" ? "NULL" : quoteText(value);
  return `CAST(${text} AS ${type}) AS ${quoteName(name)}`;
}

function fileOf(table: string, file: AddFile): string {
  return isAbsolute(file.path) ? file.path : join(table, file.path);
}
