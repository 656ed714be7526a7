/**
 * Reads the `stats` text of a file for what is asked of it. Digits stay as they stand where a number of JavaScript would
 * round them. A log of 100,000 files has some hundred megabytes of it, so text in the compact form in which Spark,
 * delta-rs and this library write it is searched, not parsed.
 */
export interface StatsText {
  readonly numRecords: number | undefined;
  /** The text of a string, the digits of a number; undefined where there is nothing. */
  valueOf(section: StatsSection, path: readonly string[]): string | undefined;
}

/** Each has a member for a column under its physical name, nested as the structs of the schema are. */
export type StatsSection = "minValues" | "maxValues" | "nullCount";

/** Undefined where a file has no statistics, or none that can be understood: they are a help, no part of the table. */
export function openStats(stats: string | undefined): StatsText | undefined {
  if (stats === undefined) return undefined;
  const places = findSections(stats);
  if (places === undefined) return parseWhole(stats);
  let whole: { readonly parsed: StatsText | undefined } | undefined;
  return {
    numRecords: places.numRecords,
    valueOf: (section, path) => {
      const [name = ""] = path;
      const place = places[section];
      if (place === undefined) return undefined;
      if (path.length === 1 && PLAIN_NAME.test(name)) return findValue(stats, place, name);
      whole ??= { parsed: parseWhole(stats) };
      return whole.parsed?.valueOf(section, path);
    },
  };
}

/** Number of rows by the statistics; undefined when untold. */
export function recordsIn(stats: string): number | undefined {
  const [, digits] = /^\{"numRecords":(\d{1,15})[,}]/.exec(stats) ?? [];
  return digits === undefined ? openStats(stats)?.numRecords : Number(digits);
}

/** Whether the statistics tell of a column, by its physical path. One of nothing but NULL has no bounds, yet a count. */
export function hasStatsOf(stats: string | undefined, path: readonly string[]): boolean {
  return openStats(stats)?.valueOf("nullCount", path) !== undefined;
}

export function toCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Whose quoted form cannot begin at a quote that ends another text. */
const PLAIN_NAME = /^[^\s,:{}[\]"\\][^"\\]*$/;

interface Place {
  readonly start: number;
  readonly end: number;
}
type Places = { [section in StatsSection]?: Place } & { numRecords?: number | undefined };

/** Walks over the outermost members. Undefined for any text that is not plain: blanks, structs, braces in a value. */
function findSections(stats: string): Places | undefined {
  const places: Places = {};
  for (let at = 1; ; ) {
    const [, key, value = ""] = matchAt(/"([a-zA-Z]+)":(\{|[^,}"{]+)/y, stats, at) ?? [];
    if (key === undefined) return undefined;
    at += key.length + 3;
    if (value === "{") {
      if (key !== "minValues" && key !== "maxValues" && key !== "nullCount") return undefined;
      const end = stats.indexOf("}", at);
      const inner = stats.indexOf("{", at + 1);
      if (end === -1 || (inner !== -1 && inner < end)) return undefined;
      places[key] = { start: at, end };
      at = end + 1;
    } else {
      if (key === "numRecords") places.numRecords = toCount(value);
      else if (key !== "tightBounds") return undefined;
      at += value.length;
    }
    if (stats[at] === "}") return at === stats.length - 1 && stats[0] === "{" ? places : undefined;
    if (stats[at] !== ",") return undefined;
    at += 1;
  }
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

function findValue(stats: string, { start, end }: Place, name: string): string | undefined {
  const key = `"${name}":`;
  let at = stats.indexOf(key, start);
  // A backslash before it: within a text.
  while (at !== -1 && at < end && stats[at - 1] === "\\") at = stats.indexOf(key, at + 1);
  if (at === -1 || at >= end) return undefined;
  const from = at + key.length;
  const close = stats[from] === '"' ? stats.indexOf('"', from + 1) : -1;
  const text = stats.slice(from + 1, Math.max(close, from + 1));
  if (close !== -1 && !text.includes("\\")) return text;
  const [value] = matchAt(/"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,}"]+/y, stats, from) ?? [];
  if (value === undefined || value === "null") return undefined;
  return value.startsWith('"') ? (parseJson(value) as string | undefined) : value;
}

type Tree = { readonly [name: string]: unknown };

function parseWhole(stats: string): StatsText | undefined {
  const parsed = parseJson(stats.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
  if (!isTree(parsed)) return undefined;
  const textAt = (path: readonly string[]) => {
    let value: unknown = parsed;
    for (const name of path) value = isTree(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return typeof value === "object" || value === undefined ? undefined : String(value);
  };
  return {
    numRecords: toCount(textAt(["numRecords"])),
    valueOf: (section, path) => textAt([section, ...path]),
  };
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
