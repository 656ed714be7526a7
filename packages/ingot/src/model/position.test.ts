import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Position, positionAt, type Segment, slice, sqlText } from "./position.js";

describe("positionAt", () => {
  it("counts lines and columns from 1, on from where the text stands", () => {
    const sql = { text: "SELECT a\nFROM t\n", segments: [{ start: 0, file: "x.sql", line: 3, column: 5 }] };
    const places = [0, 7, 8, 9, 14, 16].map((offset) => positionAt(sql, offset));
    expect(places.map((p) => `${p.line}:${p.column}`)).toEqual(["3:5", "3:12", "3:13", "4:1", "4:6", "5:1"]);
  });

  it("knows spliced values by their own place", () => {
    const at = (start: number, file: string, line: number, column: number): Segment => ({ start, file, line, column });
    const sql = {
      text: "a v\nw b",
      segments: [at(0, "q.ts", 1, 1), at(2, "conf.yml", 9, 4), at(5, "q.ts", 1, 7)],
    };
    expect([1, 2, 4, 5, 6].map((offset) => positionAt(sql, offset))).toEqual([
      { file: "q.ts", line: 1, column: 2 },
      { file: "conf.yml", line: 9, column: 4 },
      { file: "conf.yml", line: 10, column: 1 },
      { file: "q.ts", line: 1, column: 7 },
      { file: "q.ts", line: 1, column: 8 },
    ]);
  });

  it("gives a text of no file a name that says so", () => {
    expect(positionAt(sqlText("a\nb"), 2)).toEqual({ file: "<query>", line: 2, column: 1 });
    expect(positionAt({ text: "abc", segments: [] }, 2)).toEqual({ file: "<query>", line: 1, column: 3 });
  });
});

/** Text in pieces, each with a place of its own. */
const texts = fc
  .array(
    fc.record({
      text: fc.stringMatching(/^[ab\n]{0,6}$/),
      line: fc.integer({ min: 1, max: 9 }),
      column: fc.integer({ min: 1, max: 9 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((pieces) => {
    let text = "";
    const segments = pieces.map((piece, i): Segment => {
      const segment = { start: text.length, file: `f${i}`, line: piece.line, column: piece.column };
      text += piece.text;
      return segment;
    });
    return { text, segments };
  });

describe("slice", () => {
  it("keeps the text and the place of every character", () => {
    fc.assert(
      fc.property(texts, fc.nat(30), fc.nat(30), (sql, a, b) => {
        const [start, end] = [Math.min(a, b, sql.text.length), Math.min(Math.max(a, b), sql.text.length)];
        const part = slice(sql, start, end);
        expect(part.text).toBe(sql.text.slice(start, end));
        const places = (of: typeof sql, from: number, to: number): Position[] =>
          Array.from({ length: to - from }, (_, i) => positionAt(of, from + i));
        expect(places(part as typeof sql, 0, end - start)).toEqual(places(sql, start, end));
      }),
    );
  });
});
