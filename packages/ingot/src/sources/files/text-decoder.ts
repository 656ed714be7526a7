import { isUtf8 } from "node:buffer";
import { firstBadByte, unfinishedBytes } from "./utf8.js";

/** Turns the bytes of an encoding into UTF-8. It keeps nothing between two calls. */
export interface Decoder {
  /** How many bytes at the end of a chunk the next chunk has to complete. */
  unfinished(chunk: Buffer): number;
  /** Undefined where a byte has no meaning in the encoding, or the last character is cut off. */
  toUtf8(bytes: Buffer): Buffer | undefined;
  /** Index of the first byte that `toUtf8` cannot take. */
  firstBad(bytes: Buffer): number;
}

/** @param encoding as `findEncoding` gives it; of UTF-16 one with a byte order */
export function decoderOf(encoding: string): Decoder {
  if (encoding === "UTF-8") return UTF8;
  if (encoding.startsWith("UTF-16")) return utf16(encoding === "UTF-16BE");
  if (MULTI_BYTE[encoding] !== undefined) return multiByte(MULTI_BYTE[encoding]);
  return singleByte(tableOf(encoding));
}

const UTF8: Decoder = {
  unfinished: unfinishedBytes,
  toUtf8: (bytes) => (isUtf8(bytes) ? bytes : undefined),
  firstBad: firstBadByte,
};

/** The Encoding Standard's labels; its `shift_jis` is windows-31j. */
const MULTI_BYTE: Readonly<Record<string, string>> = {
  "windows-31j": "shift_jis",
  "EUC-JP": "euc-jp",
  GBK: "gbk",
  GB18030: "gb18030",
  Big5: "big5",
  "EUC-KR": "euc-kr",
};

/** Sets of which ICU has only Microsoft's extension, in the bytes 80 to 9F. */
const EXTENDED_BY_MICROSOFT: Readonly<Record<string, string>> = {
  "ISO-8859-9": "windows-1254",
  "ISO-8859-11": "windows-874",
};

const NO_CHARACTER = 0xffff;

/** Bytes to which ICU gives characters that the tables of Microsoft and IANA do not have. */
const GAPS: Readonly<Record<string, readonly number[]>> = {
  "ISO-8859-11": [0xdb, 0xdc, 0xdd, 0xde, 0xfc, 0xfd, 0xfe, 0xff],
  "windows-874": [0xdb, 0xdc, 0xdd, 0xde, 0xfc, 0xfd, 0xfe, 0xff],
  "windows-1253": [0xaa],
};

/** Bytes 80 to 9F of windows-1252, which Node 20 takes for ISO-8859-1; a gap is U+FFFF. */
const WINDOWS_1252 =
  "\u20ac\uffff\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\uffff\u017d\uffff" +
  "\uffff\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\uffff\u017e\u0178";

/** The UTF-16 unit of each byte. */
function tableOf(encoding: string): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? byte : unitOf(encoding, byte)));
}

function unitOf(encoding: string, byte: number): number {
  const isControl = byte < 0xa0;
  if (encoding === "US-ASCII" || GAPS[encoding]?.includes(byte) === true) return NO_CHARACTER;
  if (encoding === "ISO-8859-1" || (isControl && encoding.startsWith("ISO-8859-"))) return byte;
  if (encoding === "windows-1252") return isControl ? WINDOWS_1252.charCodeAt(byte - 0x80) : byte;
  const unit = decodeByte(new TextDecoder(EXTENDED_BY_MICROSOFT[encoding] ?? encoding, { fatal: true }), byte);
  // ICU fills the gaps of Microsoft's sets with control characters; no file means them.
  return isControl && unit === byte ? NO_CHARACTER : unit;
}

function decodeByte(decoder: InstanceType<typeof TextDecoder>, byte: number): number {
  try {
    return decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
  } catch {
    return NO_CHARACTER;
  }
}

function singleByte(table: Uint16Array): Decoder {
  return {
    unfinished: () => 0,
    toUtf8(bytes) {
      const units = new Uint16Array(bytes.length);
      for (let i = 0; i < bytes.length; i++) {
        const unit = table[bytes[i] as number] as number;
        if (unit === NO_CHARACTER) return undefined;
        units[i] = unit;
      }
      return Buffer.from(Buffer.from(units.buffer).toString("utf16le"));
    },
    firstBad: (bytes) => bytes.findIndex((byte) => table[byte] === NO_CHARACTER),
  };
}

function utf16(bigEndian: boolean): Decoder {
  const unitAt = (bytes: Buffer, i: number) => (bigEndian ? bytes.readUInt16BE(i) : bytes.readUInt16LE(i));
  /** Half of a pair without the other half, or of a unit; -1 for none. */
  const firstBad = (bytes: Buffer): number => {
    let i = 0;
    for (; i + 1 < bytes.length; i += 2) {
      const unit = unitAt(bytes, i);
      if (unit < 0xd800 || unit > 0xdfff) continue;
      const next = i + 3 < bytes.length ? unitAt(bytes, i + 2) : 0;
      if (unit > 0xdbff || next < 0xdc00 || next > 0xdfff) return i;
      i += 2;
    }
    return i < bytes.length ? i : -1;
  };
  return {
    unfinished(chunk) {
      const odd = chunk.length % 2;
      if (chunk.length < 2 + odd) return odd;
      const last = unitAt(chunk, chunk.length - odd - 2);
      return odd + (last >= 0xd800 && last <= 0xdbff ? 2 : 0);
    },
    toUtf8(bytes) {
      if (firstBad(bytes) !== -1) return undefined;
      const units = bigEndian ? Buffer.from(bytes).swap16() : bytes;
      return Buffer.from(units.toString("utf16le"));
    },
    firstBad,
  };
}

/** What ICU makes of single bytes that have no meaning in a set of East Asia. */
const LENIENT = /[\u0080-\u009f\uf8f0-\uf8ff]/;

/** Chunks are cut behind a line feed, which in these encodings is no part of another character. */
function multiByte(label: string): Decoder {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const decode = (bytes: Buffer, stream: boolean): string | undefined => {
    try {
      const text = decoder.decode(bytes, { stream });
      return LENIENT.test(text) ? undefined : text;
    } catch {
      return undefined;
    } finally {
      // A decoder that was left within a character would begin the next text there.
      if (stream) ignoreFault(() => decoder.decode());
    }
  };
  return {
    unfinished: (chunk) => chunk.length - (chunk.lastIndexOf(0x0a) + 1),
    toUtf8(bytes) {
      const text = decode(bytes, false);
      return text === undefined ? undefined : Buffer.from(text);
    },
    firstBad(bytes) {
      let good = 0;
      let bad = bytes.length + 1;
      while (bad - good > 1) {
        const middle = (good + bad) >> 1;
        if (middle <= bytes.length && decode(bytes.subarray(0, middle), true) !== undefined) good = middle;
        else bad = middle;
      }
      return Math.min(good, bytes.length - 1);
    },
  };
}

function ignoreFault(run: () => void): void {
  try {
    run();
  } catch {
    // Only the state was to go.
  }
}
