import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePath, encodePath } from "./path.js";

describe("decodePath", () => {
  // The second column is what Spark finds on disk for such a log entry (its test tables with special characters).
  it.each([
    ["special%20p@%23h", "special p@#h"],
    ["_2=bar+%252521/part-0.parquet", "_2=bar+%2521/part-0.parquet"],
    ["file:/a/with%20space", "/a/with space"],
    ["file:///a/b", "/a/b"],
    ["/a/b", "/a/b"],
    ["s3://bucket/key", "s3://bucket/key"],
    ["%C3%A4.parquet", "ä.parquet"],
  ])("%s is %s", (uri, path) => {
    expect(decodePath(uri)).toBe(path);
  });
});

describe("encodePath", () => {
  it("escapes once what a URI gives a meaning to", () => {
    expect(encodePath("p=50%/C:D?#ä b[1].parquet")).toBe("p=50%25/C%3AD%3F%23%C3%A4%20b%5B1%5D.parquet");
  });

  it("writes absolute paths as Spark does, which compares them letter by letter", () => {
    expect(encodePath("/t/ä b/p=50%/C:D.parquet")).toBe("file:/t/ä%20b/p=50%25/C%3AD.parquet");
    expect(encodePath("s3://bucket/ä b/a.parquet")).toBe("s3://bucket/ä%20b/a.parquet");
  });

  it("is undone by decodePath", () => {
    const path = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(path, (text) => {
        expect(decodePath(encodePath(text))).toBe(text);
      }),
    );
  });
});
