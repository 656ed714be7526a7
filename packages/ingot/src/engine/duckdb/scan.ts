import { type AddFile, columnMappingMode, type RowSelection, type Rows, type Snapshot } from "@ingot/delta";
import type { Field } from "../../model/data-type.js";
import { quoteName, quoteText } from "../../sql/lower/lower-text.js";
import { emptyRelation } from "./empty-relation.js";
import { nestedNamesCondition } from "./nested-field-ids.js";
import { logicalValue, mapColumns, schemaOption } from "./parquet-columns.js";
import { partitionValue } from "./partition-value.js";
import { locateFile, readParquet } from "./read-parquet.js";
import { cardinalityOption } from "./row-estimate.js";
import { joinedRowCondition, rowCondition } from "./row-filter.js";

/** The rows that deletion vectors take away, by the file that has one. */
export type DeletedRows = ReadonlyMap<AddFile, Rows>;

/** A data file, and which of its rows are meant. */
export interface ScanFile {
  readonly path: string;
  readonly partitionValues: AddFile["partitionValues"];
  /** In bytes. */
  readonly size: number;
  readonly stats?: AddFile["stats"];
  /** Undefined: all. */
  readonly rows?: RowSelection | undefined;
}

/** SQL that gives the rows of a snapshot, with the columns and types of its schema. */
export function scanSnapshot(snapshot: Snapshot, deleted: DeletedRows = new Map()): string {
  return scanFiles(snapshot, snapshot.files, deleted);
}

/** SQL that gives the rows of some files of a table, without the deleted ones. */
export function scanFiles(snapshot: Snapshot, files: readonly AddFile[], deleted: DeletedRows = new Map()): string {
  return scanRows(
    snapshot,
    files.map((file) => {
      const except = deleted.get(file);
      if (except === undefined && file.deletionVector !== undefined)
        throw new Error(`unreachable: the deletion vector of ${file.path} was not read`);
      return { ...file, rows: except === undefined ? undefined : { except } };
    }),
  );
}

/**
 * SQL that gives some rows of some files, with the columns and types of the snapshot's schema, and after them further
 * columns of the files as they are. Partition columns are not in the files: their values stand in the log.
 */
export function scanRows(snapshot: Snapshot, files: readonly ScanFile[], further: readonly Field[] = []): string {
  // What further columns there are has no field id; their files are Delta's own, with physical names.
  const isById = further.length === 0 && columnMappingMode(snapshot.metadata.configuration) === "id";
  const columns = [
    ...mapColumns(snapshot, isById),
    ...further.map((field) => ({ logical: field, physical: field, key: quoteText(field.name) })),
  ];
  if (files.length === 0) return emptyRelation(columns.map(({ logical }) => logical));
  const { partitionColumns } = snapshot.metadata;
  const inFiles = columns.filter(({ logical }) => !partitionColumns.includes(logical.name));
  const schema = inFiles.length === 0 ? undefined : schemaOption(inFiles);
  const parts = groupFiles(files).map((members) => {
    const values = members[0]?.partitionValues ?? {};
    const selected = columns.map((column) => {
      const index = inFiles.indexOf(column);
      const { logical, physical } = column;
      const value = index === -1 ? partitionValue(logical.type, values[physical.name]) : logicalValue(column, index);
      return `${value} AS ${quoteName(logical.name)}`;
    });
    const located = members.map((member) => locateFile(snapshot.table, member));
    const source = readParquet(located, schema, [cardinalityOption(members)]);
    const rows = members.flatMap((member) => member.rows ?? []);
    const [first, ...others] = rows;
    const { join: selection, condition } =
      first === undefined || others.length === 0
        ? { join: "", condition: first && rowCondition(first) }
        : joinedRowCondition(rows);
    const conditions = [condition, isById ? nestedNamesCondition(snapshot, located) : undefined].filter(
      (part) => part !== undefined,
    );
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
    return `SELECT ${selected.join(", ")} FROM ${source}${selection}${where}`;
  });
  return parts.join(" UNION ALL ");
}

/** From so many files on, of which some rows are meant, reading them apart costs more than joining. */
const MANY = 32;

/** Files of one partition are read together; those of which some rows are meant apart from the others. */
function groupFiles(files: readonly ScanFile[]): ScanFile[][] {
  const groups = new Map<string, ScanFile[]>();
  for (const file of files) {
    const key = JSON.stringify([file.rows !== undefined, ...Object.entries(file.partitionValues).sort()]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(file);
  }
  return [...groups.values()].flatMap((group) =>
    group[0]?.rows === undefined || group.length >= MANY ? [group] : group.map((file) => [file]),
  );
}
