import type { FileLayout } from "../engine/file-layout.js";
import type { TextMap } from "../log/actions.js";
import { NULL_FOLDER } from "../operations/partition-path.js";
import { formatPartitionValue } from "./partition-value.js";
import type { Row } from "./value.js";

/** The rows of one partition. */
export interface Partition<R> {
  /** By physical name, as the log has them. */
  readonly values: TextMap;
  /** Of its files: empty, or with a slash at the end. Nothing reads values from it. */
  readonly folder: string;
  readonly rows: readonly R[];
}

/** Partitions in the order of their first rows. */
export function splitByPartition<R extends { readonly row: Row }>(
  { schema, physical, partitionColumns }: Pick<FileLayout, "schema" | "physical" | "partitionColumns">,
  rows: readonly R[],
): Partition<R>[] {
  const columns = partitionColumns.flatMap((name) => {
    const i = schema.fields.findIndex((field) => field.name === name);
    const [field, place] = [schema.fields[i], physical.fields[i]];
    return field === undefined || place === undefined ? [] : [{ name, type: field.type, physicalName: place.name }];
  });
  const partitions = new Map<string, { values: TextMap; folder: string; rows: R[] }>();
  for (const row of rows) {
    const texts = columns.map(({ name, type }) => formatPartitionValue(type, row.row[name] ?? null));
    const key = JSON.stringify(texts);
    let partition = partitions.get(key);
    if (partition === undefined) {
      const entries = columns.map(({ physicalName }, i) => [physicalName, texts[i] ?? null] as const);
      partition = { values: Object.fromEntries(entries), folder: folderOf(entries), rows: [] };
      partitions.set(key, partition);
    }
    partition.rows.push(row);
  }
  return [...partitions.values()];
}

/** Names of folders may have 255 bytes in most file systems. */
const LONGEST_NAME = 200;

/**
 * Hive's names, for people who look. There are none where a name would have to be escaped, which other readers undo
 * once too little or too often, or would be too long.
 */
function folderOf(entries: readonly (readonly [string, string | null])[]): string {
  const names = entries.map(([name, value]) => `${name}=${value ?? NULL_FOLDER}`);
  const isPlain = names.every((name) => /^[\w. -]+=[\w. -]*$/.test(name) && name.length <= LONGEST_NAME);
  return isPlain ? names.map((name) => `${name}/`).join("") : "";
}
