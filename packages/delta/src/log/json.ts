export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/**
 * Parses JSON without loss in the integers: one that a number cannot hold exactly (beyond 2^53) comes as a bigint.
 * Throws SyntaxError as `JSON.parse` does.
 */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  return isRounded(value) ? parseExact(text) : value;
}

/** Whether a number within may stand for another one: looked for in the value, since most of the text is in strings. */
function isRounded(value: Json): boolean {
  if (typeof value === "number") return !Number.isSafeInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(isRounded);
  const members = value as JsonObject;
  for (const key in members) if (isRounded(members[key] ?? null)) return true;
  return false;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `JSON.stringify` that writes bigints as numerals. Keys whose value is undefined are left out. */
export function formatJson(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (!isObject(value)) return Array.isArray(value) ? `[${value.map(formatJson).join(",")}]` : JSON.stringify(value);
  let members = "";
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${formatJson(member)}`;
  }
  return `{${members}}`;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Builds the value again from its tokens. The text is known to be valid JSON. */
function parseExact(text: string): Json {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;

  const members = (close: string, member: () => void): void => {
    while (tokens[at] !== close) {
      member();
      if (tokens[at] === ",") at += 1;
    }
    at += 1;
  };
  const value = (): Json => {
    const token = tokens[at] ?? "";
    at += 1;
    if (token === "[") {
      const items: Json[] = [];
      members("]", () => items.push(value()));
      return items;
    }
    if (token === "{") {
      const entries: [string, Json][] = [];
      members("}", () => {
        const key = JSON.parse(tokens[at] ?? "") as string;
        at += 2;
        entries.push([key, value()]);
      });
      return Object.fromEntries(entries);
    }
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return BigInt(token);
    return JSON.parse(token) as Json;
  };
  return value();
}
