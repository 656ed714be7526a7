import type { Position } from "../model/position.js";
import type { TemplatePlaces } from "./scope.js";
import { findChunks, findClose, type Literal } from "./source-scan.js";

/** A definitions file's text, which tells where the parts of a call stand. */
export interface SourceText {
  /** Places of a template whose tag stands at `at`; undefined when the text does not hold it. */
  templateAt(at: Position, raw: readonly string[]): TemplatePlaces | undefined;
  /** The place of the one literal with this text in the call at `at`. */
  literalAt(at: Position, text: string): Position | undefined;
}

export function createSourceText(file: string, text: string): SourceText {
  // JavaScript reads every line break of a template as \n.
  const source = text.replaceAll("\r\n", "\n");
  const lineStarts = [0];
  for (let at = source.indexOf("\n"); at !== -1; at = source.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  const literals = new Map<number, Map<string, number>>();

  const offsetOf = ({ line, column }: Position): number => (lineStarts[line - 1] ?? source.length) + column - 1;
  const positionOf = (offset: number): Position => {
    let low = 0;
    for (let high = lineStarts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
  };
  const literalsOf = (call: number): Map<string, number> => {
    const known = literals.get(call);
    if (known !== undefined) return known;
    const found = new Map<string, number>();
    const open = source.indexOf("(", call);
    if (open !== -1)
      findClose(source, open + 1, ({ start, text }: Literal) => found.set(text, found.has(text) ? -1 : start));
    literals.set(call, found);
    return found;
  };

  return {
    templateAt(at, raw) {
      const found = findChunks(source, source.indexOf("`", offsetOf(at)), raw);
      if (found === undefined) return undefined;
      return { chunks: found.chunks.map(positionOf), values: found.values.map(positionOf) };
    },
    literalAt(at, text) {
      const start = literalsOf(offsetOf(at)).get(text);
      return start === undefined || start === -1 ? undefined : positionOf(start);
    },
  };
}
