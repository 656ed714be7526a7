import type { ColumnChunk, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import type { Slots } from "./parquet-levels.js";
import { compressSnappy } from "./snappy-compress.js";

/** Bytes of a page before compression, about. */
export const PAGE_SIZE = 2 ** 20;
/** Texts that are longer on average are hardly ever the same, so that a dictionary of them is of no use. */
const LONG_TEXT = 100;

/** Whether a leaf holds one text a row, or none, and these are long: the statistics of a checkpoint. */
export function hasLongTexts({ converted_type }: SchemaElement, { values, maxRepetitionLevel }: Slots): boolean {
  if (converted_type !== "UTF8" || maxRepetitionLevel > 0) return false;
  let [texts, characters] = [0, 0];
  for (const value of values) {
    if (value === null || value === undefined) continue;
    if (typeof value !== "string") return false;
    texts += 1;
    characters += value.length;
  }
  return characters > texts * LONG_TEXT;
}

/**
 * Writes such a leaf as a chunk of plain pages. Each text is written once, to its place in the page; hyparquet-writer
 * makes bytes of each apart, and that takes as long as all else that it does for a checkpoint.
 */
export function writeTexts(writer: ByteWriter, schemaPath: readonly SchemaElement[], slots: Slots): ColumnChunk {
  const { values, definitionLevels, maxDefinitionLevel } = slots;
  const begin = writer.offset;
  let plainSize = 0;
  for (let start = 0; start < values.length; ) {
    const end = pageEnd(values, start);
    const page = pageOf(values.slice(start, end));
    const levels = new ByteWriter();
    writeRleBitPackedHybrid(levels, definitionLevels.slice(start, end), 32 - Math.clz32(maxDefinitionLevel));
    const content = compressSnappy(page.bytes);
    const headerAt = writer.offset;
    writePageHeader(writer, {
      type: "DATA_PAGE_V2",
      uncompressed_page_size: levels.offset + page.bytes.length,
      compressed_page_size: levels.offset + content.length,
      data_page_header_v2: {
        num_values: end - start,
        num_nulls: page.nulls,
        num_rows: end - start,
        encoding: "PLAIN",
        definition_levels_byte_length: levels.offset,
        repetition_levels_byte_length: 0,
        is_compressed: true,
      },
    });
    plainSize += writer.offset - headerAt + levels.offset + page.bytes.length;
    writer.appendBytes(levels.getBytes());
    writer.appendBytes(content);
    start = end;
  }
  return {
    file_offset: BigInt(begin),
    meta_data: {
      type: "BYTE_ARRAY",
      encodings: ["PLAIN"],
      path_in_schema: schemaPath.slice(1).map(({ name }) => name),
      codec: "SNAPPY",
      num_values: BigInt(values.length),
      total_compressed_size: BigInt(writer.offset - begin),
      total_uncompressed_size: BigInt(plainSize),
      data_page_offset: BigInt(begin),
    },
  };
}

function pageEnd(values: readonly unknown[], start: number): number {
  let [end, size] = [start, 0];
  for (; end < values.length && size < PAGE_SIZE; end++) size += String(values[end] ?? "").length;
  return end;
}

/** Texts, each behind its length in bytes; nulls are left out. */
function pageOf(values: readonly unknown[]): { readonly bytes: Uint8Array; readonly nulls: number } {
  const texts = values.filter((value) => typeof value === "string");
  const bytes = Buffer.allocUnsafe(texts.reduce((size, text) => size + 4 + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) {
    const length = bytes.write(text, at + 4);
    bytes.writeUInt32LE(length, at);
    at += 4 + length;
  }
  return { bytes, nulls: values.length - texts.length };
}
