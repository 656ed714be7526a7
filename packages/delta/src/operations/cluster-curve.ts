/**
 * Curves that put rows in one order so that rows that are near in several columns at once are near in the order.
 * A row's place is computed from the rank of each column's value: an integer of `curveBits` bits.
 */

/** A key beyond 62 bits fits no signed integer of 64 bits, which is what engines sort fastest. */
const KEY_BITS = 62;
/** 65,536 ranges a column: finer than the files of any table that one machine rewrites. */
const MOST_BITS = 16;

/** Bits of each column's rank for a curve over so many columns. Beyond 62 columns a key is longer than 64 bits. */
export function curveBits(columns: number): number {
  return Math.max(1, Math.min(MOST_BITS, Math.floor(KEY_BITS / columns)));
}

/**
 * The rank of a value: which of the `2 ** bits` ranges with equally many rows it lies in. Equal values have one rank,
 * and NULLs come first, as in Spark.
 *
 * @param less rows whose value is less
 * @param rows all rows
 */
export function rankOf(less: number, rows: number, bits: number): number {
  return Math.floor((less * 2 ** bits) / rows);
}

/** The ranks' bits by turns, the highest first and the first column's before the second's. */
export function zOrderKey(ranks: readonly number[], bits: number): bigint {
  let key = 0n;
  // Collected in a number first: an operation on a bigint costs some ten times as much.
  let word = 0;
  let filled = 0;
  for (let bit = bits - 1; bit >= 0; bit -= 1) {
    for (const rank of ranks) {
      word = (word << 1) | ((rank >>> bit) & 1);
      filled += 1;
      if (filled === 30) {
        key = (key << 30n) | BigInt(word);
        word = 0;
        filled = 0;
      }
    }
  }
  return (key << BigInt(filled)) | BigInt(word);
}

/**
 * The distance along the Hilbert curve: rows that follow each other differ by one step in one column. With one column
 * it is the rank. Source: J. Skilling, "Programming the Hilbert curve", AIP Conference Proceedings 707 (2004).
 */
export function hilbertKey(ranks: readonly number[], bits: number): bigint {
  const axes = [...ranks];
  for (let high = 1 << (bits - 1); high > 1; high >>>= 1) {
    const low = high - 1;
    for (let i = 0; i < axes.length; i += 1) reflectOrSwap(axes, i, high, low);
  }
  for (let i = 1; i < axes.length; i += 1) axes[i] = at(axes, i) ^ at(axes, i - 1);
  let flip = 0;
  for (let high = 1 << (bits - 1); high > 1; high >>>= 1) if (at(axes, axes.length - 1) & high) flip ^= high - 1;
  return zOrderKey(
    axes.map((axis) => axis ^ flip),
    bits,
  );
}

/** The half of the cube that lies behind is turned around, the other one has two axes exchanged. */
function reflectOrSwap(axes: number[], i: number, high: number, low: number): void {
  const [first, axis] = [at(axes, 0), at(axes, i)];
  if (axis & high) {
    axes[0] = first ^ low;
    return;
  }
  const difference = (first ^ axis) & low;
  axes[0] = first ^ difference;
  axes[i] = at(axes, i) ^ difference;
}

function at(axes: readonly number[], i: number): number {
  return axes[i] ?? 0;
}
