import { parseJson } from "../../sql/functions/host/json-value.js";

/** A value of a record as it stands in the file. */
export interface JsonField {
  readonly name: string;
  readonly kind: "string" | "number" | "boolean" | "null" | "object" | "array";
  /** Of a string its characters, of all others the text that stands in the file. */
  readonly text: string;
}

export interface JsonRecord {
  /** As it stands in the file. */
  readonly text: string;
  /** Index of its first character in the text that was read. */
  readonly start: number;
  /** What is wrong with it, for people. Such a record has no fields. */
  readonly fault?: string;
  readonly fields: readonly JsonField[];
}

/**
 * The records of a line, or of a document: an object, or all elements of an array. Blank text has none. JSON is taken as
 * Spark 4.2 takes it, single quotes and words like NaN included; but where Spark reads the first value and forgets what
 * follows, the whole text is one faulty record.
 *
 * @param isDeclared the read has a schema. Then all is as in Spark: of two fields of one name the last counts, half a
 * character is "?", and an array with anything but objects is one faulty record. Else these are faults of the record.
 */
export function readJsonRecords(text: string, isDeclared: boolean): JsonRecord[] {
  const start = skipBlanks(text, 0);
  if (start === text.length) return [];
  if (!isJson(text)) return [faulty(text, 0, "it is no JSON")];
  const end = skipValue(text, start);
  if (skipBlanks(text, end) < text.length) return [faulty(text, 0, "more text stands behind the JSON value")];
  const spans = text[start] === "[" ? [...elements(text, start)] : [[start, end] as const];
  const records = spans.map(([from, to]) => recordAt(text, from, to, isDeclared));
  if (!isDeclared) return records;
  const fault = records.find((record) => record.fault !== undefined)?.fault;
  return fault === undefined ? records : [faulty(text, 0, fault)];
}

function isJson(text: string): boolean {
  return isPlainJson(text) || isPlainJson(text.replace(WORDS, (found, word) => (word === undefined ? found : "0")));
}

/** Strings, and outside of them the words that Jackson takes for numbers. */
const WORDS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|((?<![\w+-])(?:NaN|Infinity|[+-]Infinity|[+-]INF)(?!\w))/g;

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return parseJson(text) !== undefined;
  }
}

function faulty(text: string, start: number, fault: string): JsonRecord {
  return { text, start, fault, fields: [] };
}

function recordAt(text: string, start: number, end: number, isDeclared: boolean): JsonRecord {
  const own = text.slice(start, end);
  if (text[start] !== "{") return faulty(own, start, "it is no JSON object");
  const fields = new Map<string, JsonField>();
  for (let at = skipBlanks(text, start + 1); text[at] !== "}"; ) {
    const nameEnd = skipValue(text, at);
    const name = unquote(text.slice(at, nameEnd));
    const from = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    const to = skipValue(text, from);
    const field = fieldOf(name, text.slice(from, to));
    const isWhole = !HALF.test(name) && !HALF.test(field.text);
    if (!isDeclared && fields.has(name)) return faulty(own, start, `the field ${name} comes twice`);
    if (!isDeclared && !isWhole) return faulty(own, start, "it holds half a character");
    fields.set(name, isWhole ? field : { ...field, text: field.text.replaceAll(HALVES, "?") });
    at = skipBlanks(text, to);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
  return { text: own, start, fields: [...fields.values()] };
}

function fieldOf(name: string, raw: string): JsonField {
  switch (raw[0]) {
    case '"':
    case "'":
      return { name, kind: "string", text: unquote(raw) };
    case "{":
      return { name, kind: "object", text: raw };
    case "[":
      return { name, kind: "array", text: raw };
    case "n":
      return { name, kind: "null", text: raw };
    case "t":
    case "f":
      return { name, kind: "boolean", text: raw };
    default:
      return { name, kind: "number", text: raw };
  }
}

function unquote(raw: string): string {
  if (!raw.includes("\\")) return raw.slice(1, -1);
  if (raw.startsWith('"')) return JSON.parse(raw) as string;
  const value = parseJson(raw);
  return value?.kind === "string" ? value.text : raw;
}

/** Half of a pair of UTF-16, which UTF-8 cannot hold. */
const HALF = /\p{Surrogate}/u;
const HALVES = /\p{Surrogate}/gu;

// Below, the text is known to be JSON.

function* elements(text: string, start: number): Generator<[from: number, to: number]> {
  for (let at = skipBlanks(text, start + 1); text[at] !== "]"; ) {
    const end = skipValue(text, at);
    yield [at, end];
    at = skipBlanks(text, end);
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t" || text[at] === "\n" || text[at] === "\r") at += 1;
  return at;
}

/** Index behind the value that begins at `start`. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const ch = text[at];
    if (ch === '"' || ch === "'") at = skipString(text, at);
    else if (ch === "{" || ch === "[") {
      depth += 1;
      at += 1;
    } else if (ch === "}" || ch === "]") {
      depth -= 1;
      at += 1;
    } else if (depth > 0) at += 1;
    else return skipWord(text, at);
  } while (depth > 0);
  return at;
}

function skipString(text: string, start: number): number {
  const quote = text[start];
  let at = start + 1;
  while (text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[\s,\]}:]/.test(text[at] as string)) at += 1;
  return at;
}
