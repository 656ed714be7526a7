import type { DataType } from "../../../model/data-type.js";
import { parseDigits, plainText, roundDigits } from "./decimal-digits.js";
import { hostFunction, SparkCondition } from "./host-function.js";
import { copyNumber } from "./json-number.js";
import { type Json, parseJson, printJson, quoteJson } from "./json-value.js";
import { remember } from "./remember.js";

/**
 * JSON with all that a type asks for and nothing else, for DuckDB to read: what does not fit is null, as in Spark's mode
 * PERMISSIVE with partial results. The type comes as JSON of `DataType`.
 */
export const FIT_JSON = hostFunction("fit_json", ["string", "string"], "string", (text, type) => {
  if (text.trim() === "") return undefined;
  const schema = schemaOf(type);
  const value = parseJson(text);
  if (schema.kind === "struct") {
    const object = value?.kind === "object" ? value : ({ kind: "object", fields: [] } as const);
    return fit(object, schema) ?? "{}";
  }
  if (value === undefined) return undefined;
  // One object counts as an array of it.
  if (schema.kind === "array" && schema.element.kind === "struct" && value.kind === "object")
    return `[${fit(value, schema.element) ?? "null"}]`;
  return fit(value, schema);
});

const schemaOf = remember((text) => JSON.parse(text) as DataType);

/** Undefined for what does not fit; the JSON null fits all. */
function fit(value: Json, type: DataType): string | undefined {
  if (value.kind === "null") return "null";
  switch (type.kind) {
    case "struct": {
      if (value.kind !== "object") return undefined;
      const fields = type.fields.map(({ name, type: own }) => {
        const given = value.fields.findLast(([key]) => key === name)?.[1];
        return `${quoteJson(name)}:${given === undefined ? "null" : (fit(given, own) ?? "null")}`;
      });
      return `{${fields.join(",")}}`;
    }
    case "array": {
      if (value.kind !== "array") return undefined;
      const items = value.items.map((item) => fit(item, type.element));
      return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
    }
    case "map": {
      if (value.kind !== "object") return undefined;
      const entries = value.fields.map(([name, item]) => [quoteJson(name), fit(item, type.value)] as const);
      if (entries.some(([, item]) => item === undefined)) return undefined;
      return `{${[...new Map(entries)].map(([name, item]) => `${name}:${item}`).join(",")}}`;
    }
    default:
      return fitAtomic(value, type);
  }
}

const RANGES: Readonly<Record<string, bigint>> = { tinyint: 7n, smallint: 15n, int: 31n, bigint: 63n };

function fitAtomic(value: Json, type: DataType): string | undefined {
  const bits = RANGES[type.kind];
  if (bits !== undefined) {
    if (value.kind !== "number" || !/^-?[0-9]+$/.test(value.text)) return undefined;
    return BigInt.asIntN(Number(bits) + 1, BigInt(value.text)) === BigInt(value.text) ? value.text : undefined;
  }
  switch (type.kind) {
    case "boolean":
      return value.kind === "boolean" ? String(value.value) : undefined;
    case "string":
      return value.kind === "string" ? quoteJson(value.text) : quoteJson(printJson(value, copyNumber));
    case "double":
    case "float":
      if (value.kind === "number") return value.text;
      if (value.kind !== "string") return undefined;
      return /^(NaN|[+-]?INF|[+-]?Infinity)$/.test(value.text)
        ? quoteJson(value.text.replace("INF", "Infinity"))
        : undefined;
    case "decimal": {
      const text = value.kind === "number" || value.kind === "string" ? value.text : "";
      if (!/^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)) return undefined;
      const rounded = roundDigits(parseDigits(text), type.scale, "half-up");
      const digits = rounded.unscaled.toString().replace("-", "").length;
      return digits > type.precision ? undefined : quoteJson(plainText(rounded));
    }
    default:
      return fitDate(value);
  }
}

/** A date in the form that has one reading; Spark takes others. */
function fitDate(value: Json): string | undefined {
  if (value.kind !== "string") return undefined;
  if (/^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9])$/.test(value.text)) return quoteJson(value.text);
  if (!/[0-9]/.test(value.text)) return undefined;
  if (/^[0-9]{4}-(?:(?:0[13578]|1[02])-3[01]|(?:0[469]|11)-30)$/.test(value.text)) return quoteJson(value.text);
  throw new SparkCondition("NOT_SUPPORTED", `The date ${value.text} in from_json. Read it as STRING and cast it.`);
}
