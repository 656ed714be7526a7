import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILE_DEFAULTS } from "./test-reads.js";
import { TestFiles } from "./test-relation.js";

const files = new TestFiles();
beforeAll(() => files.open());
afterAll(() => files.close());

describe("text files", () => {
  const read = { ...FILE_DEFAULTS, path: "", format: "text", encoding: "UTF-8", wholeText: false } as const;
  const LINES = 'SELECT value, "_metadata.row_number" FROM ?';

  it("gives every line a row, blank ones too", async () => {
    const { rows, records } = await files.read({ "a.txt": '\ufeffa,"b\n\n  \r\nc' }, read, LINES);
    expect(rows).toEqual([
      ['a,"b', "1"],
      ["", "2"],
      ["  ", "3"],
      ["c", "4"],
    ]);
    expect(records).toBe(4);
  });

  it("gives one row a line of any file", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", " ", "\x1c", '"', "\0"), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const { rows, records } = await files.read({ "l.txt": `x\n${content}` }, read, LINES);
        const lines = `x\n${content}`.split(/\r\n|\n|\r/);
        if (lines.at(-1) === "") lines.pop();
        expect(rows.map(([line]) => line)).toEqual(lines);
        expect(records).toBe(lines.length);
      }),
      { numRuns: 60 },
    );
  });

  it("gives a whole file as one text", async () => {
    const whole = { ...read, wholeText: true, encoding: "UTF-16" } as const;
    const text = "a\r\n\n b ";
    const content = {
      "a.txt": Buffer.from(`\ufeff${text}`, "utf16le"),
      "b.txt.gz": gzipSync(Buffer.from(`\ufeffx`, "utf16le")),
    };
    expect((await files.read(content, whole, LINES)).rows).toEqual([
      [text, "1"],
      ["x", "1"],
    ]);
  });
});

it("gives a binary file as Spark does: path, time, length, content", async () => {
  const read = { ...FILE_DEFAULTS, path: "", format: "binaryFile" } as const;
  const { names, rows, files: found } = await files.read({ "ü 1.bin": Buffer.from([0, 255]), "empty.bin": "" }, read);
  expect(names).toEqual(["path", "modificationTime", "length", "content"]);
  expect(rows.map((row) => [row[0], row[2], row[3]])).toEqual([
    [`file:${files.folder}/ü 1.bin`, "2", "\\x00\\xFF"],
    [`file:${files.folder}/empty.bin`, "0", ""],
  ]);
  expect(found.map(({ records }) => records)).toEqual([1, 1]);
});
