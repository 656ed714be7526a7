/**
 * Decompresses a raw Snappy block. hyparquet has its own; this one copies words instead of bytes and takes a third of
 * the time, which is most of what reading a large checkpoint takes. Source: Snappy's format_description.txt.
 *
 * Throws a plain Error when the block is damaged.
 */
export function decompressSnappy(input: Uint8Array, outputLength: number): Uint8Array {
  // Before room is made for it: a length is four bytes of the page's head, which may be damaged.
  if (outputLength * 3 > input.length * LONGEST_COPY) throw damaged();
  const output = new Uint8Array(outputLength + SLACK);
  const source = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const target = new DataView(output.buffer);
  let from = 0;
  while ((input[from++] ?? 0) >= 0x80);
  let to = 0;
  while (from < input.length) {
    const tag = input[from++] as number;
    let length = tag >>> 2;
    if ((tag & 3) === 0) {
      if (length >= 60) {
        const bytes = length - 59;
        length = 0;
        for (let i = 0; i < bytes; i++) length |= (input[from + i] ?? 0) << (8 * i);
        from += bytes;
      }
      length += 1;
      if (length < 0 || from + length > input.length || to + length > outputLength) throw damaged();
      if (length > SLACK || from + SLACK > input.length) output.set(input.subarray(from, from + length), to);
      else copyWords(source, from, target, to, length);
      from += length;
      to += length;
      continue;
    }
    let offset: number;
    if ((tag & 3) === 1) {
      length = (length & 7) + 4;
      offset = ((tag >>> 5) << 8) | (input[from] ?? 0);
      from += 1;
    } else {
      length += 1;
      offset = (input[from] ?? 0) | ((input[from + 1] ?? 0) << 8);
      from += 2;
      if ((tag & 3) === 3) {
        offset += (input[from] ?? 0) * 0x10000 + (input[from + 1] ?? 0) * 0x1000000;
        from += 2;
      }
    }
    if (offset === 0 || offset > to || from > input.length || to + length > outputLength) throw damaged();
    const start = to - offset;
    // What is copied must be there before; a nearer place repeats what is just being written.
    if (offset >= 8) copyWords(target, start, target, to, length);
    else for (let i = 0; i < length; i++) output[to + i] = output[start + i] as number;
    to += length;
  }
  if (to !== outputLength) throw damaged();
  return output.subarray(0, outputLength);
}

/** What three bytes can stand for; no other element makes more of its bytes. */
const LONGEST_COPY = 64;
/** How far words may reach beyond their end. */
const SLACK = 16;

/** Up to 7 bytes more than the length. */
function copyWords(source: DataView, from: number, target: DataView, to: number, length: number): void {
  for (let i = 0; i < length; i += 8) {
    target.setUint32(to + i, source.getUint32(from + i, true), true);
    target.setUint32(to + i + 4, source.getUint32(from + i + 4, true), true);
  }
}

function damaged(): Error {
  return new Error("a Snappy block is damaged");
}
