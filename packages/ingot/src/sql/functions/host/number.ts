import { type Digits, exactDigits, parseDigits, plainText, type Rounding, roundDigits } from "./decimal-digits.js";
import { hostFunction, SparkCondition } from "./host-function.js";
import { javaText } from "./java-double.js";

/** `BigDecimal(x).setScale(places, mode).toDouble`, where the decimal is Java's text of the double. */
const rounder = (name: string, rounding: Rounding) =>
  hostFunction(name, ["double", "int"], "double", (value, places) => {
    if (!Number.isFinite(value)) return value;
    const digits = parseDigits(javaText(value, 53));
    return Number(plainText(roundDigits(digits, places, rounding)));
  });

export const ROUND_DOUBLE = rounder("round_double", "half-up");
export const BROUND_DOUBLE = rounder("bround_double", "half-even");

/** A decimal's text to so many places, which may be negative. */
const decimalRounder = (name: string, rounding: Rounding) =>
  hostFunction(name, ["string", "int"], "string", (text, places) =>
    plainText(roundDigits(parseDigits(text), places, rounding)),
  );

export const ROUND_DECIMAL = decimalRounder("round_decimal", "half-up");
export const BROUND_DECIMAL = decimalRounder("bround_decimal", "half-even");
export const CEIL_DECIMAL = decimalRounder("ceil_decimal", "ceil");
export const FLOOR_DECIMAL = decimalRounder("floor_decimal", "floor");

/** `Decimal.unary_-`: Scala's BigDecimal keeps 34 digits of what it computes, half even. */
export const NEGATE_DECIMAL = hostFunction("negate_decimal", ["string"], "string", (text) => {
  const { unscaled, scale } = parseDigits(text);
  const beyond = unscaled.toString().replace("-", "").length - 34;
  const rounded = roundDigits({ unscaled: -unscaled, scale }, beyond > 0 ? scale - beyond : scale, "half-even");
  return plainText(roundDigits(rounded, scale, "half-even"));
});

/** More digits than any decimal has. */
const TOO_MANY = 60;

/** A number without exponent; one that no decimal holds stays too great for all of them. */
export function plainDecimal(text: string): string {
  const exponent = Number(/[eE]([+-]?[0-9]+)$/.exec(text)?.[1] ?? "0");
  if (Math.abs(exponent) <= text.length + TOO_MANY) return plainText(parseDigits(text));
  return exponent < 0 || !/[1-9].*[eE]/.test(text) ? "0" : "9".repeat(TOO_MANY);
}

export const PLAIN_DECIMAL = hostFunction("plain_decimal", ["string"], "string", plainDecimal);

/** Whole numbers from one base to another. `NumberConverter.convert`: 64 bits without a sign, unless `to` is negative. */
export const CONV = hostFunction("conv", ["string", "int", "int"], "string", (text, from, to) => {
  const base = Math.abs(to);
  if (from < 2 || from > 36 || base < 2 || base > 36 || text === "") return undefined;
  const trimmed = text.replace(/^ +| +$/g, "");
  if (trimmed === "") return undefined;
  const negative = trimmed.startsWith("-");
  const word = 1n << 64n;
  let value = 0n;
  for (const char of trimmed.slice(negative ? 1 : 0)) {
    const digit = /^[0-9A-Za-z]$/.test(char) ? Number.parseInt(char, 36) : 36;
    if (digit >= from) break;
    value = value * BigInt(from) + BigInt(digit);
    if (value >= word)
      throw new SparkCondition(
        "ARITHMETIC_OVERFLOW",
        "Overflow in function conv(). Use 'try_conv' to tolerate overflow and return NULL instead.",
      );
  }
  let minus = negative;
  if (negative && to > 0) {
    value = value < 1n << 63n ? (word - value) % word : word - 1n;
    minus = false;
  }
  if (to < 0 && value >= 1n << 63n) {
    value = word - value;
    minus = true;
  }
  return `${minus ? "-" : ""}${value.toString(base).toUpperCase()}`;
});

/**
 * `java.text.DecimalFormat`, half even: of a double all its binary digits count. The layout is its least whole digits,
 * its group's digits (0: none), least and most places.
 */
function layOut(
  digits: Digits,
  negative: boolean,
  [least = 1, group = 3, fewest = 0, most = 0]: readonly number[],
): string {
  const text = plainText(roundDigits(digits, most, "half-even")).replace("-", "");
  const [whole = "", fraction = ""] = text.split(".");
  const significant = whole.replace(/^0+/, "").padStart(least, "0");
  const grouped = group === 0 ? significant : significant.replace(new RegExp(`\\B(?=(?:[0-9]{${group}})+$)`, "g"), ",");
  const kept = fraction.slice(0, fewest) + fraction.slice(fewest).replace(/0+$/, "");
  const shown = `${grouped}${kept === "" ? "" : `.${kept}`}`;
  return `${negative ? "-" : ""}${shown === "" ? "0" : shown}`;
}

const LAYOUT = ["int", "int", "int", "int"] as const;

/** A decimal's sign goes with its last digit, a double's stays. */
export const FORMAT_NUMBER = hostFunction("format_number", ["string", ...LAYOUT], "string", (text, ...layout) => {
  if (layout[3] < 0) return undefined;
  const digits = parseDigits(text);
  return layOut(digits, roundDigits(digits, layout[3], "half-even").unscaled < 0n, layout);
});
export const FORMAT_DOUBLE = hostFunction("format_double", ["double", ...LAYOUT], "string", (value, ...layout) => {
  if (layout[3] < 0) return undefined;
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  return layOut(exactDigits(value), value < 0 || Object.is(value, -0), layout);
});

export const NUMBERS = [
  ROUND_DOUBLE,
  BROUND_DOUBLE,
  ROUND_DECIMAL,
  BROUND_DECIMAL,
  CEIL_DECIMAL,
  FLOOR_DECIMAL,
  NEGATE_DECIMAL,
  PLAIN_DECIMAL,
  CONV,
  FORMAT_NUMBER,
  FORMAT_DOUBLE,
];
