/** A place in a user's file. Lines and columns count from 1, columns in UTF-16 units. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** From `start` on, the text stands at this place of a user's file, up to the next segment. */
export interface Segment extends Position {
  readonly start: number;
}

/**
 * Spark SQL text that knows where each character came from: one segment for a query of a `.sql` file,
 * several where values were spliced in (`${…}` of a template or of the configuration).
 * Segments are in the order of `start`; the first starts at 0.
 */
export interface SqlText {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** The place of the character at `offset` of `text`, reading on from `start` at `from`. */
export function advance(text: string, start: number, offset: number, from: Position): Position {
  let line = from.line;
  let lineStart = start - (from.column - 1);
  for (let i = text.indexOf("\n", start); i !== -1 && i < offset; i = text.indexOf("\n", i + 1)) {
    line += 1;
    lineStart = i + 1;
  }
  return { file: from.file, line, column: offset - lineStart + 1 };
}

/** Where the character at `offset` of a query stands in the user's file. */
export function positionAt(sql: SqlText, offset: number): Position {
  let segment = sql.segments[0];
  for (const s of sql.segments) {
    if (s.start > offset) break;
    segment = s;
  }
  if (segment === undefined) return { file: "<query>", line: 1, column: offset + 1 };
  return advance(sql.text, segment.start, offset, segment);
}

/** Text that came from no file, such as a query on the command line. */
export function sqlText(text: string, file = "<query>"): SqlText {
  return { text, segments: [{ start: 0, file, line: 1, column: 1 }] };
}

/** The part [start, end) of a text, with its places kept. */
export function slice(sql: SqlText, start: number, end: number = sql.text.length): SqlText {
  const segments: Segment[] = [{ start: 0, ...positionAt(sql, start) }];
  for (const s of sql.segments) {
    if (s.start > start && s.start < end) segments.push({ ...s, start: s.start - start });
  }
  return { text: sql.text.slice(start, end), segments };
}
