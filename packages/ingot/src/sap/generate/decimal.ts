/** A whole number of the smallest unit as a decimal text: 12345 with 2 digits is `123.45`. */
export function decimal(value: number, digits: number): string {
  const text = `${Math.abs(value)}`.padStart(digits + 1, "0");
  const sign = value < 0 ? "-" : "";
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Of two whole numbers that are not negative, rounded half up; exact below 2^52. */
export function divideHalfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor));
}

/** With zeros in front. */
export function padded(value: number, length: number): string {
  return `${value}`.padStart(length, "0");
}
