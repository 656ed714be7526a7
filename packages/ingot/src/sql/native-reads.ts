import type { FileRead } from "../model/file-read.js";
import { type Token, unquoteString } from "./lexer.js";
import type { RelationRef, Span } from "./parse/ast.js";
import type { ParsedQuery } from "./parse/parse-query.js";
import { quoteString } from "./quote.js";
import type { Splice } from "./spark-text.js";
import { isToken } from "./token-reader.js";

/** Options of `read_files` that Databricks has not, and what is different without them. */
const OURS: Readonly<Record<string, string>> = {
  cleancolumnnames: "Columns keep the names that they have in the files.",
  onmissing: "A path that is not there fails the flow.",
  onempty: "A file of 0 bytes is no fault.",
  compression: "The ending of a file's name tells how it is compressed.",
};
/** Fields of `_metadata` that Spark has not. */
const OUR_METADATA = new Set(["row_number", "content_hash"]);

interface Gap {
  readonly construct: string;
  readonly meaning: string;
  readonly offset: number;
}

/**
 * What becomes of the reads of files in a query: relative paths begin at `root`, options that Ingot alone has go, and
 * defaults that are Ingot's and not Databricks' are written down.
 */
export function nativeReads(
  { tokens }: ParsedQuery,
  relations: readonly RelationRef[],
  root: string,
): { readonly splices: readonly Splice[]; readonly gaps: readonly Gap[] } {
  const splices: Splice[] = [];
  const gaps: Gap[] = [];
  for (const { relation, text } of relations) {
    if (relation.kind !== "files") continue;
    const own = argumentsOf(tokens, text);
    for (const { name, value, span } of own) {
      const meaning = OURS[name.toLowerCase()];
      if (meaning !== undefined) {
        gaps.push({ construct: `read_files option ${name}`, meaning, offset: span.start });
        splices.push({ ...span, parts: [] });
      } else if (name === "" || name.toLowerCase() === "path") {
        splices.push({ ...value, parts: [quoteString(placed(relation.files.path, root))] });
      }
    }
    const end = own.at(-1)?.span.end ?? text.end;
    const names = new Set(own.map(({ name }) => name.toLowerCase().replace(/^cloudfiles\./, "")));
    const missing = ourDefaults(relation.files).filter(([name]) => !names.has(name.toLowerCase()));
    splices.push({ start: end, end, parts: missing.map(([name, value]) => `, ${name} => ${value}`) });
    if (relation.files.schema === undefined && isText(relation.files)) {
      gaps.push({
        construct: "read_files without a schema",
        meaning: "Databricks adds a column _rescued_data, and reads a sample of the files for the columns.",
        offset: text.start,
      });
    }
  }
  for (const [i, token] of tokens.entries()) {
    if (token.text.toLowerCase() !== "_metadata" || !isToken(tokens[i + 1], ".")) continue;
    const field = tokens[i + 2]?.text ?? "";
    if (!OUR_METADATA.has(field.toLowerCase())) continue;
    gaps.push({ construct: `_metadata.${field}`, meaning: "The query cannot run there.", offset: token.start });
  }
  return { splices, gaps };
}

function placed(path: string, root: string): string {
  return /^(\/|[a-z][a-z0-9+.-]+:)/i.test(path) ? path : `${root}/${path.replace(/^\.\//, "")}`;
}

/** Where Ingot takes text as it stands, Databricks looks for types and takes the backslash for an escape. */
function ourDefaults(files: FileRead): readonly (readonly [string, string])[] {
  if (files.schema !== undefined || !isText(files)) return [];
  return [
    ["inferColumnTypes", String(files.inferColumnTypes)],
    ...(files.format === "csv" ? [["escape", quoteString(files.escape)] as const] : []),
  ];
}

function isText(files: FileRead): files is FileRead & { readonly format: "csv" | "json" } {
  return files.format === "csv" || files.format === "json";
}

interface Argument {
  /** "" for the path that stands first. */
  readonly name: string;
  readonly value: Span;
  /** With the comma before it. */
  readonly span: Span;
}

function argumentsOf(tokens: readonly Token[], text: Span): readonly Argument[] {
  const inside = tokens.filter((token) => token.start >= text.start && token.end <= text.end);
  const call = inside.findIndex((token) => token.text.toLowerCase() === "read_files");
  const found: Argument[] = [];
  let depth = 0;
  let first = call + 2;
  for (const [i, token] of inside.entries()) {
    if (i <= call) continue;
    if (isToken(token, "(")) depth += 1;
    if (isToken(token, ")")) depth -= 1;
    if (depth > 1 || (depth === 1 && !isToken(token, ","))) continue;
    const [begin, last] = [inside[first], inside[i - 1]];
    if (begin === undefined || last === undefined) break;
    const arrow = inside.findIndex((other, at) => at >= first && at < i && isToken(other, "=>"));
    const value = inside[arrow === -1 ? first : arrow + 1] ?? begin;
    const name = inside
      .slice(first, Math.max(first, arrow))
      .map(({ text: word, kind }) => (kind === "string" ? unquoteString(word) : word))
      .join("");
    const comma = inside[first - 1];
    const start = found.length === 0 || comma === undefined ? begin.start : comma.start;
    found.push({ name, value: { start: value.start, end: last.end }, span: { start, end: last.end } });
    if (depth === 0) break;
    first = i + 1;
  }
  return found;
}
