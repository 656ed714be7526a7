import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { findEncoding } from "../../model/encodings.js";
import { decoderOf } from "./text-decoder.js";

const tables = JSON.parse(readFileSync("test/fixtures/encodings/single-byte.json", "utf8")) as Record<string, string>;

// By Python's codecs.
it.each(Object.entries(tables))("decodes each byte of %s, or says that it has no meaning", (name, upper) => {
  expect(findEncoding(name.toLowerCase())).toBe(name);
  const decoder = decoderOf(name);
  for (let byte = 0; byte < 256; byte++) {
    const expected = byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80];
    const found = decoder.toUtf8(Buffer.from([byte]))?.toString() ?? "\uffff";
    expect([byte, found]).toEqual([byte, expected]);
    expect(decoder.firstBad(Buffer.from([0x41, byte]))).toBe(expected === "\uffff" ? 1 : -1);
  }
});

// By Python's codecs: '日本語,Müller\n'.encode(…)
it.each([
  ["windows-31j", "93fa967b8cea2c310a", "日本語,1\n"],
  ["EUC-JP", "c6fccbdcb8ec2c310a", "日本語,1\n"],
  ["GBK", "c8d5b1be2c310a", "日本,1\n"],
  ["Big5", "a4e5a6722c310a", "文字,1\n"],
  ["EUC-KR", "c7d1b1db2c310a", "한글,1\n"],
  ["UTF-16LE", "4d00fc003dd800de0a00", "Mü\u{1F600}\n"],
  ["UTF-16BE", "004d00fcd83dde00000a", "Mü\u{1F600}\n"],
])("decodes %s", (name, hex, text) => {
  expect(decoderOf(name).toUtf8(Buffer.from(hex, "hex"))?.toString()).toBe(text);
});

it.each([
  ["windows-31j", "41ff42", 1],
  ["GBK", "41420aff42", 3],
  ["EUC-KR", "4181", 1],
  ["UTF-16LE", "41003dd84200", 2],
  ["UTF-16LE", "4100de", 2],
  ["UTF-16BE", "0041de00", 2],
])("finds the first bad byte of %s", (name, hex, index) => {
  const bytes = Buffer.from(hex, "hex");
  expect(decoderOf(name).toUtf8(bytes)).toBeUndefined();
  expect(decoderOf(name).firstBad(bytes)).toBe(index);
});
