/** A length of 15 in a token goes on in the bytes behind it, each up to 255. */
const LONG = 15;
const MIN_MATCH = 4;
/** What one byte can stand for at the most, by the bytes of a long length. */
const LONGEST_RUN = 255;

/**
 * Undoes LZ4 in the block format, which Parquet calls LZ4_RAW. Throws a plain Error when the bytes are none or give
 * another length. Source: "LZ4 Block Format Description" of the LZ4 project.
 */
export function decompressLz4(input: Uint8Array, outputLength: number): Uint8Array {
  if (outputLength > input.length * LONGEST_RUN) throw new Error("an LZ4 block is damaged");
  const output = new Uint8Array(outputLength);
  let [at, filled] = [0, 0];
  const byte = (): number => {
    const value = input[at];
    if (value === undefined) throw new Error("an LZ4 block ends too early");
    at += 1;
    return value;
  };
  const length = (short: number): number => {
    if (short < LONG) return short;
    let total = short;
    for (let more = 255; more === 255; total += more) more = byte();
    return total;
  };
  while (at < input.length) {
    const token = byte();
    const literals = length(token >> 4);
    if (at + literals > input.length || filled + literals > outputLength) throw new Error("an LZ4 block is damaged");
    output.set(input.subarray(at, at + literals), filled);
    at += literals;
    filled += literals;
    if (at === input.length) break;
    const distance = byte() | (byte() << 8);
    const matched = length(token & LONG) + MIN_MATCH;
    if (distance === 0 || distance > filled || filled + matched > outputLength)
      throw new Error("an LZ4 block is damaged");
    // A match may reach into what it writes itself: then its bytes repeat.
    for (const end = filled + matched; filled < end; filled += 1) output[filled] = output[filled - distance] ?? 0;
  }
  if (filled !== outputLength) throw new Error(`an LZ4 block gives ${filled} bytes instead of ${outputLength}`);
  return output;
}
