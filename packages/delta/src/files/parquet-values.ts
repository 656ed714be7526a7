import type { SchemaElement } from "hyparquet";

/**
 * How a value of a column is told exactly: a date and a timestamp as `2024-05-01` and `2024-05-01 10:00:00.123456`, with
 * `+00` behind it where it is a moment in UTC, a decimal as its digits with the point. Undefined where the physical
 * value is what the column means.
 */
export function exactValue(element: SchemaElement): ((value: unknown) => string) | undefined {
  const { type, converted_type: converted, logical_type: logical, scale = 0 } = element;
  if (converted === "DECIMAL") return (value) => decimal(value, scale);
  if (converted === "DATE") return (value) => iso(BigInt(value as number) * 86_400_000_000n).slice(0, -16);
  if (type === "INT96") return (value) => `${iso(int96(value as bigint))}+00`;
  const unit = logical?.type === "TIMESTAMP" ? logical.unit : converted === "TIMESTAMP_MILLIS" ? "MILLIS" : "MICROS";
  if (logical?.type !== "TIMESTAMP" && !converted?.startsWith("TIMESTAMP_")) return undefined;
  const zone = logical?.type === "TIMESTAMP" && !logical.isAdjustedToUTC ? "" : "+00";
  return (value) => `${iso(micros(value as bigint, unit))}${zone}`;
}

function micros(value: bigint, unit: "MILLIS" | "MICROS" | "NANOS"): bigint {
  if (unit === "MILLIS") return value * 1000n;
  return unit === "MICROS" ? value : floorDivide(value, 1000n);
}

/** Days since the Julian epoch above, nanoseconds of the day below. */
function int96(value: bigint): bigint {
  const days = (value >> 64n) - 2_440_588n;
  return days * 86_400_000_000n + (value & 0xffff_ffff_ffff_ffffn) / 1000n;
}

function iso(time: bigint): string {
  const milliseconds = floorDivide(time, 1000n);
  const rest = (time - milliseconds * 1000n).toString().padStart(3, "0");
  return `${new Date(Number(milliseconds)).toISOString().slice(0, -1).replace("T", " ")}${rest}`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
}

function decimal(value: unknown, scale: number): string {
  const unscaled = value instanceof Uint8Array ? bigEndian(value) : BigInt(value as number | bigint);
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const sign = unscaled < 0n ? "-" : "";
  return scale === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}
