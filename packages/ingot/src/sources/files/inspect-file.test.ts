import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { csvRead } from "../../graph/test-builders.js";
import { LineCounter } from "./count-lines.js";
import { inspectFile } from "./inspect-file.js";

const folder = mkdtempSync(join(tmpdir(), "ingot-inspect-"));
const path = join(folder, "f.csv");
afterAll(() => rmSync(folder, { recursive: true }));

const schema = ["order_id", "amount", "_bad"].map((name) => ({
  name,
  type: { kind: "string" } as const,
  nullable: true,
}));
const read = csvRead(folder, { schema, corruptRecordColumn: "_bad" });
const inspect = (content: string | Buffer, more: Partial<typeof read> = {}) => {
  writeFileSync(path, content);
  return inspectFile(path, { ...read, ...more });
};

describe("inspectFile", () => {
  it("knows a file by its content", async () => {
    const file = await inspectFile("test/fixtures/cases/V12/input/1/orders.csv", { ...read, enforceSchema: true });
    // By sha256sum and wc.
    expect(file).toMatchObject({
      sha256: "b36dc17358506603eaa33f8eb6f0bdcaefbefadc354d43a2fadb1a7231c1b8af",
      size: 17,
      records: 2,
      skipLines: 1,
      lineEnd: "\n",
      longestLine: 6,
    });
  });

  it.each([
    ["order_id,amount\r\n1,2\r\n", { records: 1, skipLines: 1, lineEnd: "\r\n" }],
    ['\n \nORDER_ID,"Amount"\n1,2\n\n3,4', { records: 2, skipLines: 3, lineEnd: "\n" }],
    ["order_id,amount\r1,2", { records: 1, lineEnd: "\r" }],
    ["order_id,amount\n1,2\r\n3,4\r", { records: 2, lineEnd: "mixed" }],
    ["\ufefforder_id,amount\n1,2\n", { records: 1, lineEnd: "\n" }],
    ["\ufeff\ufefforder_id,amount\n1,2\n", { records: 1, lineEnd: "mixed" }],
    ["order_id,amount\n1,\x1c\n", { records: 1, lineEnd: "mixed" }],
    ["order_id,amount", { records: 0, skipLines: 1 }],
    ["\n\n", { records: 0, skipLines: 0 }],
    ["", { records: 0, size: 0 }],
  ])("%j", async (content, expected) => {
    expect(await inspect(content)).toMatchObject(expected);
  });

  it.each([
    ["order_id,amount\r\n1,2\r\n", { records: 1, skipLines: 1, lineEnd: "\r\n" }],
    ['order_id,amount\n1,"2\n"\n', { records: 1, skipLines: 1, lineEnd: undefined }],
    // A line of blanks is a record there, and an empty one is none.
    ["order_id,amount\n1,2\n \n", { records: 2, skipLines: 1, lineEnd: undefined }],
    ["order_id,amount\n\n1,2\n", { records: 1, skipLines: 1, lineEnd: undefined }],
    ["order_id,amount\n1,\r\n", { records: 1, skipLines: 1, lineEnd: undefined }],
  ])("%j with multiLine: its lines are its records where nothing speaks against it", async (content, expected) => {
    const { records, skipLines, lineEnd } = await inspect(content, { multiLine: true });
    expect({ records, skipLines, lineEnd }).toEqual(expected);
  });

  it.each([
    ["order_id,amuont\n", 'column 2 is "amuont" where the schema has "amount"', 'Did you mean "amount"?'],
    ["order_id\n", 'column 2, "amount", is missing', "enforceSchema"],
    ["order_id,amount,x\n", 'column 3, "x", is one too many', "enforceSchema"],
    ["order_id, amount\n", 'column 2 is " amount"', "Did you mean"],
  ])("refuses the header %j", async (content, message, hint) => {
    await expect(inspect(content)).rejects.toMatchObject({
      code: "FILE_HEADER_MISMATCH",
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
      at: { file: path, line: 1, column: 1 },
    });
    expect(await inspect(content, { enforceSchema: true })).toMatchObject({ records: 0 });
  });

  it.each([
    [Buffer.from("order_id,amount\n1,M\xfcller\n", "latin1"), { line: 2, column: 4 }, "byte offset 19 holds 0xFC"],
    [Buffer.from([0x61, 0x0d, 0x0a, 0xc3]), { line: 2, column: 1 }, "byte offset 3 holds 0xC3"],
    [
      Buffer.concat([Buffer.from("é".repeat(600_000)), Buffer.from([0x80])]),
      { line: 1, column: 600_001 },
      "offset 1200000",
    ],
    [Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]), { line: 1, column: 2 }, "byte offset 4 holds 0xFF"],
  ])("finds the byte that is not UTF-8 (%#)", async (content, place, message) => {
    await expect(inspect(content, { header: false })).rejects.toMatchObject({
      code: "FILE_BAD_ENCODING",
      message: expect.stringContaining(message),
      at: { file: path, ...place },
    });
  });

  it("takes characters that two chunks share", async () => {
    const content = `${"x".repeat((1 << 20) - 2)}\u{1F600}\n`;
    expect(await inspect(content, { header: false })).toMatchObject({ records: 1, longestLine: (1 << 20) + 2 });
  });

  it.each([
    ["UTF-16LE", (1 << 19) - 1],
    ["UTF-16LE", (1 << 19) - 2],
    ["UTF-16", (1 << 19) - 2],
  ])("takes characters of %s that two chunks share (%i)", async (encoding, length) => {
    const text = `${"x".repeat(length)}\u{1F600}\n`;
    const content = Buffer.from(`\ufeff${text}`, "utf16le");
    const found = await inspect(gzipSync(content), { header: false, encoding, compression: "gzip" });
    expect(found).toMatchObject({ records: 1, longestLine: length + 4, encoding, compression: "gzip" });
  });

  it.each([
    ["windows-1252", Buffer.from("a\r\nb\x81", "latin1"), { line: 2, column: 2 }, "byte offset 4 holds 0x81"],
    ["UTF-16LE", Buffer.from("a\n\ud83db", "utf16le"), { line: 2, column: 1 }, "byte offset 4 holds 0x3D"],
    ["windows-31j", Buffer.from("93fa0a93fa81", "hex"), { line: 2, column: 2 }, "byte offset 5 holds 0x81"],
    ["ISO-8859-1", Buffer.from("\ufeffa"), { line: 1, column: 1 }, "begins with the mark of UTF-8"],
  ])("finds what is not %s", async (encoding, content, place, message) => {
    await expect(inspect(content, { header: false, encoding })).rejects.toMatchObject({
      code: "FILE_BAD_ENCODING",
      message: expect.stringContaining(message),
      at: { file: path, ...place },
    });
  });

  it("says when the file is not there", async () => {
    await expect(inspectFile(join(folder, "gone.csv"), read)).rejects.toMatchObject({ code: "FILE_NOT_READABLE" });
  });
});

it("counts the same lines in whatever chunks they come", () => {
  const bytes = fc.string({ unit: fc.constantFrom("a", " ", "\n", "\r") });
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(20)), (text, cuts) => {
      const counter = new LineCounter();
      let rest = Buffer.from(text);
      for (const cut of cuts) {
        counter.add(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      counter.add(rest);
      counter.finish();
      const lines = text.split(/\r\n|\n|\r/);
      if (lines.at(-1) === "") lines.pop();
      const ends = new Set(text.match(/\r\n|\n|\r/g) ?? ["\n"]);
      expect({ ...counter, end: counter.lineEnd() }).toMatchObject({
        lines: lines.length,
        filled: lines.filter((line) => line.includes("a")).length,
        longest: Math.max(0, ...lines.map((line) => line.length)),
        end: ends.size === 1 ? [...ends][0] : undefined,
      });
      if (counter.first !== undefined) {
        expect(counter.first.text).toBe(lines[counter.first.number - 1]);
        expect(counter.first.number - 1).toBe(lines.findIndex((line) => line.includes("a")));
      }
    }),
  );
});
