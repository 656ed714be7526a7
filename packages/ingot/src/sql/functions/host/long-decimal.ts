import { hostFunction } from "./host-function.js";

/** `a op b` of decimals as text, half up to `scale` digits after the point. */
export const LONG_DECIMAL = hostFunction("long_decimal", ["string", "string", "string", "int"], "string", compute);

function compute(op: string, a: string, b: string, scale: number): string {
  const [x, y] = [read(a), read(b)];
  if (op === "/") return divide(x, y, scale);
  if (op === "*") return write(x.digits * y.digits, x.scale + y.scale, scale);
  const common = Math.max(x.scale, y.scale);
  const left = x.digits * 10n ** BigInt(common - x.scale);
  const right = y.digits * 10n ** BigInt(common - y.scale);
  return write(op === "+" ? left + right : left - right, common, scale);
}

function divide(x: ReturnType<typeof read>, y: ReturnType<typeof read>, scale: number): string {
  const shift = scale + y.scale - x.scale;
  const [n, d] = [x.digits * 10n ** BigInt(Math.max(0, shift)), y.digits * 10n ** BigInt(Math.max(0, -shift))];
  const size = (value: bigint) => (value < 0n ? -value : value);
  const quotient = (size(n) * 2n + size(d)) / (size(d) * 2n);
  return write(n < 0n === d < 0n ? quotient : -quotient, scale, scale);
}

function read(text: string): { readonly digits: bigint; readonly scale: number } {
  const point = text.indexOf(".");
  return { digits: BigInt(text.replace(".", "")), scale: point === -1 ? 0 : text.length - point - 1 };
}

function write(digits: bigint, from: number, to: number): string {
  const unit = 10n ** BigInt(Math.max(0, from - to));
  const size = digits < 0n ? -digits : digits;
  const kept = (size + unit / 2n) / unit;
  const text = String(kept).padStart(to + 1, "0");
  const whole = text.slice(0, text.length - to);
  return `${digits < 0n ? "-" : ""}${whole}${to === 0 ? "" : `.${text.slice(text.length - to)}`}`;
}
