/** Decimals as whole numbers of their last digit ("unscaled"), as text, and as the bytes of Parquet. */

const TEXT = /^([+-]?)(\d*)(?:\.(\d*))?$/;

export function formatDecimal(unscaled: bigint, scale: number): string {
  if (scale === 0) return unscaled.toString();
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Throws RangeError for a text that is no decimal, and for one whose value needs more digits than there are. */
export function parseDecimal(text: string, precision: number, scale: number): bigint {
  const [, sign, whole = "", fraction = ""] = TEXT.exec(text) ?? [];
  if (sign === undefined || whole + fraction === "") throw new RangeError(`${text} is no decimal number`);
  if (/[1-9]/.test(fraction.slice(scale)))
    throw new RangeError(`${text} has more than ${scale} digits behind the point`);
  const digits = BigInt(whole + fraction.slice(0, scale).padEnd(scale, "0"));
  return assertDigits(sign === "-" ? -digits : digits, precision, scale);
}

/** The same value with another scale. Throws RangeError where digits would be lost. */
export function rescaleDecimal(unscaled: bigint, from: number, to: number): bigint {
  if (to >= from) return unscaled * 10n ** BigInt(to - from);
  const factor = 10n ** BigInt(from - to);
  if (unscaled % factor !== 0n) throw new RangeError(`${formatDecimal(unscaled, from)} has more than ${to} digits`);
  return unscaled / factor;
}

/** Throws RangeError when the number has more digits than the precision. */
export function assertDigits(unscaled: bigint, precision: number, scale: number): bigint {
  const limit = 10n ** BigInt(precision);
  if (unscaled < limit && unscaled > -limit) return unscaled;
  throw new RangeError(`${formatDecimal(unscaled, scale)} has more digits than decimal(${precision},${scale})`);
}

/** Two's complement, the highest byte first. */
export function decimalOfBytes(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}
