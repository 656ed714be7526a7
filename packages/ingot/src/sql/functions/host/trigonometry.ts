import { hostFunction } from "./host-function.js";

/**
 * Sine, cosine and tangent, rounded correctly from a longer computation. Java leaves the last bit of its own open; on the
 * machines of today it rounds correctly but for some two values in a thousand.
 */
const trigonometric = (name: string, run: (angle: bigint, bits: bigint) => { value: bigint; per: bigint }) =>
  hostFunction(name, ["double"], "double", (x) => {
    if (!Number.isFinite(x)) return Number.NaN;
    if (Math.abs(x) < 2 ** -28) return name === "cos" ? 1 : x;
    const { fixed, bits } = toFixed(x);
    const pi = piOf(bits);
    const angle = ((fixed % (2n * pi)) + 2n * pi) % (2n * pi);
    const { value, per } = run(angle, bits);
    return toDouble(value, per);
  });

export const SIN = trigonometric("sin", (a, bits) => ({ value: sine(a, bits), per: 1n << bits }));
export const COS = trigonometric("cos", (a, bits) => ({ value: cosine(a, bits), per: 1n << bits }));
export const TAN = trigonometric("tan", (a, bits) => ({ value: sine(a, bits), per: cosine(a, bits) }));
export const TRIGONOMETRY = [SIN, COS, TAN];

const MARGIN = 200;

/** x * 2^bits, with bits enough for the rest by a turn to be exact far beyond a double. */
function toFixed(x: number): { readonly fixed: bigint; readonly bits: bigint } {
  const exponent = Math.max(0, Math.floor(Math.log2(Math.abs(x))));
  const bits = BigInt(MARGIN + exponent);
  // A double of 2^-28 at least has no bits below 2^-81.
  return { fixed: BigInt(x * 2 ** (exponent > 81 ? 0 : 81)) << (bits - BigInt(exponent > 81 ? 0 : 81)), bits };
}

let known: { readonly bits: bigint; readonly pi: bigint } | undefined;

/** π * 2^bits by Machin's formula. */
function piOf(bits: bigint): bigint {
  if (known?.bits !== bits) {
    const guard = 32n;
    const inverse = (n: bigint) => {
      let power = (1n << (bits + guard)) / n;
      let sum = power;
      for (let k = 3n; power !== 0n; k += 2n) {
        power = -power / (n * n);
        sum += power / k;
      }
      return sum;
    };
    known = { bits, pi: (4n * (4n * inverse(5n) - inverse(239n))) >> guard };
  }
  return known.pi;
}

/** By its series at an angle between 0 and 2π, brought to between -π and π. */
function sine(angle: bigint, bits: bigint): bigint {
  const pi = piOf(bits);
  const x = angle > pi ? angle - 2n * pi : angle;
  return series(x, x, 1n, bits);
}
function cosine(angle: bigint, bits: bigint): bigint {
  const pi = piOf(bits);
  const x = angle > pi ? angle - 2n * pi : angle;
  return series(x, 1n << bits, 0n, bits);
}

function series(x: bigint, first: bigint, start: bigint, bits: bigint): bigint {
  const square = (x * x) >> bits;
  let term = first;
  let sum = first;
  for (let k = start; term !== 0n && term !== -1n; k += 2n) {
    term = -((term * square) >> bits) / ((k + 1n) * (k + 2n));
    sum += term;
  }
  return sum;
}

/** The double nearest to a quotient. */
function toDouble(value: bigint, per: bigint): number {
  const negative = value < 0n !== per < 0n;
  const [a, b] = [value < 0n ? -value : value, per < 0n ? -per : per];
  const shift = 55 - (a.toString(2).length - b.toString(2).length);
  const quotient = shift >= 0 ? (a << BigInt(shift)) / b : a / (b << BigInt(-shift));
  // The quotient has 55 or 56 bits; one more below them says that others follow, so that no half is made of less.
  const result = Number((quotient << 1n) | 1n) * 2 ** (-shift - 1);
  return negative ? -result : result;
}
