import { describe, expect, it } from "vitest";
import { NumberPatternFault, readNumberPattern } from "./number-pattern.js";
import { TO_CHAR, TO_NUMBER } from "./number-text.js";

const toNumber = TO_NUMBER.run as (text: string, pattern: string, lenient: boolean) => string | undefined;
const toChar = TO_CHAR.run as (text: string, pattern: string) => string;

// Results and refusals of Spark 4.2.
describe("patterns of numbers", () => {
  it.each([
    ["12,454.8-", "99,999.9S", "-12454.8"],
    ["$78.12", "$99.99", "78.12"],
    ["<454>", "999PR", "-454"],
    ["454", "999PR", "454"],
    [".5", "9.9", "0.5"],
    ["45", "000", undefined],
    ["1454", "9,999", undefined],
    ["45", "$99", undefined],
    ["", "999", undefined],
  ])("read %j by %s", (text, pattern, value) => expect(toNumber(text, pattern, true)).toBe(value));

  it.each([
    ["-12454.8", "99G999D9S", "12,454.8-"],
    ["-12.34", "S999.99", " -12.34"],
    ["12", "99,999", "    12"],
    ["12", "00,000", "00,012"],
    ["12345", "999", "###"],
    ["12.0", "99.", "12 "],
    ["-5", "S00.0", "-05.0"],
  ])("write %s by %s", (text, pattern, value) => expect(toChar(text, pattern)).toBe(value));

  it("count the digits", () => {
    expect(readNumberPattern("99,999.00")).toMatchObject({ precision: 7, scale: 2 });
  });

  it.each([
    ["", "EMPTY"],
    ["$", "WRONG_NUM_DIGIT"],
    ["9$", "CUR_MUST_BEFORE_DIGIT"],
    [",9", "CONT_THOUSANDS_SEPS"],
    ["9.9,9", "THOUSANDS_SEPS_MUST_BEFORE_DEC"],
    ["9.9.9", "WRONG_NUM_TOKEN"],
    ["9S9", "UNEXPECTED_TOKEN"],
    ["9a", "UNEXPECTED_TOKEN"],
  ])("are none: %j", (pattern, code) => {
    const fault = expect.objectContaining({ code });
    expect(() => readNumberPattern(pattern)).toThrow(NumberPatternFault);
    expect(() => readNumberPattern(pattern)).toThrow(fault);
  });
});
