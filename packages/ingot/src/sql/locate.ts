import type { Position, Segment, SqlText } from "../model/position.js";

/** Where the character at an offset of one text stands in the user's file. */
export type Locate = (offset: number) => Position;

/**
 * As `positionAt`, for a text that is asked often: the line starts are found once, then each answer takes a binary
 * search instead of a walk over the text.
 */
export function makeLocate(sql: SqlText): Locate {
  const starts = stretches(sql);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const { file, line, column, start } = starts[low] ?? { file: "<query>", line: 1, column: 1, start: 0 };
    return { file, line, column: column + offset - start };
  };
}

/** The part [start, end) of a text, as `slice` gives it. */
export function cut(sql: SqlText, locate: Locate, start: number, end: number): SqlText {
  const segments: Segment[] = [{ start: 0, ...locate(start) }];
  for (const s of sql.segments) if (s.start > start && s.start < end) segments.push({ ...s, start: s.start - start });
  return { text: sql.text.slice(start, end), segments };
}

/** Joins texts into one that knows where each part came from. */
export function concat(parts: readonly SqlText[]): SqlText {
  const segments: Segment[] = [];
  let text = "";
  for (const part of parts) {
    for (const s of part.segments) segments.push({ ...s, start: text.length + s.start });
    text += part.text;
  }
  return { text, segments };
}

/** One entry for each segment and for each line within it. */
function stretches({ text, segments }: SqlText): Segment[] {
  const starts: Segment[] = [];
  let newline = text.indexOf("\n");
  for (const [i, segment] of segments.entries()) {
    const end = segments[i + 1]?.start ?? text.length;
    starts.push(segment);
    for (let line = segment.line + 1; newline !== -1 && newline < end; line++) {
      starts.push({ start: newline + 1, file: segment.file, line, column: 1 });
      newline = text.indexOf("\n", newline + 1);
    }
  }
  return starts;
}
