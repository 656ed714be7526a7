import fc from "fast-check";
import { snappyUncompress } from "hyparquet";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { describe, expect, it } from "vitest";
import { checkSnappy } from "./snappy-check.js";
import { compressSnappy } from "./snappy-compress.js";
import { decompressSnappy } from "./snappy-decompress.js";

/** Bytes that repeat at near and far distances, as texts of statistics do. */
const bytes = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 70 }), fc.integer({ min: 1, max: 40 })), { maxLength: 30 })
  .map((runs) => Uint8Array.from(runs.flatMap(([run, times]) => Array.from({ length: times }, () => [...run]).flat())));

describe("decompressSnappy", () => {
  it("gives back what another program compressed", () => {
    fc.assert(
      fc.property(bytes, (content) => {
        expect(decompressSnappy(snappyCompress(content), content.length)).toEqual(content);
      }),
      { numRuns: 300 },
    );
  });

  it("reads elements of every kind by the format's description", () => {
    // 16 bytes: the literal "abc", a copy of 4 from 1 back, of 5 from 2 back (two-byte offset), of 4 from 4 back (four bytes).
    const block = [16, 0x08, 0x61, 0x62, 0x63, 0x01, 1, 0x12, 2, 0, 0x0f, 4, 0, 0, 0];
    expect(Buffer.from(decompressSnappy(Uint8Array.from(block), 16)).toString()).toBe("abcccccccccccccc");
    expect(Buffer.from(decompressSnappy(Uint8Array.from([4, 0xf0, 3, 1, 2, 3, 4]), 4))).toEqual(
      Buffer.from([1, 2, 3, 4]),
    );
  });

  it("throws for a block that is cut off or of another length", () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (content, cut) => {
        fc.pre(content.length > 0);
        const block = snappyCompress(content);
        expect(() => decompressSnappy(block.slice(0, cut % block.length), content.length)).toThrow("damaged");
        expect(() => decompressSnappy(block, content.length - 1)).toThrow("damaged");
        expect(() => decompressSnappy(block, content.length + 1)).toThrow("damaged");
      }),
    );
  });

  it("throws for a copy from before the start, and for one of no distance", () => {
    expect(() => decompressSnappy(Uint8Array.from([8, 0x0c, 1, 2, 3, 4, 0x01, 5]), 8)).toThrow("damaged");
    expect(() => decompressSnappy(Uint8Array.from([8, 0x0c, 1, 2, 3, 4, 0x01, 0]), 8)).toThrow("damaged");
  });

  it("makes no room for more than a block can stand for", () => {
    expect(() => decompressSnappy(Uint8Array.from([8, 0x0c, 1, 2, 3, 4]), 2 ** 40)).toThrow("damaged");
  });
});

describe("checkSnappy", () => {
  it("finds damaged what cannot be decompressed, and nothing else", () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 2 });
    fc.assert(
      fc.property(bytes, damage, fc.nat({ max: 3 }), (content, changes, cut) => {
        const block = snappyCompress(content);
        for (const [place, value] of changes) block[place % block.length] = value;
        const given = block.subarray(0, block.length - (cut % block.length));
        expect(outcome(() => checkSnappy(given, content.length))).toBe(
          outcome(() => decompressSnappy(given, content.length)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  function outcome(run: () => unknown): string {
    try {
      run();
      return "whole";
    } catch (error) {
      return String(error);
    }
  }
});

describe("compressSnappy", () => {
  const large = Uint8Array.from({ length: 200_000 }, (_, i) => (i % 7 === 0 ? (i * 2_654_435_761) >>> 24 : i % 50));

  it.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["several blocks", large],
    ["one byte again and again", new Uint8Array(150_000)],
    ["what does not compress", Uint8Array.from({ length: 70_000 }, (_, i) => Math.imul(i + 1, 2_654_435_761) >>> 24)],
  ])("makes what another program decompresses to the same: %s", (_name, content) => {
    const output = new Uint8Array(content.length);
    snappyUncompress(compressSnappy(content), output);
    expect(Buffer.compare(output, content)).toBe(0);
  });

  it("holds for any bytes", () => {
    fc.assert(
      fc.property(bytes, (content) => {
        const output = new Uint8Array(content.length);
        const block = compressSnappy(content);
        snappyUncompress(block, output);
        expect(output).toEqual(content);
        expect(decompressSnappy(block, content.length)).toEqual(content);
      }),
      { numRuns: 300 },
    );
  });

  it("makes repeated text small", () => {
    const text = new TextEncoder().encode('{"numRecords":5,"minValues":{"MANDT":"100"}}'.repeat(1000));
    expect(compressSnappy(text).length).toBeLessThan(text.length / 15);
  });
});
