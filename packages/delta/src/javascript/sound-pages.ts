import type { ColumnMetaData, Compressors, SchemaTree } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";

/** A column chunk as the footer describes it. */
export interface Chunk {
  readonly meta: ColumnMetaData;
  /** From the root of the schema to its leaf. */
  readonly path: readonly SchemaTree[];
  /** Of its row group. */
  readonly rows: number;
  /** Called for pages whose runs stand in what is compressed. */
  readonly compressors: Compressors;
}

/**
 * Passes when the pages of a column chunk hold as many values as the footer says, and no run of levels or dictionary ids
 * is longer than its page. hyparquet believes runs: one damaged bit makes it fill all memory.
 *
 * Throws a plain Error that says what is damaged.
 */
export function assertSoundPages(bytes: Uint8Array, { meta, path, rows, compressors }: Chunk): void {
  const [maxRepetition, maxDefinition] = [getMaxRepetitionLevel([...path]), getMaxDefinitionLevel([...path])];
  const values = Number(meta.num_values);
  const name = meta.path_in_schema.join(".");
  if (maxRepetition === 0 && values !== rows) throw new Error(`${name} has ${values} values in ${rows} rows`);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: 0 };
  for (let seen = 0; seen < values; ) {
    const header = parquetHeader(reader);
    const size = header.compressed_page_size;
    if (!(size >= 0 && reader.offset + size <= bytes.length)) throw new Error(`a page of ${name} is cut off`);
    const page = bytes.subarray(reader.offset, reader.offset + size);
    reader.offset += size;
    const { data_page_header: v1, data_page_header_v2: v2 } = header;
    if (header.type === "DICTIONARY_PAGE") continue;
    const { num_values: count, encoding } = v1 ?? v2 ?? { num_values: Number.NaN };
    if (!(count >= 0 && seen + count <= values)) throw new Error(`a page of ${name} states ${count} values`);
    seen += count;
    let [content, at] = [page, 0];
    const decompress = (compressed: Uint8Array, length: number): Uint8Array =>
      decompressPage(compressed, length, meta.codec, compressors);
    if (v1 !== undefined) {
      content = decompress(page, header.uncompressed_page_size);
      for (const max of [maxRepetition, maxDefinition])
        if (max > 0) at = checkPrefixed(content, at, bitsOf(max), count);
    } else if (v2 !== undefined) {
      const [repetition, levels] = [
        v2.repetition_levels_byte_length,
        v2.repetition_levels_byte_length + v2.definition_levels_byte_length,
      ];
      if (!(repetition >= 0 && levels >= repetition && levels <= size))
        throw new Error(`the levels of ${name} are cut off`);
      if (!(v2.num_nulls >= 0 && v2.num_nulls <= count))
        throw new Error(`a page of ${name} states ${v2.num_nulls} nulls`);
      if (maxRepetition > 0) checkRuns(page.subarray(0, repetition), bitsOf(maxRepetition), count);
      if (maxDefinition > 0) checkRuns(page.subarray(repetition, levels), bitsOf(maxDefinition), count);
      content = page.subarray(levels);
      const isRuns = encoding === "RLE" || encoding?.endsWith("_DICTIONARY");
      if (isRuns && v2.is_compressed !== false) content = decompress(content, header.uncompressed_page_size - levels);
    }
    // Nulls have no id, so that fewer may be there than the page has values.
    if (encoding?.endsWith("_DICTIONARY")) checkRuns(content.subarray(at + 1), content[at] ?? 0, count, true);
    else if (encoding === "RLE") checkPrefixed(content, at, 1, count, true);
  }
}

function bitsOf(max: number): number {
  return 32 - Math.clz32(max);
}

/** Runs behind their length in four bytes; gives the place behind them. */
function checkPrefixed(bytes: Uint8Array, at: number, width: number, values: number, mayBeFewer = false): number {
  const start = at + 4;
  const end = start + new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(at, true);
  checkRuns(bytes.subarray(start, end), width, values, mayBeFewer);
  return end;
}

/**
 * Source: the Parquet format, "Run Length Encoding / Bit-Packing Hybrid". Packed values come in groups of eight, and may
 * be more than the page has (DuckDB packs 256 at a time): all of their bytes are there then.
 */
function checkRuns(bytes: Uint8Array, width: number, values: number, mayBeFewer = false): void {
  let at = 0;
  for (let left = values; left > 0; ) {
    if (at >= bytes.length) {
      if (mayBeFewer) return;
      throw new Error(`a page has ${values - left} levels for ${values} values`);
    }
    let header = 0;
    for (let shift = 1, byte = 128; byte >= 128 && shift <= 2 ** 28; shift *= 128) {
      byte = bytes[at++] ?? 0;
      header += (byte & 127) * shift;
    }
    const isPacked = header % 2 === 1;
    const run = Math.floor(header / 2) * (isPacked ? 8 : 1);
    const size = isPacked ? (run / 8) * width : (width + 7) >> 3;
    const isPadded = isPacked && width > 0 && at + size <= bytes.length;
    if (run > Math.ceil(left / 8) * 8 && !isPadded)
      throw new Error(`a run of ${run} values does not fit into a page of ${values}`);
    at += size;
    left -= run;
  }
}
