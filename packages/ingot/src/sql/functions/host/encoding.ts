import { createHash } from "node:crypto";
import { hostFunction, SparkCondition } from "./host-function.js";

/** Texts as bytes and bytes as texts. */

const BASE64 = /[A-Za-z0-9+/=]/g;

/** Java's MIME decoder: signs outside of the alphabet are passed over, a broken end is an error. */
export const UNBASE64 = hostFunction("unbase64", ["string"], "binary", (text) => {
  const signs = (text.match(BASE64) ?? []).join("");
  const data = signs.replace(/=.*$/, "");
  const padding = signs.length - data.length;
  const rest = data.length % 4;
  if (rest === 1 || (padding > 0 && (rest === 0 || padding !== 4 - rest || /=[^=]/.test(signs))))
    throw new SparkCondition("CONVERSION_INVALID_INPUT", `The value ${text} cannot be decoded as base64.`);
  return Buffer.from(data, "base64");
});

const UTF = { "UTF-16BE": "big", "UTF-16LE": "little", "UTF-16": "marked" } as const;
const CHARSETS = "UTF-8, US-ASCII, ISO-8859-1, UTF-16BE, UTF-16LE, UTF-16, UTF-32";

export const ENCODE = hostFunction("encode", ["string", "string"], "binary", (text, charset) => {
  const name = charset.toUpperCase();
  switch (name) {
    case "UTF-8":
      return Buffer.from(text, "utf8");
    case "US-ASCII":
    case "ISO-8859-1": {
      const limit = name === "US-ASCII" ? 0x7f : 0xff;
      if ([...text].some((char) => (char.codePointAt(0) ?? 0) > limit)) throw malformed("encode", charset);
      return Buffer.from(text, "latin1");
    }
    case "UTF-16BE":
    case "UTF-16LE":
    case "UTF-16": {
      const bytes = Buffer.from(name === "UTF-16" ? `\uFEFF${text}` : text, "utf16le");
      // Java writes no mark for nothing.
      if (text === "") return new Uint8Array(0);
      return UTF[name] === "little" ? bytes : bytes.swap16();
    }
    case "UTF-32": {
      const points = [...text].map((char) => char.codePointAt(0) ?? 0);
      const bytes = Buffer.alloc(4 * points.length);
      for (const [i, point] of points.entries()) bytes.writeUInt32BE(point, 4 * i);
      return bytes;
    }
    default:
      throw unknownCharset("encode", charset);
  }
});

export const DECODE = hostFunction("decode", ["binary", "string"], "string", (binary, charset) => {
  const bytes = Buffer.from(binary);
  const name = charset.toUpperCase();
  switch (name) {
    case "UTF-8": {
      const text = bytes.toString("utf8");
      if (!Buffer.from(text, "utf8").equals(bytes)) throw malformed("decode", charset);
      return text;
    }
    case "US-ASCII":
      if (bytes.some((byte) => byte > 0x7f)) throw malformed("decode", charset);
      return bytes.toString("latin1");
    case "ISO-8859-1":
      return bytes.toString("latin1");
    case "UTF-16BE":
    case "UTF-16LE":
    case "UTF-16": {
      if (bytes.length % 2 === 1) throw malformed("decode", charset);
      const marked = name === "UTF-16" && bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
      const isLittle = name === "UTF-16LE" || marked === 0xfffe;
      const content = marked === 0xfffe || marked === 0xfeff ? bytes.subarray(2) : bytes;
      const text = (isLittle ? content : Buffer.from(content).swap16()).toString("utf16le");
      if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text))
        throw malformed("decode", charset);
      return text;
    }
    case "UTF-32": {
      if (bytes.length % 4 !== 0) throw malformed("decode", charset);
      const points = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(4 * i));
      if (points.some((p) => p > 0x10ffff || (p >= 0xd800 && p < 0xe000))) throw malformed("decode", charset);
      return String.fromCodePoint(...(points[0] === 0xfeff ? points.slice(1) : points));
    }
    default:
      throw unknownCharset("decode", charset);
  }
});

function malformed(name: string, charset: string): SparkCondition {
  return new SparkCondition(
    "MALFORMED_CHARACTER_CODING",
    `Invalid value found when performing \`${name}\` with ${charset}`,
  );
}
function unknownCharset(name: string, charset: string): SparkCondition {
  return new SparkCondition(
    "INVALID_PARAMETER_VALUE.CHARSET",
    `The charset of \`${name}\` is one of ${CHARSETS}, not ${charset}.`,
  );
}

/** `java.net.URLEncoder` */
export const URL_ENCODE = hostFunction("url_encode", ["string"], "string", (text) =>
  [...Buffer.from(text, "utf8")]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      if (/[A-Za-z0-9.*_-]/.test(char)) return char;
      return byte === 0x20 ? "+" : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join(""),
);

/** `java.net.URLDecoder`: bytes that are no UTF-8 become U+FFFD. */
export const URL_DECODE = hostFunction("url_decode", ["string", "boolean"], "string", (text, lenient) => {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) {
    if (lenient) return undefined;
    throw new SparkCondition("CANNOT_DECODE_URL", `The provided URL cannot be decoded: ${text}.`);
  }
  return text
    .replaceAll("+", " ")
    .replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));
});

export const SHA2 = hostFunction("sha2", ["binary", "int"], "string", (bytes, bits) => {
  const length = bits === 0 ? 256 : bits;
  return [224, 256, 384, 512].includes(length) ? createHash(`sha${length}`).update(bytes).digest("hex") : undefined;
});

let crcTable: Int32Array | undefined;

export const CRC32 = hostFunction("crc32", ["binary"], "bigint", (bytes) => {
  crcTable ??= Int32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    return c;
  });
  let crc = -1;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return BigInt((crc ^ -1) >>> 0);
});

export const ENCODINGS = [UNBASE64, ENCODE, DECODE, URL_ENCODE, URL_DECODE, SHA2, CRC32];
