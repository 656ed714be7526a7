import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { positionAt, type SqlText, slice, sqlText } from "../model/position.js";
import { concat, cut, makeLocate } from "./locate.js";

const part = fc
  .record({ text: fc.string({ unit: fc.constantFrom("a", "\n", " ") }), line: fc.nat(9), column: fc.nat(9) })
  .map(
    ({ text, line, column }): SqlText => ({
      text,
      segments: [{ start: 0, file: "f", line: line + 1, column: column + 1 }],
    }),
  );
const anyText = fc.array(part, { minLength: 1, maxLength: 4 }).map(concat);

describe("makeLocate", () => {
  it("agrees with positionAt everywhere", () => {
    fc.assert(
      fc.property(anyText, (sql) => {
        const locate = makeLocate(sql);
        for (let offset = 0; offset <= sql.text.length; offset++) {
          expect(locate(offset)).toEqual(positionAt(sql, offset));
        }
      }),
    );
  });

  it("answers for a text without segments", () => {
    expect(makeLocate({ text: "ab", segments: [] })(1)).toEqual({ file: "<query>", line: 1, column: 2 });
  });
});

describe("cut", () => {
  it("agrees with slice", () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.nat(20), (sql, a, b) => {
        const [start, end] = [Math.min(a, b, sql.text.length), Math.min(Math.max(a, b), sql.text.length)];
        expect(cut(sql, makeLocate(sql), start, end)).toEqual(slice(sql, start, end));
      }),
    );
  });
});

it("concat keeps the places of its parts", () => {
  const joined = concat([sqlText("a\nb", "one"), sqlText("cd", "two")]);
  expect(joined.text).toBe("a\nbcd");
  expect(positionAt(joined, 2)).toEqual({ file: "one", line: 2, column: 1 });
  expect(positionAt(joined, 4)).toEqual({ file: "two", line: 1, column: 2 });
});
