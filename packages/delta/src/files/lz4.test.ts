import { expect, it } from "vitest";
import { decompressLz4 } from "./lz4.js";

const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : [part])));
const undo = (input: Uint8Array, length: number) => Buffer.from(decompressLz4(input, length)).toString();

/** Put together by hand from the block format: a token has the lengths of literals and, less 4, of the match. */
it("undoes literals, matches, and matches that repeat themselves", () => {
  expect(undo(bytes(0x50, "hello"), 5)).toBe("hello");
  expect(undo(bytes(0x40, "abcd", 4, 0, 0x50, "fghij"), 13)).toBe("abcdabcdfghij");
  expect(undo(bytes(0x1f, "a", 1, 0, 3, 0x50, "bcdef"), 28)).toBe(`${"a".repeat(23)}bcdef`);
  const long = "x".repeat(15 + 255 + 7);
  expect(undo(bytes(0xf0, 255, 7, long), long.length)).toBe(long);
});

it.each([
  [bytes(0x50, "hell"), 5],
  [bytes(0x40, "abcd", 5, 0, 0x50, "fghij"), 13],
  [bytes(0x40, "abcd", 0, 0, 0x50, "fghij"), 13],
  [bytes(0x50, "hello"), 6],
  [bytes(0x50, "hello"), 4],
  [bytes(0xf0, 255), 300],
  [bytes(0x50, "hello"), 2 ** 40],
])("refuses damage", (input, length) => {
  expect(() => decompressLz4(input, length)).toThrow(/LZ4/);
});
