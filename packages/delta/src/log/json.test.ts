import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatJson, type Json, parseJson } from "./json.js";

describe("parseJson", () => {
  it("keeps integers beyond 2^53 exact, at any depth, and only those as bigint", () => {
    expect(parseJson('{"a":[9007199254740993,-9223372036854775808],"b":9007199254740991,"c":1.5e3}')).toEqual({
      a: [9007199254740993n, -9223372036854775808n],
      b: 9007199254740991,
      c: 1500,
    });
  });

  it("leaves digits within texts alone", () => {
    expect(parseJson('{"12345678901234567":"\\"9007199254740993\\", {"}')).toEqual({
      "12345678901234567": '"9007199254740993", {',
    });
  });

  it("throws SyntaxError for what is no JSON", () => {
    expect(() => parseJson('{"a":9007199254740993}{}')).toThrow(SyntaxError);
  });

  it("gives back what formatJson wrote", () => {
    const { json } = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, false),
        fc.string({ unit: "grapheme" }),
        fc.maxSafeInteger(),
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
        fc.array(tie("json")),
        fc.dictionary(fc.string(), tie("json")),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        expect(parseJson(formatJson(value))).toEqual(value);
      }),
    );
  });
});

describe("formatJson", () => {
  it("leaves undefined members out", () => {
    expect(formatJson({ a: undefined, b: 1n, c: null })).toBe('{"b":1,"c":null}');
  });
});
