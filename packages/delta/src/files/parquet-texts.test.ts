import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, it } from "vitest";
import { hyparquetReader } from "./parquet.js";
import type { StoredTexts } from "./parquet-texts.js";
import { compressSnappy } from "./snappy-compress.js";

const explain = (cause: unknown) => new Error("explained", { cause });

/** With pages of some texts only, so that there are several. */
function write(data: readonly (string | null)[], options: object = {}): Uint8Array {
  const columnData = [{ name: "stats", data: [...data], type: "STRING" as const, nullable: true }];
  const compressors = { SNAPPY: compressSnappy };
  return new Uint8Array(parquetWriteBuffer({ columnData, compressors, pageSize: 60, rowGroupSize: 7, ...options }));
}

function textsOf({ pages, places }: StoredTexts): (string | null)[] {
  return Array.from(places, (place, row) => pages[row]?.text(place) ?? null);
}

describe("the texts of a column", () => {
  const data = fc.array(fc.option(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("", "ü", "twice"))), {
    minLength: 1,
    maxLength: 30,
  });

  it.each(["SNAPPY", "UNCOMPRESSED"])("are those that were written: %s", async (codec) => {
    await fc.assert(
      fc.asyncProperty(data, async (texts) => {
        const found = await hyparquetReader.texts?.(write(texts, { codec }), "stats", explain);
        expect(found && textsOf(found)).toEqual(texts);
      }),
      { numRuns: 100 },
    );
  });

  it("may stand in a dictionary", async () => {
    const texts = Array.from({ length: 40 }, (_, i) => (i % 5 === 0 ? null : `text ${i % 3}`));
    const file = write(texts, { pageSize: 1000, rowGroupSize: 40 });
    expect(Buffer.from(file).toString("latin1").split("text 1")).toHaveLength(2);
    const found = await hyparquetReader.texts?.(file, "stats", explain);
    expect(found && textsOf(found)).toEqual(texts);
  });

  it("are not there where the column is missing or holds no texts", async () => {
    const columnData = [{ name: "size", data: [1, 2], type: "INT32" as const }];
    const file = new Uint8Array(parquetWriteBuffer({ columnData }));
    expect(await hyparquetReader.texts?.(file, "stats", explain)).toBeUndefined();
    expect(await hyparquetReader.texts?.(file, "size", explain)).toBeUndefined();
  });
});

describe("damage", () => {
  const texts = ["first", "second"];
  const at = (file: Uint8Array, text: string) => Buffer.from(file).indexOf(text);

  it("of a compressed page is found at once", async () => {
    const file = write(texts);
    file[at(file, "first") - 5] = 0xf0;
    await expect(hyparquetReader.texts?.(file, "stats", explain)).rejects.toThrow("a Snappy block is damaged");
  });

  it("of a text's length is explained when the text is asked for", async () => {
    const file = write(texts);
    file[at(file, "second") - 4] = 7;
    const found = await hyparquetReader.texts?.(file, "stats", explain);
    for (const place of [0, 0, 1]) expect(() => found?.pages[0]?.text(place)).toThrow("explained");
  });

  it("of a text's length is found at once where the page is not compressed", async () => {
    const file = write(texts, { codec: "UNCOMPRESSED" });
    file[at(file, "second") - 4] = 7;
    await expect(hyparquetReader.texts?.(file, "stats", explain)).rejects.toThrow("a text is cut off");
  });
});
