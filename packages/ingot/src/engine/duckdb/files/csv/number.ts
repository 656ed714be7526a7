/** Numbers in the forms that Java's parsers take and DuckDB's casts do not, rewritten as text that DuckDB casts exactly. */

/** `java.lang.Long.parseLong` and its kin: a sign, then digits of any script. Undefined for other text. */
export function integerText(text: string): string | undefined {
  const ascii = asciiDigits(text);
  return /^[+-]?[0-9]+$/.test(ascii) ? ascii : undefined;
}

const DECIMAL = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/;
const MAX_DIGITS = 38;
const MAX_INT = 2 ** 31 - 1;
/** Beyond this many places Java's BigInteger cannot hold the power of ten that rounding needs, and the parse fails. */
const MAX_PLACES = 2 ** 29;

/**
 * `new java.math.BigDecimal(text)` after Spark has taken out all commas, rounded HALF_UP to `scale` digits. Undefined
 * for text that is no number, and for numbers of more than 38 digits.
 */
export function decimalText(text: string, scale: number): string | undefined {
  const [matched, sign, whole = "", fraction = "", exponentText = "0"] =
    DECIMAL.exec(asciiDigits(text.replaceAll(",", ""))) ?? [];
  if (matched === undefined || whole + fraction === "") return undefined;
  const exponent = Number(exponentText);
  // BigDecimal's own scale is an int.
  if (Math.abs(exponent) > MAX_INT || Math.abs(fraction.length - exponent) > MAX_INT) return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  /** The value is 0.digits × 10^point. */
  const point = digits.length - fraction.length + exponent;
  if (fraction.length - exponent - scale > MAX_PLACES) return undefined;
  if (digits === "" || point < -scale) return "0";
  if (point > MAX_DIGITS) return undefined;
  const kept = point + scale;
  const padded = digits.padEnd(kept + 1, "0");
  const unscaled = BigInt(padded.slice(0, kept) || "0") + ((padded[kept] as string) >= "5" ? 1n : 0n);
  const rounded = String(unscaled).padStart(scale + 1, "0");
  return `${sign}${rounded.slice(0, rounded.length - scale)}.${rounded.slice(rounded.length - scale)}`;
}

const FLOATING = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?=[fFdD]?$)/;
const HEX_FLOATING = /^([+-]?)0[xX](?:([0-9a-fA-F]+)\.?|([0-9a-fA-F]*)\.([0-9a-fA-F]+))[pP]([+-]?[0-9]+)[fFdD]?$/;

/**
 * `java.lang.Double.parseDouble` and Spark's `NaN`, `Inf`, `-Inf`: blanks around, a suffix `f` or `d`, hexadecimal
 * form. The text that comes back has the value of the first, digit by digit, so the cast rounds once.
 */
export function floatingText(text: string): string | undefined {
  if (text === "Inf") return "Infinity";
  if (text === "-Inf") return "-Infinity";
  const trimmed = text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, "");
  const named = /^([+-]?)(NaN|Infinity)$/.exec(trimmed);
  if (named !== null) return named[2] === "NaN" ? "NaN" : `${named[1]}Infinity`;
  return FLOATING.exec(trimmed)?.[0] ?? hexText(HEX_FLOATING.exec(trimmed));
}

/** A hexadecimal floating-point number in decimal digits, or as zero or infinity where no double is near. */
function hexText(match: RegExpExecArray | null): string | undefined {
  if (match === null) return undefined;
  const [, sign = "", integer, whole = "", fraction = "", exponentText = "0"] = match;
  const mantissa = BigInt(`0x${(integer ?? whole) + fraction}`);
  const exponent = Number(exponentText) - 4 * fraction.length;
  /** 2^magnitude is more than the value, and at most twice it. */
  const magnitude = mantissa.toString(2).length + exponent;
  if (mantissa === 0n || magnitude < -1100) return `${sign}0`;
  if (magnitude > 1100) return `${sign}Infinity`;
  if (exponent >= 0) return `${sign}${mantissa << BigInt(exponent)}`;
  // m / 2^n is m × 5^n / 10^n.
  return `${sign}${mantissa * 5n ** BigInt(-exponent)}e${exponent}`;
}

/** Java's `Character.digit` takes the decimal digits of every script that fit one UTF-16 unit. */
function asciiDigits(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (c) => (isDigit(c) ? String(digitValue(c.charCodeAt(0))) : c));
}

const isDigit = (c: string): boolean => /^\p{Nd}$/u.test(c);

/** The digits of a script stand in a row, from zero on. */
function digitValue(code: number): number {
  let value = 0;
  while (isDigit(String.fromCharCode(code - value - 1))) value += 1;
  return value;
}
