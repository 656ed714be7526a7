import { hostFunction, SparkCondition } from "./host-function.js";
import { javaText } from "./java-double.js";
import { type Json, parseJson, printJson, quoteJson } from "./json-value.js";

/** A step of a path: a field's name or an element's place. */
type Step = string | number;

/** `$.a.b[0]['c']`; undefined for no path of Spark, "wildcard" for one with a star. */
export function readPath(path: string): readonly Step[] | "wildcard" | undefined {
  if (!path.startsWith("$")) return undefined;
  const steps: Step[] = [];
  for (let rest = path.slice(1); rest !== ""; ) {
    const [whole, name, index, quoted, star] =
      /^(?:\.([^.[*][^.[]*)|\[([0-9]+)\]|\['([^'?]+)'\]|(\.\*|\[\*\]|\['\*'\]))/.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    if (star !== undefined) return "wildcard";
    steps.push(index === undefined ? (name ?? quoted ?? "") : Number(index));
    rest = rest.slice(whole.length);
  }
  return steps;
}

function find(value: Json, steps: readonly Step[]): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return value.kind === "null" ? undefined : value;
  if (typeof step === "number") {
    const item = value.kind === "array" ? value.items[step] : undefined;
    return item === undefined ? undefined : find(item, rest);
  }
  if (value.kind !== "object") return undefined;
  for (const [name, field] of value.fields) {
    const found = name === step && field.kind !== "null" ? find(field, rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Jackson copies whole numbers as they are and others as doubles. */
export function copyNumber(text: string): string {
  return /^-?[0-9]+$/.test(text) ? (text === "-0" ? "0" : text) : javaText(Number(text), 53);
}

function textOf(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value.kind === "string" ? value.text : printJson(value, copyNumber);
}

export const GET_JSON_OBJECT = hostFunction("get_json_object", ["string", "string"], "string", (text, path) => {
  const steps = readPath(path);
  if (steps === "wildcard")
    throw new SparkCondition("NOT_SUPPORTED", `The path ${path}: a star in a path of get_json_object.`);
  const value = parseJson(text, true);
  return steps === undefined || value === undefined ? undefined : textOf(find(value, steps));
});

/** A field of the outermost object as text: `json_tuple`. */
export const JSON_FIELD = hostFunction("json_field", ["string", "string"], "string", (text, name) => {
  const value = parseJson(text, true);
  if (value?.kind !== "object") return undefined;
  const field = value.fields.find(([own]) => own === name)?.[1];
  return field === undefined || field.kind === "null" ? undefined : textOf(field);
});

export const JSON_ARRAY_LENGTH = hostFunction("json_array_length", ["string"], "int", (text) => {
  const value = parseJson(text, true);
  return value?.kind === "array" ? value.items.length : undefined;
});

export const JSON_OBJECT_KEYS = hostFunction("json_object_keys", ["string"], "strings", (text) => {
  const value = parseJson(text, true);
  return value?.kind === "object" ? value.fields.map(([name]) => name) : undefined;
});

/** A text within JSON. */
export const QUOTE_JSON = hostFunction("quote_json", ["string"], "string", quoteJson);

export const JSON_FUNCTIONS = [GET_JSON_OBJECT, JSON_FIELD, JSON_ARRAY_LENGTH, JSON_OBJECT_KEYS, QUOTE_JSON];
