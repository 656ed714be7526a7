import type { Compressors, FileMetaData, SchemaTree } from "hyparquet";
import { readValues } from "./parquet-leaf.js";
import { type Chunk, emptyLevels, type Page, readPages, unpack } from "./parquet-pages.js";
import { checkSnappy } from "./snappy-check.js";

/** Row by row the page that holds a text, undefined for a null, and the text's place in it. */
export interface StoredTexts {
  readonly pages: readonly (TextPage | undefined)[];
  readonly places: Uint32Array;
}

export interface TextPage {
  text(place: number): string;
}

/**
 * The texts of one column, which stay in their pages until they are asked for. What is damaged is found at once, except
 * a wrong length among texts that are compressed, about one byte in four hundred: that throws when it is come upon.
 *
 * @param path from the root of the schema down to the column, none of which is repeated
 * @param explain the error to throw then
 */
export function readTexts(
  file: Uint8Array,
  { row_groups: groups }: FileMetaData,
  path: readonly SchemaTree[],
  compressors: Compressors,
  explain: (cause: unknown) => Error,
): StoredTexts {
  const rows = groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
  const [pages, places] = [new Array<TextPage | undefined>(rows), new Uint32Array(rows)];
  const name = path.at(-1)?.path.join("\0");
  let first = 0;
  for (const { columns } of groups) {
    const meta = columns.find(({ meta_data }) => meta_data?.path_in_schema.join("\0") === name)?.meta_data;
    if (meta === undefined) throw new Error("a column is missing in a row group");
    const chunk = { meta, path, compressors };
    const levels = emptyLevels(chunk);
    let dictionary: ArrayLike<unknown> | undefined;
    for (const page of readPages(file, chunk, levels)) {
      if (page.isDictionary) dictionary = readValues(page, chunk, undefined);
      const texts = page.count === 0 ? undefined : textPage(page, chunk, dictionary, explain);
      let place = 0;
      for (let slot = page.start; slot < page.end; slot++) {
        if (levels.definitions[slot] !== levels.maxDefinition) continue;
        pages[first + slot] = texts;
        places[first + slot] = place++;
      }
    }
    first += levels.definitions.length;
  }
  return { pages, places };
}

function textPage(
  page: Page,
  chunk: Chunk,
  dictionary: ArrayLike<unknown> | undefined,
  explain: (cause: unknown) => Error,
): TextPage {
  const { header, content, count } = page;
  if ((header.data_page_header ?? header.data_page_header_v2)?.encoding !== "PLAIN") {
    const texts = readValues(page, chunk, dictionary);
    return { text: (place) => texts[place] as string };
  }
  const open = () => new PlainPage(unpack(content, chunk.compressors), count);
  if (content.codec !== "SNAPPY") return open();
  checkSnappy(content.bytes, content.size);
  return new PackedPage(() => {
    try {
      return open();
    } catch (cause) {
      throw explain(cause);
    }
  });
}

/** Texts, each behind its length. Making one throws a plain Error when the page is damaged. */
class PlainPage implements TextPage {
  readonly #bytes: Buffer;
  /** Where each text ends. */
  readonly #ends: Uint32Array;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array, count: number) {
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.#ends = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < count; i++) {
      if (at + 4 > byteLength) throw new Error("a text is cut off");
      at += 4 + this.#bytes.readUInt32LE(at);
      this.#ends[i] = at;
    }
    if (at > byteLength) throw new Error("a text is cut off");
  }

  text(place: number): string {
    const start = (place === 0 ? 0 : (this.#ends[place - 1] ?? 0)) + 4;
    return this.#bytes.toString("utf8", start, this.#ends[place]);
  }
}

/** A page that stays compressed until one of its texts is asked for. */
class PackedPage implements TextPage {
  #open: (() => TextPage) | undefined;
  #page: TextPage | undefined;

  constructor(open: () => TextPage) {
    this.#open = open;
  }

  text(place: number): string {
    if (this.#open !== undefined) this.#page = this.#open();
    // What opens it holds the bytes of the file.
    this.#open = undefined;
    return (this.#page as TextPage).text(place);
  }
}
