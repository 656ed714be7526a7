/** JSON read as Jackson reads it: numbers keep their text, fields their order and doubles. */
export type Json =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "array"; readonly items: readonly Json[] }
  | { readonly kind: "object"; readonly fields: readonly (readonly [name: string, value: Json])[] };

/** The value at the start of a text; undefined where it is no JSON. Single quotes are taken, as Spark does. */
export function parseJson(text: string, controls = false): Json | undefined {
  try {
    return readValue({ text, controls, at: 0 });
  } catch (error) {
    if (error instanceof JsonFault) return undefined;
    throw error;
  }
}

class JsonFault extends Error {}
interface Reader {
  readonly text: string;
  /** Whether strings may hold control characters. */
  readonly controls: boolean;
  at: number;
}

function skip(reader: Reader): string {
  while (/^[ \t\n\r]$/.test(reader.text.charAt(reader.at))) reader.at += 1;
  return reader.text.charAt(reader.at);
}

function readValue(reader: Reader): Json {
  const char = skip(reader);
  if (char === "{") return readObject(reader);
  if (char === "[") return readArray(reader);
  if (isQuote(char)) return { kind: "string", text: readString(reader) };
  const word = /^(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)/.exec(
    reader.text.slice(reader.at, reader.at + 400),
  )?.[0];
  const next = reader.text.charAt(reader.at + (word?.length ?? 0));
  if (word === undefined || !/^[\s,\]}:]?$/.test(next)) throw new JsonFault();
  reader.at += word.length;
  if (word === "null") return { kind: "null" };
  if (word === "true" || word === "false") return { kind: "boolean", value: word === "true" };
  return { kind: "number", text: word };
}

const isQuote = (char: string) => char === '"' || char === "'";

function readArray(reader: Reader): Json {
  const items: Json[] = [];
  reader.at += 1;
  if (skip(reader) === "]") {
    reader.at += 1;
    return { kind: "array", items };
  }
  for (;;) {
    items.push(readValue(reader));
    const char = skip(reader);
    reader.at += 1;
    if (char === "]") return { kind: "array", items };
    if (char !== ",") throw new JsonFault();
  }
}

function readObject(reader: Reader): Json {
  const fields: [string, Json][] = [];
  reader.at += 1;
  if (skip(reader) === "}") {
    reader.at += 1;
    return { kind: "object", fields };
  }
  for (;;) {
    if (!isQuote(skip(reader))) throw new JsonFault();
    const name = readString(reader);
    if (skip(reader) !== ":") throw new JsonFault();
    reader.at += 1;
    fields.push([name, readValue(reader)]);
    const char = skip(reader);
    reader.at += 1;
    if (char === "}") return { kind: "object", fields };
    if (char !== ",") throw new JsonFault();
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  "/": "/",
  "\\": "\\",
  '"': '"',
};

function readString(reader: Reader): string {
  const quote = reader.text.charAt(reader.at);
  let result = "";
  for (reader.at += 1; ; reader.at += 1) {
    const char = reader.text.charAt(reader.at);
    if (char === "") throw new JsonFault();
    if (char === quote) {
      reader.at += 1;
      return result;
    }
    if (char < " " && !reader.controls) throw new JsonFault();
    if (char !== "\\") {
      result += char;
      continue;
    }
    reader.at += 1;
    const letter = reader.text.charAt(reader.at);
    if (letter === "u") {
      const digits = /^[0-9A-Fa-f]{4}/.exec(reader.text.slice(reader.at + 1))?.[0];
      if (digits === undefined) throw new JsonFault();
      result += String.fromCharCode(Number.parseInt(digits, 16));
      reader.at += 4;
    } else if (letter === "'" && quote === "'") result += "'";
    else if (Object.hasOwn(ESCAPES, letter)) result += ESCAPES[letter] ?? "";
    else throw new JsonFault();
  }
}

/** Jackson's text: short escapes, others as `\u001F`. */
export function quoteJson(text: string): string {
  const shortest: Readonly<Record<string, string>> = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
  };
  return `"${text.replace(/["\\\p{Cc}]/gu, (c) => {
    const code = c.charCodeAt(0);
    return shortest[c] ?? (code < 32 ? `\\u${code.toString(16).toUpperCase().padStart(4, "0")}` : c);
  })}"`;
}

/** Without spaces; a number with a fraction or an exponent as a double. */
export function printJson(value: Json, number: (text: string) => string): string {
  switch (value.kind) {
    case "null":
      return "null";
    case "boolean":
      return String(value.value);
    case "number":
      return number(value.text);
    case "string":
      return quoteJson(value.text);
    case "array":
      return `[${value.items.map((item) => printJson(item, number)).join(",")}]`;
    case "object":
      return `{${value.fields.map(([name, field]) => `${quoteJson(name)}:${printJson(field, number)}`).join(",")}}`;
  }
}
