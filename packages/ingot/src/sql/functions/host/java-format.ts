import { parseDigits, plainText, roundDigits } from "./decimal-digits.js";
import { hostFunction } from "./host-function.js";
import { javaDigits } from "./java-double.js";

/** One conversion of `java.util.Formatter`: `%-08,.2f`. */
export interface Conversion {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

/** A width, and what is written: its sign and digits apart, so that zeros can stand between. */
function fill({ flags, width }: Conversion, prefix: string, body: string): string {
  const length = [...prefix, ...body].length;
  if (length >= width) return prefix + body;
  if (flags.includes("0")) return prefix + "0".repeat(width - length) + body;
  const space = " ".repeat(width - length);
  return flags.includes("-") ? prefix + body + space : space + prefix + body;
}

function signed(conversion: Conversion, negative: boolean, digits: string): string {
  const { flags } = conversion;
  if (negative && flags.includes("(")) {
    const inner = { ...conversion, width: Math.max(0, conversion.width - 1) };
    return `${fill(inner, "(", digits)})`;
  }
  const sign = negative ? "-" : flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  return fill(conversion, sign, digits);
}

const grouped = (text: string) => text.replace(/^[0-9]+/, (whole) => whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ","));

/** `flags;width;precision;letter`, as the lowering writes it. */
function readConversion(text: string): Conversion {
  const [flags = "", width = "", precision = "", letter = ""] = text.split(";");
  return { flags, width: Number(width), precision: precision === "" ? undefined : Number(precision), letter };
}

export const FORMAT_WHOLE = hostFunction("format_whole", ["string", "string"], "string", (spec, text) => {
  const conversion = readConversion(spec);
  const value = BigInt(text);
  const digits = (value < 0n ? -value : value).toString();
  return signed(conversion, value < 0n, conversion.flags.includes(",") ? grouped(digits) : digits);
});

/** Of a number of so many bits, in two's complement. */
export const FORMAT_RADIX = hostFunction("format_radix", ["string", "string", "int"], "string", (spec, text, bits) => {
  const conversion = readConversion(spec);
  const digits = BigInt.asUintN(bits, BigInt(text)).toString(conversion.letter === "o" ? 8 : 16);
  const prefix = conversion.flags.includes("#") ? (conversion.letter === "o" ? "0" : "0x") : "";
  const result = fill(conversion, prefix, digits);
  return conversion.letter === "X" ? result.toUpperCase() : result;
});

export const FORMAT_TEXT = hostFunction("format_text", ["string", "string"], "string", (spec, text) => {
  const conversion = readConversion(spec);
  const cut = conversion.precision === undefined ? text : [...text].slice(0, conversion.precision).join("");
  const result = fill({ ...conversion, flags: conversion.flags.replace("0", "") }, "", cut);
  return conversion.letter === "S" ? result.toUpperCase() : result;
});

/** A decimal rounds half up by its digits, a double by the digits that Java writes. */
export const FORMAT_FIXED = hostFunction("format_fixed", ["string", "string"], "string", (spec, text) => {
  const conversion = readConversion(spec);
  const places = conversion.precision ?? 6;
  const rounded = roundDigits(parseDigits(text), places, "half-up");
  const digits = plainText(rounded).replace("-", "");
  return signed(conversion, text.startsWith("-"), conversion.flags.includes(",") ? grouped(digits) : digits);
});
export const FORMAT_FLOATING = hostFunction("format_floating", ["string", "double"], "string", (spec, value) => {
  const conversion = readConversion(spec);
  if (!Number.isFinite(value)) {
    const name = Number.isNaN(value) ? "NaN" : "Infinity";
    return signed({ ...conversion, flags: conversion.flags.replace("0", "") }, value < 0, name);
  }
  const { digits, exponent } = value === 0 ? { digits: "0", exponent: 0 } : javaDigits(Math.abs(value), 53);
  const negative = value < 0 || Object.is(value, -0);
  const places = conversion.precision ?? 6;
  if (conversion.letter === "f") {
    const exact = { unscaled: BigInt(digits), scale: digits.length - 1 - exponent };
    const text = plainText(roundDigits(exact, places, "half-up"));
    return signed(conversion, negative, conversion.flags.includes(",") ? grouped(text) : text);
  }
  const mantissa = roundDigits({ unscaled: BigInt(digits), scale: digits.length - 1 }, places, "half-up");
  const carried = mantissa.unscaled >= 10n ** BigInt(places + 1);
  const shown = carried ? { unscaled: mantissa.unscaled / 10n, scale: places } : mantissa;
  const power = value === 0 ? 0 : exponent + (carried ? 1 : 0);
  const text = `${plainText(shown)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const result = signed(conversion, negative, text);
  return conversion.letter === "E" ? result.toUpperCase() : result;
});

export const FORMATS = [FORMAT_WHOLE, FORMAT_RADIX, FORMAT_TEXT, FORMAT_FIXED, FORMAT_FLOATING];
