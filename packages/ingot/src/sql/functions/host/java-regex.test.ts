import { describe, expect, it } from "vitest";
import { RegexRefusal, translateRegex } from "./java-regex.js";

const finds = (pattern: string, text: string) => new RegExp(translateRegex(pattern).source, "v").exec(text)?.[0];

describe("Java's regular expressions", () => {
  // Answers of java.util.regex (Java 17).
  it("ends a line before its last line end", () => {
    expect(finds("c$", "abc\n")).toBe("c");
    expect(finds("c$", "abc\r\n")).toBe("c");
    expect(finds("c$", "abc\n\n")).toBeUndefined();
  });
  it("knows more line ends than JavaScript", () => {
    expect(finds("a.b", "a\u0085b")).toBeUndefined();
    expect(finds("(?s)a.b", "a\nb")).toBe("a\nb");
  });
  it("has classes within classes", () => {
    expect(finds("[a-c&&[^b]]+", "bac")).toBe("ac");
    expect(finds("[]a]+", "x]a")).toBe("]a");
    expect(finds("[a-z&&[def]]", "xe")).toBe("e");
  });
  it("takes ASCII for letters, digits and space", () => {
    expect(finds("\\d", "٣")).toBeUndefined();
    expect(finds("\\s", "\u00a0")).toBeUndefined();
    expect(finds("(?i)É", "é")).toBeUndefined();
    expect(finds("(?i)[x-z]+k", "XYK")).toBe("XYK");
  });
  it("quotes", () => expect(finds("\\Qa.b\\E+", "a.bb")).toBe("a.bb"));
  it.each(["a++", "(?>a)b", "(a)|\\1", "(?:(a)|b)*", "(", "a{2,1}", "*a", "(?i:a)"])("refuses %s", (pattern) => {
    expect(() => translateRegex(pattern)).toThrow(RegexRefusal);
  });
});
