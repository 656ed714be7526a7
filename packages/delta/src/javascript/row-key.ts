import { type InputRow, ownValue } from "./value.js";

/**
 * A text that is the same for rows whose columns are equal as SQL sees it: NaN equals itself, both zeros are one.
 * Undefined when one is NULL, which equals nothing. Columns are of one type in all rows.
 */
export function keyOf(row: InputRow, columns: readonly string[]): string | undefined {
  const parts: string[] = [];
  for (const name of columns) {
    const value = ownValue(row, name);
    if (value === null || value === undefined) return undefined;
    parts.push(textOf(value));
  }
  return JSON.stringify(parts);
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Array.isArray(value) ? value : Object.values(value);
  return JSON.stringify(parts.map((part: unknown) => (part === null ? null : textOf(part))));
}
