import { isUtf8 } from "node:buffer";
import { hostFunction } from "./host-function.js";

/** Functions of BINARY, which DuckDB has for texts alone. */

/** Bytes are added on the side, the whole filler again and again; a longer value is cut. */
export const PAD_BYTES = hostFunction(
  "pad_bytes",
  ["binary", "int", "binary", "boolean"],
  "binary",
  (bytes, width, filler, left) => {
    if (width <= 0) return new Uint8Array(0);
    if (bytes.length >= width || filler.length === 0) return bytes.slice(0, width);
    const padding = Uint8Array.from({ length: width - bytes.length }, (_, i) => filler[i % filler.length] ?? 0);
    return Buffer.concat(left ? [padding, bytes] : [bytes, padding]);
  },
);

/** So many bytes from a place, counted from 1 or from the end (`ByteArray.subStringSQL`). */
export const SLICE_BYTES = hostFunction("slice_bytes", ["binary", "int", "int"], "binary", slice);

function slice(bytes: Uint8Array, place: number, count: number): Uint8Array {
  const start = place > 0 ? place - 1 : place < 0 ? bytes.length + place : 0;
  const end = Math.min(bytes.length, start + count);
  return bytes.slice(Math.max(0, start), Math.max(0, start, end));
}

/** Bytes in the place of others; a count below 0 means as many as come. */
export const OVERLAY_BYTES = hostFunction(
  "overlay_bytes",
  ["binary", "binary", "int", "int"],
  "binary",
  (bytes, by, place, given) => {
    const count = given >= 0 ? given : by.length;
    return Buffer.concat([slice(bytes, 1, place - 1), by, slice(bytes, place + count, bytes.length)]);
  },
);

export const REVERSE_BYTES = hostFunction("reverse_bytes", ["binary"], "binary", (bytes) =>
  Uint8Array.from(bytes).reverse(),
);

/** Whether bytes are a text. */
export const IS_UTF8 = hostFunction("is_utf8", ["binary"], "boolean", (bytes) => isUtf8(bytes));
/** A text of bytes, U+FFFD for those that are none. */
export const MAKE_UTF8 = hostFunction("make_utf8", ["binary"], "string", (bytes) =>
  Buffer.from(bytes).toString("utf8"),
);

export const BYTES = [PAD_BYTES, SLICE_BYTES, OVERLAY_BYTES, REVERSE_BYTES, IS_UTF8, MAKE_UTF8];
