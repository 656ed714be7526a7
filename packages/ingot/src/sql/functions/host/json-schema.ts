import { type Json, parseJson } from "./json-value.js";

/** A type as it is read off a JSON value; `null` fits all. */
type Inferred =
  | { readonly kind: "null" | "string" | "boolean" | "double" }
  /** Whole numbers, with their digits: those beyond 64 bits are decimals. */
  | { readonly kind: "whole"; readonly digits: number }
  | { readonly kind: "array"; readonly element: Inferred }
  | { readonly kind: "struct"; readonly fields: ReadonlyMap<string, Inferred> };

/** The schema of a JSON text as DDL (`JsonInferSchema`); undefined where it is no JSON. */
export function schemaOfJson(text: string): string | undefined {
  if (text.trim() === "") return "STRING";
  const value = parseJson(text);
  return value === undefined ? undefined : (writeType(infer(value)) ?? "STRUCT<>");
}

const MAX_DIGITS = 38;

function infer(value: Json): Inferred {
  switch (value.kind) {
    case "number": {
      if (!/^-?[0-9]+$/.test(value.text)) return { kind: "double" };
      const number = BigInt(value.text);
      if (BigInt.asIntN(64, number) === number) return { kind: "whole", digits: 0 };
      const digits = value.text.replace("-", "").length;
      return digits > MAX_DIGITS ? { kind: "double" } : { kind: "whole", digits };
    }
    case "array":
      return { kind: "array", element: value.items.map(infer).reduce(merge, { kind: "null" }) };
    case "object": {
      const fields = new Map<string, Inferred>();
      for (const [name, field] of value.fields)
        fields.set(name, merge(fields.get(name) ?? { kind: "null" }, infer(field)));
      return { kind: "struct", fields };
    }
    default:
      return { kind: value.kind };
  }
}

/** What holds both; a text where nothing else does. */
function merge(a: Inferred, b: Inferred): Inferred {
  if (a.kind === "null") return b;
  if (b.kind === "null") return a;
  if (a.kind === "array" && b.kind === "array") return { kind: "array", element: merge(a.element, b.element) };
  if (a.kind === "struct" && b.kind === "struct") {
    const fields = new Map(a.fields);
    for (const [name, type] of b.fields) fields.set(name, merge(fields.get(name) ?? { kind: "null" }, type));
    return { kind: "struct", fields };
  }
  if (a.kind === "whole" && b.kind === "whole") return { kind: "whole", digits: Math.max(a.digits, b.digits) };
  const isNumber = (t: Inferred) => t.kind === "whole" || t.kind === "double";
  if (isNumber(a) && isNumber(b)) return { kind: "double" };
  return a.kind === b.kind ? a : { kind: "string" };
}

/** A struct without fields is none, and so is what holds nothing else. */
function writeType(type: Inferred): string | undefined {
  switch (type.kind) {
    case "array": {
      const element = writeType(type.element);
      return element === undefined ? undefined : `ARRAY<${element}>`;
    }
    case "struct": {
      // Fields stand in the order of their names' code units.
      const names = [...type.fields.keys()].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
      const fields = names.flatMap((name) => {
        const field = writeType(type.fields.get(name) ?? { kind: "null" });
        return field === undefined ? [] : [`${quoteField(name)}: ${field}`];
      });
      return fields.length === 0 ? undefined : `STRUCT<${fields.join(", ")}>`;
    }
    case "whole":
      return type.digits === 0 ? "BIGINT" : `DECIMAL(${type.digits},0)`;
    case "null":
      return "STRING";
    default:
      return type.kind.toUpperCase();
  }
}

function quoteField(name: string): string {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) ? name : `\`${name.replaceAll("`", "``")}\``;
}
