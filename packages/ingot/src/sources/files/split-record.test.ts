import { describe, expect, it } from "vitest";
import { splitRecord } from "./split-record.js";

const dialect = { sep: ",", quote: '"', escape: "\\" };

// Spark 4.2's answers; more of them in test/fixtures/files.
describe("splitRecord", () => {
  it.each([
    ["a,b,", ["a", "b", ""]],
    ['"a,b",c', ["a,b", "c"]],
    ['"a""b",c', ['"a""b"', "c"]],
    ['"a\\"b",c', ['a"b', "c"]],
    ['a"b,c"d', ['a"b', 'c"d']],
    ['"ab"c"d,e",f', ['"ab"c"d', 'e"', "f"]],
    ['"ab" ,d', ["ab", "d"]],
    ['"ab" x,d', ['"ab" x', "d"]],
    ['x,"abc,d', ["x", "abc,d"]],
    ['a,"', ["a", '"']],
    ["\\,b", ["\\", "b"]],
  ])("%s", (line, fields) => {
    expect(splitRecord(line, dialect)).toEqual(fields);
  });

  it("takes an empty quote for NUL, as Spark does", () => {
    expect(splitRecord('"a,b",c', { ...dialect, quote: "" })).toEqual(['"a', 'b"', "c"]);
    expect(splitRecord("\0a,b\0,c", { ...dialect, quote: "" })).toEqual(["a,b", "c"]);
  });
});
