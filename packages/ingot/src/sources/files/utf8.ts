import { isUtf8 } from "node:buffer";

/** How many bytes at the end of a chunk may begin a character that the next chunk ends: 0 to 3. */
export function unfinishedBytes(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back++) {
    const byte = chunk[chunk.length - back] as number;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return length > back ? back : 0;
    }
  }
  return 0;
}

/** Index of the first byte that begins no UTF-8 character. */
export function firstBadByte(bytes: Buffer): number {
  let i = 0;
  for (;;) {
    const length = [1, 2, 3, 4].find((n) => isUtf8(bytes.subarray(i, i + n)));
    if (length === undefined || i >= bytes.length) return i;
    i += length;
  }
}
