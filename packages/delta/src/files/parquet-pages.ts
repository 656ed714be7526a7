import type { ColumnMetaData, CompressionCodec, Compressors, PageHeader, SchemaTree } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";

/** A chunk of a column, its place in the schema, and how to decompress it. */
export interface Chunk {
  readonly meta: ColumnMetaData;
  readonly path: readonly SchemaTree[];
  readonly compressors: Compressors;
}

/** How deep each slot of a chunk is defined, and where it repeats: a slot for each row, or for each entry of a list. */
export interface Levels {
  readonly definitions: Uint8Array;
  /** Undefined where nothing repeats: a slot is a row. */
  readonly repetitions: Uint8Array | undefined;
  readonly maxDefinition: number;
}

/** A page of values, nulls left out, or of a dictionary. */
export interface Page {
  readonly header: PageHeader;
  /** As it stands in the file. */
  readonly bytes: Uint8Array;
  readonly isDictionary: boolean;
  /** Its slots, none in a dictionary, and how many values it holds for them. */
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly content: Content;
}

/** What stands behind the levels of a page. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly codec: CompressionCodec;
  /** Without compression. */
  readonly size: number;
}

export function unpack({ bytes, codec, size }: Content, compressors: Compressors): Uint8Array {
  return decompressPage(bytes, size, codec, compressors);
}

export function emptyLevels({ meta, path }: Chunk): Levels {
  const [slots, tree] = [Number(meta.num_values), [...path]];
  return {
    definitions: new Uint8Array(slots),
    repetitions: getMaxRepetitionLevel(tree) > 0 ? new Uint8Array(slots) : undefined,
    maxDefinition: getMaxDefinitionLevel(tree),
  };
}

/** The pages of a chunk, one behind the other; fills the levels in. Throws a plain Error when one is damaged. */
export function* readPages(file: Uint8Array, chunk: Chunk, levels: Levels): Generator<Page> {
  const { meta } = chunk;
  const begin = Number(meta.dictionary_page_offset || meta.data_page_offset);
  const column = file.subarray(begin, begin + Number(meta.total_compressed_size));
  const reader = { view: viewOf(column), offset: 0 };
  for (let start = 0; start < levels.definitions.length; ) {
    const header = parquetHeader(reader);
    const bytes = column.subarray(reader.offset, reader.offset + header.compressed_page_size);
    if (bytes.length < header.compressed_page_size) throw new Error("a page is cut off");
    reader.offset += bytes.length;
    if (header.type === "DICTIONARY_PAGE") {
      const content = { bytes, codec: meta.codec, size: header.uncompressed_page_size };
      const count = header.dictionary_page_header?.num_values ?? 0;
      yield { header, bytes, isDictionary: true, start, end: start, count, content };
      continue;
    }
    const slots = (header.data_page_header ?? header.data_page_header_v2)?.num_values;
    if (slots === undefined) throw new Error(`a page is of the unknown type ${header.type}`);
    const end = start + slots;
    const content = readLevels(bytes, header, chunk, {
      ...levels,
      definitions: levels.definitions.subarray(start, end),
      repetitions: levels.repetitions?.subarray(start, end),
    });
    let count = 0;
    for (let slot = start; slot < end; slot++) if (levels.definitions[slot] === levels.maxDefinition) count += 1;
    yield { header, bytes, isDictionary: false, start, end, count, content };
    start = end;
  }
}

/** The levels stand before the values: in pages of version 1 they are compressed with them, in version 2 they are not. */
function readLevels(page: Uint8Array, header: PageHeader, chunk: Chunk, levels: Levels): Content {
  const { data_page_header_v2: v2, uncompressed_page_size: size } = header;
  const { codec } = chunk.meta;
  const bytes = v2 === undefined ? unpack({ bytes: page, codec, size }, chunk.compressors) : page;
  const reader = { view: viewOf(bytes), offset: 0 };
  for (const { output, max, length } of [
    {
      output: levels.repetitions,
      max: getMaxRepetitionLevel([...chunk.path]),
      length: v2?.repetition_levels_byte_length,
    },
    { output: levels.definitions, max: levels.maxDefinition, length: v2?.definition_levels_byte_length },
  ])
    if (max > 0 && output !== undefined) readRleBitPackedHybrid(reader, 32 - Math.clz32(max), output, length);
  const values = bytes.subarray(reader.offset);
  const isPlain = v2 === undefined || v2.is_compressed === false;
  return { bytes: values, codec: isPlain ? "UNCOMPRESSED" : codec, size: size - reader.offset };
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView<ArrayBuffer> {
  return new DataView(buffer as ArrayBuffer, byteOffset, byteLength);
}
