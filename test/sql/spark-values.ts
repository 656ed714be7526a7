import type { Value } from "../interop/relation.js";
import { doubleText, mapEntries } from "./canonical.js";

/** A value of Spark's, of a type by its catalog name, in the writing of the corpus. */
export function canonicalOf(value: Value, type: string): unknown {
  if (value === null) return null;
  const [kind = "", ...parts] = partsOf(type);
  switch (kind) {
    case "boolean":
      return value;
    case "float":
    case "double":
      return doubleText(Number(value));
    case "timestamp":
      return `${moment(String(value))}Z`;
    case "timestamp_ntz":
      return moment(String(value));
    case "binary":
      return String(value).toLowerCase();
    case "array":
      return (value as Value[]).map((item) => canonicalOf(item, parts[0] ?? ""));
    case "map": {
      const pairs = value as [Value, Value][];
      return mapEntries(pairs.map((pair) => pair.map((v, i) => canonicalOf(v, parts[i] ?? ""))));
    }
    case "struct": {
      const fields = Object.entries(value as Record<string, Value>);
      const typeOf = (i: number) => parts[i]?.slice(`${fields[i]?.[0]}:`.length) ?? "";
      return { struct: fields.map(([name, v], i) => [name, canonicalOf(v, typeOf(i))]) };
    }
    default:
      return String(value);
  }
}

/** `map<string,array<int>>` is `map`, `string`, `array<int>`; the fields of a struct keep their names before them. */
function partsOf(type: string): string[] {
  const open = type.indexOf("<");
  if (open === -1) return [type];
  const parts = [type.slice(0, open)];
  let depth = 0;
  let start = open + 1;
  for (let i = start; i < type.length; i++) {
    const char = type[i];
    if ((char === "," && depth === 0) || i === type.length - 1) {
      parts.push(type.slice(start, i));
      start = i + 1;
    } else if (char === "<" || char === "(") depth += 1;
    else if (char === ">" || char === ")") depth -= 1;
  }
  return parts;
}

function moment(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  return `${whole.replace(" ", "T")}.${fraction.padEnd(6, "0")}`;
}
