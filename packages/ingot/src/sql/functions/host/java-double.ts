import { hostFunction } from "./host-function.js";

/** `0.1`, `1.0E10`: as Java 17 writes a DOUBLE. */
export const DOUBLE_TEXT = hostFunction("double_text", ["double"], "string", (value) => javaText(value, 53));
/** A FLOAT comes as the same value in a DOUBLE. */
export const FLOAT_TEXT = hostFunction("float_text", ["double"], "string", (value) => javaText(value, 24));

/** `Double.toString` (53 bits), `Float.toString` (24 bits), which up to Java 18 are not always the shortest digits. */
export function javaText(value: number, bits: 24 | 53): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (value === 0) return `${sign}0.0`;
  const { digits, exponent } = javaDigits(Math.abs(value), bits);
  if (exponent < -3 || exponent >= 7) return `${sign}${digits[0]}.${digits.slice(1) || "0"}E${exponent}`;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** The digits d₀.d₁d₂… of a positive number, without zeros at the end, and the power of ten of d₀. */
export function javaDigits(value: number, bits: 24 | 53): { readonly digits: string; readonly exponent: number } {
  const { mantissa, scale, significant } = parts(value, bits);
  const binary = scale + mantissa.toString(2).length - 1;
  return scale >= 0 || mantissa % (1n << BigInt(-scale)) === 0n
    ? (wholeDigits(scale >= 0 ? mantissa << BigInt(scale) : mantissa >> BigInt(-scale), binary, significant) ??
        freeDigits(mantissa, scale, binary, significant))
    : freeDigits(mantissa, scale, binary, significant);
}

const view = new DataView(new ArrayBuffer(8));

/** value = mantissa * 2^scale; `significant` bits are known of it, fewer than `bits` below the normal range. */
function parts(value: number, bits: 24 | 53) {
  view.setFloat64(0, value);
  const word = view.getBigUint64(0);
  const exponent = Number(word >> 52n);
  const mantissa = exponent === 0 ? word & 0xfffffffffffffn : (word & 0xfffffffffffffn) | (1n << 52n);
  const scale = Math.max(exponent, 1) - 1075;
  const least = bits === 53 ? -1074 : -149;
  const top = scale + mantissa.toString(2).length - 1;
  return { mantissa, scale, significant: Math.min(bits, top - least + 1) };
}

/** A whole number below 2^63 has its own digits, but for those beyond the known bits, which are rounded off. */
function wholeDigits(value: bigint, binary: number, significant: number) {
  if (binary > 62) return undefined;
  const spare = binary > significant ? binary - significant - 1 : 0;
  const drop = spare > 1 ? (1n << BigInt(spare)).toString().length - 1 : 0;
  const unit = 10n ** BigInt(drop);
  const kept = value / unit + (drop > 0 && value % unit >= unit / 2n ? 1n : 0n);
  const text = kept.toString();
  return { digits: text.replace(/0+$/, ""), exponent: text.length - 1 + drop };
}

/**
 * Digits until the rest is within half a unit of the last known bit; two of them where an exponent is written. Java
 * computes in 32, 64 or more bits as the number needs: sums overflow there, and that is part of its answer.
 */
function freeDigits(mantissa: bigint, scale: number, binary: number, significant: number) {
  const estimate = estimateExponent(mantissa, binary);
  // value = rest / unit, both without common twos. Below a power of two numbers lie twice as close.
  const isPower = (mantissa & (mantissa - 1n)) === 0n;
  const [inValue, inUnit] = estimate >= 0 ? [0, estimate] : [-estimate, 0];
  const zeros = trailingZeros(mantissa);
  const twos = [scale + zeros + inValue, binary - significant - (isPower ? 1 : 0) + inValue, inUnit];
  const [ofRest = 0, ofHalf = 0, ofUnit = 0] = twos.map((power) => power - Math.min(...twos));
  const odd = mantissa >> BigInt(zeros);
  let rest = (odd * 5n ** BigInt(inValue)) << BigInt(ofRest);
  let half = (5n ** BigInt(inValue)) << BigInt(ofHalf);
  const unit = (5n ** BigInt(inUnit)) << BigInt(ofUnit);
  const valueBits = odd.toString(2).length + ofRest + bitsOfPower(inValue);
  const unitBits = ofUnit + 1 + bitsOfPower(inUnit + 1);
  const width = [32, 64].find((bits) => valueBits < bits && unitBits < bits);

  const wrap = (value: bigint) => (width === undefined ? value : BigInt.asIntN(width, value));
  const ten = unit * 10n;

  let exponent = estimate;
  let digits = "";
  for (let isFirst = true; ; isFirst = false) {
    const digit = rest / unit;
    rest = (rest % unit) * 10n;
    half *= 10n;
    const low = wrap(half) <= 0n || rest < half;
    const sum = wrap(rest + half);
    const high = wrap(half) <= 0n || (width === undefined ? sum >= ten : sum > ten);
    if (isFirst && digit === 0n && !high) exponent -= 1;
    else digits += digit;
    const short = isFirst && (exponent < -3 || exponent >= 7);
    if ((low || high) && !short) {
      const above = wrap(rest * 2n - ten);
      const isOdd = BigInt(digits) % 2n === 1n;
      const up = high && (!low || above > 0n || (above === 0n && isOdd));
      const rounded = up ? (BigInt(digits) + 1n).toString() : digits;
      return { digits: rounded.replace(/0+$/, ""), exponent: exponent + rounded.length - digits.length };
    }
  }
}

/** The power of ten, or one more: log10 of a number by its logarithm's tangent at 1.5 (D. Gay). */
function estimateExponent(mantissa: bigint, binary: number): number {
  const unit = Number(mantissa) / 2 ** (mantissa.toString(2).length - 1);
  return Math.floor((unit - 1.5) * 0.289529654 + 0.176091259 + binary * 0.301029995663981);
}

function trailingZeros(value: bigint): number {
  return /0*$/.exec(value.toString(2))?.[0].length ?? 0;
}

function bitsOfPower(exponent: number): number {
  return exponent === 0 ? 0 : (5n ** BigInt(exponent)).toString(2).length;
}
