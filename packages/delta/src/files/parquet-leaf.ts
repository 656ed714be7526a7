import { isAscii } from "node:buffer";
import type { ColumnMetaData, Compressors, DecodedArray, PageHeader, SchemaTree } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import { exactValue } from "./parquet-values.js";

/** What a leaf of a Parquet schema holds in a row group, slot by slot: a slot for each row, or for each entry of a list. */
export interface Leaf {
  readonly definitions: Uint8Array;
  /** Undefined where nothing repeats: a slot is a row. */
  readonly repetitions: Uint8Array | undefined;
  /** Undefined where there is none; empty when no slot has one. */
  readonly values: readonly unknown[];
  readonly maxDefinition: number;
}

/** A chunk of a column, its place in the schema, and how to decompress it. */
interface Chunk {
  readonly meta: ColumnMetaData;
  readonly path: readonly SchemaTree[];
  readonly compressors: Compressors;
}

/**
 * Decodes a column chunk with hyparquet's parts, but keeps levels and values apart, and makes texts of whole pages at
 * once: hyparquet's own assembly makes an array for each row and level. Throws a plain Error when it is damaged.
 */
export function readLeaf(file: Uint8Array, chunk: Chunk): Leaf {
  const { meta } = chunk;
  const path = [...chunk.path];
  const [slots, maxDefinition] = [Number(meta.num_values), getMaxDefinitionLevel(path)];
  const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const bytes = file.subarray(start, start + Number(meta.total_compressed_size));
  const reader = { view: viewOf(bytes), offset: 0 };
  const definitions = new Uint8Array(slots);
  const repetitions = getMaxRepetitionLevel(path) > 0 ? new Uint8Array(slots) : undefined;
  let values: unknown[] = [];
  let dictionary: readonly unknown[] | undefined;
  for (let slot = 0; slot < slots; ) {
    const header = parquetHeader(reader);
    const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    if (page.length < header.compressed_page_size) throw new Error("a page is cut off");
    reader.offset += page.length;
    if (header.type === "DICTIONARY_PAGE") {
      const content = decompressPage(page, header.uncompressed_page_size, meta.codec, chunk.compressors);
      dictionary = plainValues(content, header.dictionary_page_header?.num_values ?? 0, chunk);
      continue;
    }
    const count = (header.data_page_header ?? header.data_page_header_v2)?.num_values;
    if (count === undefined) throw new Error(`a page is of the unknown type ${header.type}`);
    const found = definitions.subarray(slot, slot + count);
    const content = readPage(page, header, chunk, found, repetitions?.subarray(slot, slot + count), dictionary);
    if (content.length > 0) {
      if (values.length === 0) values = new Array(slots);
      let next = 0;
      for (let i = 0; i < count; i++) if (found[i] === maxDefinition) values[slot + i] = content[next++];
    }
    slot += count;
  }
  return { definitions, repetitions, values, maxDefinition };
}

/** Fills in the levels of a page and gives the values that it holds, one behind the other. */
function readPage(
  page: Uint8Array,
  header: PageHeader,
  chunk: Chunk,
  definitions: Uint8Array,
  repetitions: Uint8Array | undefined,
  dictionary: readonly unknown[] | undefined,
): ArrayLike<unknown> {
  const { meta, compressors } = chunk;
  const path = [...chunk.path];
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  const levels = [
    { output: repetitions, max: getMaxRepetitionLevel(path), length: v2?.repetition_levels_byte_length },
    { output: definitions, max: getMaxDefinitionLevel(path), length: v2?.definition_levels_byte_length },
  ];
  const readLevels = (bytes: Uint8Array): Uint8Array => {
    const reader = { view: viewOf(bytes), offset: 0 };
    for (const { output, max, length } of levels) {
      if (max > 0 && output !== undefined) readRleBitPackedHybrid(reader, 32 - Math.clz32(max), output, length);
    }
    return bytes.subarray(reader.offset);
  };
  let content: Uint8Array;
  if (v1 !== undefined) {
    content = readLevels(decompressPage(page, header.uncompressed_page_size, meta.codec, compressors));
  } else {
    const values = readLevels(page);
    const size = header.uncompressed_page_size - (page.length - values.length);
    content = v2?.is_compressed === false ? values : decompressPage(values, size, meta.codec, compressors);
  }
  const maxDefinition = getMaxDefinitionLevel(path);
  let count = 0;
  for (const level of definitions) if (level === maxDefinition) count += 1;
  if (count === 0) return [];
  const encoding = (v1 ?? v2)?.encoding;
  if (encoding === "PLAIN") return plainValues(content, count, chunk);
  if (encoding?.endsWith("_DICTIONARY") && dictionary !== undefined) return look(content, count, dictionary);
  const decoder = decoderOf(chunk);
  const { dataPage } =
    v1 === undefined
      ? readDataPageV2(page, header, decoder)
      : readDataPage(decompressPage(page, header.uncompressed_page_size, meta.codec, compressors), v1, decoder);
  return meanings(dataPage, decoder);
}

function look(content: Uint8Array, count: number, dictionary: readonly unknown[]): unknown[] {
  const ids = new Uint32Array(count);
  const bitWidth = content[0] ?? 0;
  if (bitWidth > 0) readRleBitPackedHybrid({ view: viewOf(content), offset: 1 }, bitWidth, ids, content.length - 1);
  return Array.from(ids, (id) => dictionary[id]);
}

function plainValues(content: Uint8Array, count: number, chunk: Chunk): readonly unknown[] {
  const decoder = decoderOf(chunk);
  const { type, element } = decoder;
  if (type === "BYTE_ARRAY" && element.converted_type !== "DECIMAL") return texts(content, count);
  return meanings(readPlain({ view: viewOf(content), offset: 0 }, type, count, element.type_length), decoder);
}

function meanings(values: DecodedArray, decoder: ReturnType<typeof decoderOf>): readonly unknown[] {
  const exact = exactValue(decoder.element);
  return exact === undefined
    ? Array.from<unknown>(convert(values, decoder))
    : Array.from<unknown, string>(values, exact);
}

/**
 * Texts, each behind its length. The whole page becomes one string of which the texts are parts, which the engine does
 * not copy; that is right wherever a byte is a character.
 */
function texts(content: Uint8Array, count: number): string[] {
  const page = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const whole = page.toString("latin1");
  const view = viewOf(content);
  const found = new Array<string>(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    if (at > page.length) throw new Error("a text is cut off");
    found[i] = isAscii(content.subarray(start, at)) ? whole.slice(start, at) : page.toString("utf8", start, at);
  }
  return found;
}

function decoderOf({ meta, path, compressors }: Chunk) {
  const element = path.at(-1)?.element;
  if (element === undefined) throw new Error("a column is not in the schema");
  const { type, codec, path_in_schema: pathInSchema } = meta;
  return { pathInSchema, type, codec, element, schemaPath: [...path], parsers: DEFAULT_PARSERS, compressors };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView<ArrayBuffer> {
  return new DataView(buffer as ArrayBuffer, byteOffset, byteLength);
}
