import { isAscii } from "node:buffer";
import type { DecodedArray } from "hyparquet";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { type Chunk, emptyLevels, type Levels, type Page, readPages, unpack, viewOf } from "./parquet-pages.js";
import { exactValue } from "./parquet-values.js";

/** What a leaf of a Parquet schema holds in a row group, slot by slot. */
export interface Leaf extends Levels {
  /** Undefined where there is none; empty when no slot has one. */
  readonly values: readonly unknown[];
}

/**
 * Decodes a column chunk with hyparquet's parts, but keeps levels and values apart, and makes texts of whole pages at
 * once: hyparquet's own assembly makes an array for each row and level. Throws a plain Error when it is damaged.
 */
export function readLeaf(file: Uint8Array, chunk: Chunk): Leaf {
  const levels = emptyLevels(chunk);
  const { definitions, maxDefinition } = levels;
  let values: unknown[] = [];
  let dictionary: ArrayLike<unknown> | undefined;
  for (const page of readPages(file, chunk, levels)) {
    const content = readValues(page, chunk, dictionary);
    if (page.isDictionary) dictionary = content;
    if (page.isDictionary || page.count === 0) continue;
    if (values.length === 0) values = new Array(definitions.length);
    let next = 0;
    for (let slot = page.start; slot < page.end; slot++)
      if (definitions[slot] === maxDefinition) values[slot] = content[next++];
  }
  return { ...levels, values };
}

/** The values that a page holds, one behind the other. */
export function readValues(page: Page, chunk: Chunk, dictionary: ArrayLike<unknown> | undefined): ArrayLike<unknown> {
  const { header, bytes, count, content } = page;
  const { meta, compressors } = chunk;
  const { data_page_header: v1, data_page_header_v2: v2 } = header;
  if (count === 0) return [];
  const encoding = page.isDictionary ? "PLAIN" : (v1 ?? v2)?.encoding;
  if (encoding === "PLAIN") return plainValues(unpack(content, compressors), count, chunk);
  if (encoding?.endsWith("_DICTIONARY") && dictionary !== undefined)
    return look(unpack(content, compressors), count, dictionary);
  const decoder = decoderOf(chunk);
  if (v1 === undefined) return meanings(readDataPageV2(bytes, header, decoder).dataPage, decoder);
  const whole = unpack({ bytes, codec: meta.codec, size: header.uncompressed_page_size }, compressors);
  return meanings(readDataPage(whole, v1, decoder).dataPage, decoder);
}

function look(content: Uint8Array, count: number, dictionary: ArrayLike<unknown>): unknown[] {
  const ids = new Uint32Array(count);
  const bitWidth = content[0] ?? 0;
  if (bitWidth > 0) readRleBitPackedHybrid({ view: viewOf(content), offset: 1 }, bitWidth, ids, content.length - 1);
  return Array.from(ids, (id) => dictionary[id]);
}

function plainValues(content: Uint8Array, count: number, chunk: Chunk): ArrayLike<unknown> {
  const decoder = decoderOf(chunk);
  const { type, element } = decoder;
  if (type === "BYTE_ARRAY" && element.converted_type !== "DECIMAL") return texts(content, count);
  return meanings(readPlain({ view: viewOf(content), offset: 0 }, type, count, element.type_length), decoder);
}

function meanings(values: DecodedArray, decoder: ReturnType<typeof decoderOf>): ArrayLike<unknown> {
  const exact = exactValue(decoder.element);
  return exact === undefined ? convert(values, decoder) : Array.from<unknown, string>(values, exact);
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
