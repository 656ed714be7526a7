import { type Digits, parseDigits, plainText, roundDigits } from "./decimal-digits.js";
import { hostFunction } from "./host-function.js";

/** `a op b` of decimals as text, half up to `scale` digits after the point. */
export const LONG_DECIMAL = hostFunction(
  "long_decimal",
  ["string", "string", "string", "int"],
  "string",
  (op, a, b, scale) => {
    const [x, y] = [parseDigits(a), parseDigits(b)];
    const result = op === "/" ? divide(x, y, scale) : combine(op, x, y);
    return plainText(roundDigits(result, scale, "half-up"));
  },
);

/** All digits of a sum, difference or product. */
function combine(op: string, x: Digits, y: Digits): Digits {
  if (op === "*") return { unscaled: x.unscaled * y.unscaled, scale: x.scale + y.scale };
  const scale = Math.max(x.scale, y.scale);
  const [left, right] = [x, y].map((digits) => roundDigits(digits, scale, "half-up").unscaled) as [bigint, bigint];
  return { unscaled: op === "+" ? left + right : left - right, scale };
}

/** A quotient with `scale` digits. */
function divide(x: Digits, y: Digits, scale: number): Digits {
  const shift = scale + y.scale - x.scale;
  const [n, d] = [x.unscaled * 10n ** BigInt(Math.max(0, shift)), y.unscaled * 10n ** BigInt(Math.max(0, -shift))];
  const size = (value: bigint) => (value < 0n ? -value : value);
  const quotient = (size(n) * 2n + size(d)) / (size(d) * 2n);
  return { unscaled: n < 0n === d < 0n ? quotient : -quotient, scale };
}
