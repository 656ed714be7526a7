/** Decimal numbers as whole digits and a scale, for rounding without loss. */
export interface Digits {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** Of a text such as `-12.50` or `1.5E-7`. */
export function parseDigits(text: string): Digits {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? [];
  const unscaled = BigInt(`${whole}${fraction}` || "0");
  return { unscaled: sign === "-" ? -unscaled : unscaled, scale: fraction.length - Number(exponent) };
}

export type Rounding = "half-up" | "half-even" | "ceil" | "floor";

/** To `scale` places; a negative scale rounds before the point. */
export function roundDigits({ unscaled, scale }: Digits, places: number, rounding: Rounding): Digits {
  if (places >= scale) return { unscaled: unscaled * 10n ** BigInt(places - scale), scale: places };
  const unit = 10n ** BigInt(scale - places);
  const quotient = unscaled / unit;
  const rest = unscaled % unit;
  return { unscaled: quotient + step(quotient, rest, unit, rounding), scale: places };
}

function step(quotient: bigint, rest: bigint, unit: bigint, rounding: Rounding): bigint {
  if (rest === 0n) return 0n;
  const away = rest < 0n ? -1n : 1n;
  if (rounding === "ceil") return rest > 0n ? 1n : 0n;
  if (rounding === "floor") return rest < 0n ? -1n : 0n;
  const doubled = (rest < 0n ? -rest : rest) * 2n;
  if (doubled > unit) return away;
  if (doubled < unit) return 0n;
  return rounding === "half-up" || quotient % 2n !== 0n ? away : 0n;
}

/** Plain text with as many places as the scale has. */
export function plainText({ unscaled, scale }: Digits): string {
  const negative = unscaled < 0n;
  const digits = (negative ? -unscaled : unscaled).toString();
  const sign = negative ? "-" : "";
  if (scale <= 0) return `${sign}${digits}${digits === "0" ? "" : "0".repeat(-scale)}`;
  const padded = digits.padStart(scale + 1, "0");
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

/** Of a finite double, all its binary digits. */
export function exactDigits(value: number): Digits {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const word = view.getBigUint64(0);
  const exponent = Number((word >> 52n) & 0x7ffn);
  const fraction = word & 0xfffffffffffffn;
  const mantissa = (exponent === 0 ? fraction : fraction | (1n << 52n)) * (value < 0 ? -1n : 1n);
  const power = Math.max(exponent, 1) - 1075;
  if (power >= 0) return { unscaled: mantissa << BigInt(power), scale: 0 };
  return { unscaled: mantissa * 5n ** BigInt(-power), scale: -power };
}
