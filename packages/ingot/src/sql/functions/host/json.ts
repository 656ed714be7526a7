import { hostFunction } from "./host-function.js";
import { followPath, readPath } from "./json-path.js";
import { parseJson, quoteJson } from "./json-value.js";

export const GET_JSON_OBJECT = hostFunction("get_json_object", ["string", "string"], "string", (text, path) => {
  const steps = readPath(path);
  const value = parseJson(text, true);
  return steps === undefined || value === undefined ? undefined : followPath(value, steps);
});

/** A field of the outermost object as text: `json_tuple`. */
export const JSON_FIELD = hostFunction("json_field", ["string", "string"], "string", (text, name) => {
  const value = parseJson(text, true);
  if (value?.kind !== "object") return undefined;
  const field = value.fields.find(([own]) => own === name)?.[1];
  return field === undefined || field.kind === "null" ? undefined : followPath(field, []);
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
