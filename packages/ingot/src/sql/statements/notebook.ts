import { IngotError } from "../../model/error.js";
import type { Token } from "../lexer.js";
import type { Locate } from "../locate.js";

/** What a notebook in Databricks' source format says between its statements. */
export interface NotebookMarks {
  /** Indexes of the tokens that a new cell begins with. */
  readonly breaks: ReadonlySet<number>;
  /** One for each cell in another language than SQL and Markdown. */
  readonly errors: readonly IngotError[];
}

const NEW_CELL = /^-- COMMAND -{10,}\s*$/;
const MAGIC = /^-- MAGIC(?:\s+(.*))?$/;
const MARKDOWN = /^%md(-sandbox)?\b/;

/** Finds the marks in the gaps between tokens, so never within a string. A plain file has none. */
export function readNotebookMarks(text: string, tokens: readonly Token[], locate: Locate): NotebookMarks {
  const breaks = new Set<number>();
  const errors: IngotError[] = [];
  let gapStart = 0;
  for (let i = 0; i <= tokens.length; i++) {
    const gapEnd = tokens[i]?.start ?? text.length;
    let inMagicCell = false;
    for (const [offset, line] of commentLines(text, gapStart, gapEnd)) {
      if (NEW_CELL.test(line)) breaks.add(i);
      const magic = MAGIC.exec(line)?.[1];
      if (magic?.startsWith("%") && !inMagicCell && !MARKDOWN.test(magic)) errors.push(refusal(magic, locate, offset));
      inMagicCell = MAGIC.test(line) && (inMagicCell || magic !== undefined);
    }
    gapStart = tokens[i]?.end ?? gapEnd;
  }
  return { breaks, errors };
}

/** The comment lines that begin within a gap. */
function* commentLines(text: string, start: number, end: number): Generator<[offset: number, line: string]> {
  const gap = text.slice(start, end);
  let lineStart = start === 0 ? 0 : gap.indexOf("\n") + 1;
  if (start !== 0 && lineStart === 0) return;
  while (lineStart < gap.length) {
    const next = gap.indexOf("\n", lineStart);
    const lineEnd = next === -1 ? gap.length : next;
    if (gap.startsWith("--", lineStart)) yield [start + lineStart, gap.slice(lineStart, lineEnd).trimEnd()];
    lineStart = lineEnd + 1;
  }
}

function refusal(magic: string, locate: Locate, offset: number): IngotError {
  const language = magic.split(/\s/)[0] ?? magic;
  return new IngotError("NOT_SUPPORTED", `A notebook cell that is no SQL: ${language}`, {
    at: locate(offset),
    object: language,
    hint: "A pipeline reads the SQL cells of a notebook and skips its %md cells. Move this one to another file.",
  });
}
