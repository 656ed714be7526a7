import { hostFunction } from "./host-function.js";

/** Murmur3 (32 bits, Spark's tail) and xxHash64, each of a value with the hash so far as its seed. */

const rotate = (x: number, bits: number) => (x << bits) | (x >>> (32 - bits));

function mixKey(key: number): number {
  return Math.imul(rotate(Math.imul(key, 0xcc9e2d51), 15), 0x1b873593);
}
function mixHash(hash: number, key: number): number {
  return (Math.imul(rotate(hash ^ mixKey(key), 13), 5) + 0xe6546b64) | 0;
}
function finish(hash: number, length: number): number {
  let h = hash ^ length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}

export const MURMUR_INT = hostFunction("murmur_int", ["int", "int"], "int", (value, seed) =>
  finish(mixHash(seed, value), 4),
);
export const MURMUR_LONG = hostFunction("murmur_long", ["bigint", "int"], "int", (value, seed) =>
  finish(mixHash(mixHash(seed, Number(BigInt.asIntN(32, value))), Number(BigInt.asIntN(32, value >> 32n))), 8),
);
/** `hashUnsafeBytes`: each byte of the tail is a key of its own. */
export const MURMUR_BYTES = hostFunction("murmur_bytes", ["binary", "int"], "int", (bytes, seed) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const aligned = bytes.length - (bytes.length % 4);
  let hash = seed;
  for (let i = 0; i < aligned; i += 4) hash = mixHash(hash, view.getInt32(i, true));
  for (let i = aligned; i < bytes.length; i++) hash = mixHash(hash, view.getInt8(i));
  return finish(hash, bytes.length);
});

const MASK = (1n << 64n) - 1n;
const P1 = 0x9e3779b185ebca87n;
const P2 = 0xc2b2ae3d27d4eb4fn;
const P3 = 0x165667b19e3779f9n;
const P4 = 0x85ebca77c2b2ae63n;
const P5 = 0x27d4eb2f165667c5n;
const turn = (x: bigint, bits: bigint) => ((x << bits) | (x >> (64n - bits))) & MASK;
const round = (lane: bigint, value: bigint) => (turn((lane + value * P2) & MASK, 31n) * P1) & MASK;

function avalanche(hash: bigint): bigint {
  let h = hash ^ (hash >> 33n);
  h = (h * P2) & MASK;
  h ^= h >> 29n;
  h = (h * P3) & MASK;
  return BigInt.asIntN(64, h ^ (h >> 32n));
}
const unsigned = (x: bigint) => BigInt.asUintN(64, x);

export const XXHASH_INT = hostFunction("xxhash_int", ["int", "bigint"], "bigint", (value, seed) => {
  let hash = (unsigned(seed) + P5 + 4n) & MASK;
  hash ^= (BigInt(value >>> 0) * P1) & MASK;
  return avalanche((turn(hash, 23n) * P2 + P3) & MASK);
});
export const XXHASH_LONG = hostFunction("xxhash_long", ["bigint", "bigint"], "bigint", (value, seed) => {
  let hash = (unsigned(seed) + P5 + 8n) & MASK;
  hash ^= round(0n, unsigned(value));
  return avalanche((turn(hash, 27n) * P1 + P4) & MASK);
});
export const XXHASH_BYTES = hostFunction("xxhash_bytes", ["binary", "bigint"], "bigint", (bytes, start) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seed = unsigned(start);
  let at = 0;
  let hash = (seed + P5) & MASK;
  if (bytes.length >= 32) {
    let lanes = [seed + P1 + P2, seed + P2, seed, seed - P1].map((lane) => lane & MASK);
    for (; at <= bytes.length - 32; at += 32)
      lanes = lanes.map((lane, i) => round(lane, view.getBigUint64(at + 8 * i, true)));
    hash = lanes.reduce((sum, lane, i) => sum + turn(lane, [1n, 7n, 12n, 18n][i] ?? 0n), 0n) & MASK;
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * P1 + P4) & MASK;
  }
  hash = (hash + BigInt(bytes.length)) & MASK;
  for (; at <= bytes.length - 8; at += 8)
    hash = (turn(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4) & MASK;
  if (at <= bytes.length - 4) {
    hash = (turn(hash ^ ((BigInt(view.getUint32(at, true)) * P1) & MASK), 23n) * P2 + P3) & MASK;
    at += 4;
  }
  for (; at < bytes.length; at++) hash = (turn(hash ^ ((BigInt(view.getUint8(at)) * P5) & MASK), 11n) * P1) & MASK;
  return avalanche(hash);
});

/** The shortest two's complement of a decimal's digits, as `BigInteger.toByteArray` gives it. */
export const DECIMAL_BYTES = hostFunction("decimal_bytes", ["string"], "binary", (text) => {
  let value = BigInt(text.replace(".", ""));
  const bytes: number[] = [];
  for (;;) {
    const byte = Number(BigInt.asUintN(8, value));
    bytes.unshift(byte);
    value >>= 8n;
    if ((value === 0n && byte < 128) || (value === -1n && byte >= 128)) return Uint8Array.from(bytes);
  }
});

/** The bits of a DOUBLE or FLOAT, -0.0 as 0.0. */
export const DOUBLE_BITS = hostFunction("double_bits", ["double"], "bigint", (value) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  return view.getBigInt64(0);
});
export const FLOAT_BITS = hostFunction("float_bits", ["double"], "int", (value) => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value === 0 ? 0 : value);
  return view.getInt32(0);
});

export const HASHES = [
  MURMUR_INT,
  MURMUR_LONG,
  MURMUR_BYTES,
  XXHASH_INT,
  XXHASH_LONG,
  XXHASH_BYTES,
  DECIMAL_BYTES,
  DOUBLE_BITS,
  FLOAT_BITS,
];
