import { describe, expect, it } from "vitest";
import { IngotError } from "../model/error.js";
import { lex, unquoteIdentifier, unquoteString } from "./lexer.js";

const kinds = (text: string) => lex(text).map((t) => `${t.kind} ${t.text}`);

describe("lex", () => {
  it("gives offsets in UTF-16 units", () => {
    expect(lex("a = '😀' -- x\n;b").map((t) => [t.text, t.start, t.end])).toEqual([
      ["a", 0, 1],
      ["=", 2, 3],
      ["'😀'", 4, 8],
      [";", 14, 15],
      ["b", 15, 16],
    ]);
  });

  it("knows every kind of token", () => {
    expect(kinds("abc_1 `a``b` 'it''s' \"x\\\"y\" r'\\d' R\"z\" X'1F' 12")).toEqual([
      "word abc_1",
      "quoted `a``b`",
      "string 'it''s'",
      'string "x\\"y"',
      "string r'\\d'",
      'string R"z"',
      "binary X'1F'",
      "number 12",
    ]);
  });

  // SqlBaseLexer.g4: isValidDecimal and the literals beside it.
  it.each([
    ["1L 2S 3Y 1.5D 10BD 1F", ["1L", "2S", "3Y", "1.5D", "10BD", "1F"]],
    ["1e3 1E-3 .5 5. 1.e2 34.E2+0.12", ["1e3", "1E-3", ".5", "5.", "1.e2", "34.E2", "+", "0.12"]],
    ["1.5a", ["1", ".", "5a"]],
    ["t.1a", ["t", ".", "1a"]],
    ["1Lx 2x 1e 1BDx", ["1Lx", "2x", "1e", "1BDx"]],
    ["a.b.c", ["a", ".", "b", ".", "c"]],
  ])("splits the numbers of %s", (text, expected) => {
    expect(lex(text).map((t) => t.text)).toEqual(expected);
  });

  it("joins operators, but not >>, which also closes nested types", () => {
    expect(lex("<=> => -> :: <> != <= >= == || |> !< !> << >> >>>").map((t) => t.text)).toEqual(
      "<=> => -> :: <> != <= >= == || |> !< !> << > > > > >".split(" "),
    );
  });

  it("takes letters of any alphabet, and Spark's white space", () => {
    expect(kinds("größe\u00a0数量\u3000𝒳\u2028x")).toEqual(["word größe", "word 数量", "word 𝒳", "word x"]);
    expect(kinds("a\u2029€")).toEqual(["word a", "operator \u2029", "operator €"]);
  });

  it("skips comments: nested, and a line that a backslash carries on", () => {
    expect(kinds("a /* x /* y */ '*/ b -- c\\\nd\ne --")).toEqual(["word a", "word b", "word e"]);
  });

  it.each([
    ["a\n  'x", "string", "2:3", "Close it with '."],
    ['"x\\"', "string", "1:1", 'Close it with ".'],
    ["r'x", "string", "1:1", "Close it with '."],
    ["x `y``", "quoted name", "1:3", "Close it with `."],
    ["a /* /* */", "comment", "1:3", "Close it with */."],
  ])("refuses %j", (text, what, place, hint) => {
    try {
      lex(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(IngotError);
      const { code, message, at, hint: given } = error as IngotError;
      expect([code, message, `${at?.line}:${at?.column}`, given]).toEqual([
        "PARSE_SYNTAX_ERROR",
        `A ${what} begins here and has no end`,
        place,
        hint,
      ]);
    }
  });
});

describe("unquoteString", () => {
  // Spark 4: SparkParserUtils.unescapeSQLString.
  it.each([
    ["'it''s'", "it's"],
    ['"say ""hi"""', 'say "hi"'],
    ["'a\"b'", 'a"b'],
    ["'\\n\\t\\r\\b\\0\\Z'", "\n\t\r\b\0\x1a"],
    ["'\\'\\\"\\\\\\q'", "'\"\\q"],
    ["'\\%\\_'", "\\%\\_"],
    ["'\\u0041\\101\\U0001F600'", "AA😀"],
    ["'\\u12\\400'", "u12400"],
    ["r'\\d+'", "\\d+"],
    ["''", ""],
  ])("reads %s", (literal, value) => {
    expect(unquoteString(literal)).toBe(value);
  });

  it("does not fail beyond Unicode", () => {
    expect(unquoteString("'\\UFFFFFFFF'")).toHaveLength(2);
  });
});

it("unquoteIdentifier takes the back-ticks off", () => {
  expect(unquoteIdentifier("`a``b c`")).toBe("a`b c");
});
