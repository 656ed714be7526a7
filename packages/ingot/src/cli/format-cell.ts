import type { Value } from "../engine/engine.js";
import type { DataType } from "../model/data-type.js";

/** A value as Spark's `show` prints it. */
export function formatCell(value: Value, type: DataType): string {
  if (value === null) return "NULL";
  switch (type.kind) {
    case "float":
    case "double":
      return typeof value === "number" ? formatDouble(value, type.kind) : String(value);
    case "array":
      return `[${(value as readonly Value[]).map((item) => formatCell(item, type.element)).join(", ")}]`;
    case "struct": {
      const fields = value as Readonly<Record<string, Value>>;
      return `{${type.fields.map((f) => formatCell(fields[f.name] ?? null, f.type)).join(", ")}}`;
    }
    case "map":
      return `{${(value as readonly (readonly [Value, Value])[])
        .map(([key, item]) => `${formatCell(key, type.key)} -> ${formatCell(item, type.value)}`)
        .join(", ")}}`;
    default:
      return String(value);
  }
}

/** Java's `Double.toString`: `1.0`, `1.0E10`, `1.5E-5`. */
function formatDouble(value: number, kind: "float" | "double"): string {
  if (Object.is(value, -0)) return "-0.0";
  const shortest = kind === "float" ? shortestFloat(value) : value;
  const size = Math.abs(shortest);
  if (size === 0 || (size >= 1e-3 && size < 1e7)) {
    const text = String(shortest);
    return text.includes(".") ? text : `${text}.0`;
  }
  const text = shortest.toExponential();
  // Where one digit is enough, Java gives the nearest number of two: 4.9E-324, not 5.0E-324.
  const [digits, exponent] = (text.includes(".") ? text : value.toExponential(1)).split("e");
  return `${digits}E${Number(exponent)}`;
}

/** The shortest decimal that is the same 32-bit float. */
function shortestFloat(value: number): number {
  for (let digits = 1; digits <= 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return value;
}
