import type { FileMetaData, SchemaTree } from "hyparquet";
import type { JsonObject } from "../log/json.js";
import { decompressors } from "./decompress.js";
import type { StoredTexts } from "./parquet-texts.js";
import { selectColumns } from "./select-columns.js";

/**
 * Reads a whole Parquet file into rows of some columns: a top-level one by its name (`protocol`), or one field of a
 * struct by its path (`add.path`). A column that the file lacks is absent from the rows. Structs and maps come as
 * objects, lists as arrays, INT64 as bigint, a null as null or not at all; a date, a timestamp and a decimal as text,
 * `2024-05-01`, `2024-05-01 10:00:00.123456` (and `+00` where it is in UTC), `-1.20`. Rejects when the file is damaged.
 */
export interface ParquetReader {
  (file: Uint8Array, columns: readonly string[]): Promise<readonly JsonObject[]>;
  /**
   * The texts of one column, by the same rows, without making them yet: most of a large checkpoint is statistics that
   * few ask for. Undefined where the file has no such column, or where it cannot be read like that. A reader need not
   * have it.
   *
   * @param explain the error that a text throws that turns out to be damaged when it is asked for
   */
  readonly texts?: (
    file: Uint8Array,
    column: string,
    explain: (cause: unknown) => Error,
  ) => Promise<StoredTexts | undefined>;
}

/** A reader without an engine, made for checkpoints. It is loaded when the first file comes. */
export const hyparquetReader: ParquetReader = Object.assign(readObjects, { texts: readColumn });

async function readObjects(file: Uint8Array, columns: readonly string[]): Promise<readonly JsonObject[]> {
  const [{ parquetReadObjects }, { isPlain, readRows }, { content, metadata, tree, compressors }] = await Promise.all([
    import("hyparquet"),
    import("./parquet-rows.js"),
    open(file, columns),
  ]);
  if (tree.children.length === 0) return [];
  return isPlain(tree)
    ? readRows(new Uint8Array(content), metadata, tree, compressors)
    : parquetReadObjects({ file: content, metadata, compressors });
}

async function readColumn(file: Uint8Array, column: string, explain: (cause: unknown) => Error) {
  const [{ readTexts }, { content, metadata, tree, compressors }] = await Promise.all([
    import("./parquet-texts.js"),
    open(file, [column]),
  ]);
  const path: SchemaTree[] = [tree];
  for (let node = tree.children[0]; node !== undefined; node = node.children[0]) path.push(node);
  const { type, converted_type: meaning } = path.at(-1)?.element ?? {};
  const isText = type === "BYTE_ARRAY" && meaning !== "DECIMAL";
  const isSingle = path.every(({ element, children }) => element.repetition_type !== "REPEATED" && children.length < 2);
  return isText && isSingle ? readTexts(new Uint8Array(content), metadata, path, compressors, explain) : undefined;
}

/**
 * How many values a byte of a file may stand for. The rows of a checkpoint differ, by their paths at least, so each takes
 * many bits; a footer that states more would have memory filled with them.
 */
const VALUES_PER_BYTE = 16;

function assertSize({ row_groups: groups }: FileMetaData, bytes: number): void {
  for (const { num_rows: rows, columns } of groups)
    for (const count of [rows, ...columns.map(({ meta_data }) => meta_data?.num_values ?? 0n)])
      if (Number(count) > bytes * VALUES_PER_BYTE) throw new Error(`it states ${count} values in ${bytes} bytes`);
}

async function open(file: Uint8Array, columns: readonly string[]) {
  const [{ parquetMetadata, parquetSchema }, compressors] = await Promise.all([import("hyparquet"), decompressors()]);
  const isWhole = file.byteLength === file.buffer.byteLength;
  const content = (isWhole ? file.buffer : file.slice().buffer) as ArrayBuffer;
  const metadata = selectColumns(parquetMetadata(content), columns);
  assertSize(metadata, content.byteLength);
  return { content, metadata, compressors, tree: parquetSchema(metadata) };
}
