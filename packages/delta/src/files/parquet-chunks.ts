import type { ColumnChunk, SchemaElement, SchemaTree } from "hyparquet";
import type { ByteWriter } from "hyparquet-writer";
import { writeColumn } from "hyparquet-writer/src/column.js";
import { slotsOf } from "./parquet-levels.js";
import { hasLongTexts, PAGE_SIZE, writeTexts } from "./parquet-text-chunk.js";
import { leavesOf } from "./schema-leaves.js";
import { compressSnappy } from "./snappy-compress.js";

/**
 * Writes the values of a top-level column as the chunks of its leaves, with hyparquet-writer's parts.
 *
 * @param values one for each row, as `slotsOf` takes them
 */
export function writeChunks(
  writer: ByteWriter,
  root: SchemaTree,
  column: SchemaTree,
  values: readonly unknown[],
): ColumnChunk[] {
  return leavesOf([root, column]).map((path) => {
    const schemaPath = path.map(({ element }) => element);
    const element = schemaPath.at(-1) as SchemaElement;
    const slots = slotsOf(path, values);
    if (hasLongTexts(element, slots)) return writeTexts(writer, schemaPath, slots);
    const options = { codec: "SNAPPY", compressors: { SNAPPY: compressSnappy }, pageSize: PAGE_SIZE } as const;
    const names = schemaPath.slice(1).map(({ name }) => name);
    const leaf = { ...options, columnName: names.join("."), element, schemaPath };
    const told = { stats: false, columnIndex: false, offsetIndex: false };
    return writeColumn({ writer, column: { ...leaf, ...told }, pageData: slots }).chunk;
  });
}
