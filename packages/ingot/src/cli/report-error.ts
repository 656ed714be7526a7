import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { IngotError } from "../model/error.js";
import type { Position } from "../model/position.js";
import type { Colours } from "./colour.js";

/** An error for people: code, message, place with the line itself, next step; each further error in turn. */
export function formatError(error: IngotError, colours: Colours, cwd: string): string {
  return [error, ...error.others].map((e) => formatOne(e, colours, cwd)).join("\n\n");
}

/** The same for `--json`. */
export function errorJson(error: IngotError): object {
  const one = (e: IngotError) => ({
    code: e.code,
    message: e.message,
    ...(e.sqlState === undefined ? {} : { sqlState: e.sqlState }),
    ...(e.object === undefined ? {} : { object: e.object }),
    ...(e.at === undefined ? {} : { at: e.at }),
    ...(e.hint === undefined ? {} : { hint: e.hint }),
  });
  return { errors: [error, ...error.others].map(one) };
}

function formatOne(error: IngotError, colours: Colours, cwd: string): string {
  const lines = [`${colours.red(`error[${error.code}]`)}: ${error.message}`];
  if (error.at !== undefined) lines.push(...formatPlace(error.at, error.source, colours, cwd));
  if (error.hint !== undefined && error.hint !== "") lines.push(`  ${colours.cyan("next")}: ${error.hint}`);
  return lines.join("\n");
}

function formatPlace(at: Position, text: string | undefined, colours: Colours, cwd: string): string[] {
  const place = `  ${colours.dim("at")} ${displayPath(at.file, cwd)}:${at.line}:${at.column}`;
  const source = sourceLine(at, text);
  if (source === undefined) return [place];
  const number = String(at.line);
  const gutter = colours.dim(`${" ".repeat(number.length)} |`);
  const pointer = `${source.slice(0, at.column - 1).replace(/[^\t]/g, " ")}^`;
  return [place, `  ${colours.dim(`${number} |`)} ${source}`, `  ${gutter} ${colours.red(pointer)}`];
}

function sourceLine(at: Position, text: string | undefined): string | undefined {
  try {
    const line = (text ?? readFileSync(at.file, "utf8")).split(/\r?\n/)[at.line - 1];
    return line === undefined || line.length > 300 ? undefined : line;
  } catch {
    return undefined;
  }
}

/** Relative where that is shorter. */
export function displayPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === "" ? "." : short.length < path.length ? short : path;
}
